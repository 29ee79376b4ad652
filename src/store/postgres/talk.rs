//! Notes and messages.

use tokio_postgres::Row;

use super::{
    Postgres,
    columns::whole,
    columns::{Int, get, nature, opt},
    link::Fail,
    transaction::Transaction,
};
use crate::store::{
    GameKey, HeardRow, Hearing, MessageRow, NoteRow, PlayerKey, StoreError, TalkChange, sql,
    traits::TalkStore,
};

pub async fn apply(transaction: &Transaction<'_>, change: &TalkChange) -> Result<(), Fail> {
    let done = match change {
        TalkChange::SetNote { game, player, note } if note.text.is_empty() => {
            transaction.run(sql::DELETE_NOTE.postgres, &[game, player]).await
        }
        TalkChange::SetNote { game, player, note: NoteRow { text, seq, at } } => {
            let set = "INSERT INTO note (game, player, text, seq, at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (game, player) DO UPDATE SET text = excluded.text, seq = excluded.seq, at = excluded.at";
            transaction.run(set, &[game, player, text, &whole(*seq), &whole(*at)]).await
        }
        TalkChange::AddMessage { game, message: MessageRow { id, seat, player, text, at } } => {
            let add =
                "INSERT INTO message (game, id, seat, player, text, at) VALUES ($1, $2, $3, $4, $5, $6)";
            transaction.run(add, &[game, id, &Int((*seat).into()), player, text, &whole(*at)]).await
        }
        TalkChange::Mute { game, player, muted, is_muted } => {
            let mute = if *is_muted {
                "INSERT INTO mute (game, player, muted) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
            } else {
                sql::DELETE_MUTE.postgres
            };
            transaction.run(mute, &[game, player, muted]).await
        }
    };
    done.map(|_| ())
}

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

impl TalkStore for Postgres {
    fn new_message_id(&self) -> i64 {
        self.numbers.next_small(self.health.at())
    }

    async fn note(&self, game: GameKey, player: PlayerKey) -> Result<Option<NoteRow>, StoreError> {
        let query = sql::NOTE_OF_PLAYER.postgres;
        let note = |row: &Row| Ok(NoteRow { text: get(row, 0)?, seq: get(row, 1)?, at: get(row, 2)? });
        self.one(query, &[&game, &player], note).await
    }

    async fn messages(&self, hearing: Hearing, after: i64, limit: u32) -> Result<Vec<HeardRow>, StoreError> {
        let query = sql::MESSAGES_AFTER.postgres;
        self.all(query, &[&hearing.game, &hearing.listener, &after, &Int(limit.into())], heard).await
    }

    async fn count_messages(&self, game: GameKey, most: u32) -> Result<u32, StoreError> {
        let query = "SELECT count(*) FROM (SELECT 1 FROM message WHERE game = $1 LIMIT $2) AS said";
        self.count(query, &[&game, &Int(most.into())]).await
    }

    async fn mutes(&self, game: GameKey) -> Result<Vec<(PlayerKey, PlayerKey)>, StoreError> {
        let query = sql::MUTES_OF_GAME.postgres;
        self.all(query, &[&game], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }
}
