//! Notes, messages, seats that are offered, and games that are played on for oneself: read back.

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    Postgres,
    columns::{Int, get, nature, opt, whole},
};
use crate::store::{
    ExplorationRow, GameKey, HeardRow, Hearing, MessageRow, NoteRow, PlayerKey, StoreError, SubstitutionRow,
};

const SUBSTITUTION: &str =
    "SELECT substitution.uuid, code, game.uuid, seat, substitution.player, asker, player.uuid,
        player.name, taken, level, offer IS NOT NULL
    FROM substitution JOIN game ON game.id = substitution.game LEFT JOIN player ON player.id = asker";

fn heard(row: &Row) -> Result<HeardRow, StoreError> {
    let message = MessageRow {
        id: get(row, 0)?,
        seat: get(row, 1)?,
        player: get(row, 2)?,
        text: get(row, 3)?,
        at: get(row, 4)?,
    };
    Ok(HeardRow { message, speaker: get(row, 5)?, name: opt(row, 6)?, nature: nature(row, 7)? })
}

fn substitution(row: &Row) -> Result<SubstitutionRow, StoreError> {
    Ok(SubstitutionRow {
        id: get(row, 0)?,
        code: get(row, 1)?,
        game: get(row, 2)?,
        seat: get(row, 3)?,
        player: get(row, 4)?,
        asker: opt(row, 5)?.zip(opt(row, 6)?),
        asker_name: opt(row, 7)?,
        taken: opt(row, 8)?,
        asker_nature: nature(row, 9)?,
    })
}

fn exploration(row: &Row) -> Result<ExplorationRow, StoreError> {
    Ok(ExplorationRow {
        id: get(row, 0)?,
        player: get(row, 1)?,
        game: get(row, 2)?,
        game_id: get(row, 3)?,
        seq: get(row, 4)?,
        seat: opt(row, 5)?,
        seed: get(row, 6)?,
        levels: get(row, 7)?,
        commands: get(row, 8)?,
        created_at: get(row, 9)?,
    })
}

impl Postgres {
    pub async fn note_of(&self, game: GameKey, player: PlayerKey) -> Result<Option<NoteRow>, StoreError> {
        let query = "SELECT text, seq, at FROM note WHERE game = $1 AND player = $2";
        let note = |row: &Row| Ok(NoteRow { text: get(row, 0)?, seq: get(row, 1)?, at: get(row, 2)? });
        self.one(query, &[&game, &player], note).await
    }

    pub async fn messages_after(
        &self,
        hearing: Hearing,
        after: i64,
        limit: u32,
    ) -> Result<Vec<HeardRow>, StoreError> {
        let query = "SELECT message.id, seat, player, text, at, uuid, name, level, offer IS NOT NULL
            FROM message JOIN player ON player.id = message.player WHERE game = $1 AND message.id > $3
            AND NOT EXISTS (SELECT 1 FROM mute WHERE mute.game = $1 AND mute.player = $2 AND muted = message.player)
            ORDER BY message.id LIMIT $4";
        self.all(query, &[&hearing.game, &hearing.listener, &after, &Int(limit.into())], heard).await
    }

    pub async fn messages_of(&self, game: GameKey, most: u32) -> Result<u32, StoreError> {
        let query = "SELECT count(*) FROM (SELECT 1 FROM message WHERE game = $1 LIMIT $2) AS said";
        self.count(query, &[&game, &Int(most.into())]).await
    }

    pub async fn mutes_at(&self, game: GameKey) -> Result<Vec<(PlayerKey, PlayerKey)>, StoreError> {
        let query = "SELECT player, muted FROM mute WHERE game = $1";
        self.all(query, &[&game], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }

    pub async fn offered_as(&self, code: &str) -> Result<Option<SubstitutionRow>, StoreError> {
        self.by_text(&format!("{SUBSTITUTION} WHERE code = $1"), code, substitution).await
    }

    pub async fn offered_at(&self, game: GameKey, seat: u8) -> Result<Option<SubstitutionRow>, StoreError> {
        let query = format!("{SUBSTITUTION} WHERE substitution.game = $1 AND seat = $2");
        self.one(&query, &[&game, &Int(seat.into())], substitution).await
    }

    pub async fn explored(&self, id: Uuid) -> Result<Option<ExplorationRow>, StoreError> {
        let query = "SELECT exploration.uuid, player, exploration.game, game.uuid, exploration.seq, seat, seed, levels, commands,
            exploration.created_at FROM exploration JOIN game ON game.id = exploration.game WHERE exploration.uuid = $1";
        self.one(query, &[&id], exploration).await
    }

    pub async fn has_explorations_before(&self, before: u64) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM exploration WHERE created_at < $1)";
        self.is(query, &[&whole(before)]).await
    }
}
