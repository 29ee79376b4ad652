//! Players, their tokens and codes, read back.

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    Postgres,
    asker::{Question, place},
    columns::{Int, get, nature, opt},
    link::Line,
};
use crate::store::{
    BotRow, DeviceRow, LinkRow, PlayerKey, PlayerRow, Recovering, StoreError, Tally, TokenRow,
};

const PLAYER: &str =
    "player.id, player.uuid, player.name, player.created_at, player.level, player.offer IS NOT NULL";
/// How many columns that are.
const OF_PLAYER: usize = 6;
const TOKEN: &str =
    "token.id, token.uuid, token.name, scopes, game, token.created_at, expires_at, used_at, is_pending";

fn player(row: &Row, first: usize) -> Result<PlayerRow, StoreError> {
    Ok(PlayerRow {
        key: get(row, first)?,
        uuid: get(row, first + 1)?,
        name: opt(row, first + 2)?,
        created_at: get(row, first + 3)?,
        nature: nature(row, first + 4)?,
    })
}

fn bot(row: &Row) -> Result<BotRow, StoreError> {
    Ok(BotRow { player: player(row, 0)?, offer: opt(row, OF_PLAYER)? })
}

fn token(row: &Row) -> Result<TokenRow, StoreError> {
    Ok(TokenRow {
        key: get(row, 0)?,
        uuid: get(row, 1)?,
        name: get(row, 2)?,
        scopes: get(row, 3)?,
        game: opt(row, 4)?,
        created_at: get(row, 5)?,
        expires_at: opt(row, 6)?,
        used_at: opt(row, 7)?,
        is_pending: get(row, 8)?,
    })
}

/// Whose token it is that has this SHA-256; and how often hooks have changed, which every request is to know.
pub struct AskToken(pub [u8; 32]);

impl Question for AskToken {
    type Answer = (Option<(TokenRow, PlayerRow)>, i64);

    async fn ask(line: &Line, questions: &[Self]) -> Result<Vec<Self::Answer>, StoreError> {
        let digests: Vec<&[u8]> = questions.iter().map(|asked| &asked.0[..]).collect();
        let query = format!(
            "SELECT {TOKEN}, {PLAYER}, (SELECT hooks FROM ledger), asked.place
             FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (digest, place)
             LEFT JOIN (token JOIN player ON player.id = token.player) ON token.digest = asked.digest"
        );
        let mut answers: Vec<Self::Answer> = questions.iter().map(|_| (None, 0)).collect();
        for row in line.query(&query, &[&digests]).await? {
            let place = place(&row, 10 + OF_PLAYER)?;
            let found = opt::<u64>(&row, 0)?.map(|_| Ok::<_, StoreError>((token(&row)?, player(&row, 9)?)));
            if let Some(answer) = answers.get_mut(place) {
                *answer = (found.transpose()?, get(&row, 9 + OF_PLAYER)?);
            }
        }
        Ok(answers)
    }
}

impl Postgres {
    pub async fn tokens_of(&self, key: PlayerKey) -> Result<Vec<TokenRow>, StoreError> {
        let query = format!("SELECT {TOKEN} FROM token WHERE player = $1 ORDER BY id");
        self.all(&query, &[&key], token).await
    }

    pub async fn player_called(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        let query = format!("SELECT {PLAYER} FROM player WHERE uuid = $1");
        self.one(&query, &[&uuid], |row| player(row, 0)).await
    }

    pub async fn all_machines(&self) -> Result<Vec<PlayerRow>, StoreError> {
        let query = format!("SELECT {PLAYER} FROM player WHERE level IS NOT NULL ORDER BY level, id");
        self.all(&query, &[], |row| player(row, 0)).await
    }

    pub async fn bots_after(&self, after: Option<PlayerKey>, limit: u32) -> Result<Vec<BotRow>, StoreError> {
        let query = format!(
            "SELECT {PLAYER}, offer FROM player WHERE (level IS NOT NULL OR offer IS NOT NULL) AND id > $1
             ORDER BY id LIMIT $2"
        );
        self.all(&query, &[&after.unwrap_or(PlayerKey(-1)), &Int(limit.into())], bot).await
    }

    pub async fn program_called(&self, name: &str) -> Result<Option<BotRow>, StoreError> {
        let query = format!("SELECT {PLAYER}, offer FROM player WHERE name = $1 AND offer IS NOT NULL");
        self.by_text(&query, name, bot).await
    }

    pub async fn offer_of(&self, key: PlayerKey) -> Result<Option<String>, StoreError> {
        let query = "SELECT offer FROM player WHERE id = $1";
        Ok(self.one(query, &[&key], |row| opt(row, 0)).await?.flatten())
    }

    pub async fn games_with_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        let query = "SELECT DISTINCT game.uuid, game.creator
            FROM player JOIN seat ON seat.player = player.id JOIN game ON game.id = seat.game
            WHERE level IS NOT NULL AND seat.status = 'running'";
        self.all(query, &[], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }

    /// Where a machine has to act it does within seconds; longer ago than minutes others have looked.
    pub async fn standing_games(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        let query = "SELECT DISTINCT game.uuid, game.creator
            FROM player JOIN seat ON seat.player = player.id JOIN game ON game.id = seat.game
            CROSS JOIN LATERAL (SELECT at FROM log WHERE log.game = game.id ORDER BY seq DESC LIMIT 1) AS newest
            WHERE level IS NOT NULL AND seat.status = 'running' AND newest.at BETWEEN $1 AND $2";
        let now = self.at();
        self.all(query, &[&(now - 10 * 60_000), &(now - 10_000)], |row| Ok((get(row, 0)?, get(row, 1)?)))
            .await
    }

    pub async fn whose_code(&self, code: &[u8; 32]) -> Result<Option<Recovering>, StoreError> {
        let query = format!(
            "SELECT {PLAYER}, CASE WHEN recovery = $1 THEN recovery_nonce END
             FROM player WHERE recovery = $1 OR next_recovery = $1"
        );
        self.one(&query, &[&&code[..]], |row| Ok((player(row, 0)?, opt(row, OF_PLAYER)?))).await
    }

    pub async fn link_with(&self, code: &[u8; 32]) -> Result<Option<LinkRow>, StoreError> {
        let query = format!(
            "SELECT {PLAYER}, until, scopes, expires_at, key, proof FROM link JOIN player ON player.id = link.player WHERE digest = $1"
        );
        let link = |row: &Row| {
            Ok(LinkRow {
                player: player(row, 0)?,
                until: get(row, OF_PLAYER)?,
                scopes: get(row, OF_PLAYER + 1)?,
                expires_at: opt(row, OF_PLAYER + 2)?,
                key: opt(row, OF_PLAYER + 3)?,
                proof: opt(row, OF_PLAYER + 4)?,
            })
        };
        self.one(&query, &[&&code[..]], link).await
    }

    pub async fn devices_of(&self, player: PlayerKey) -> Result<Vec<DeviceRow>, StoreError> {
        let query = "SELECT low, high, by_low, by_high, proof, at FROM device WHERE player = $1 ORDER BY at";
        let device = |row: &Row| {
            let (keys, sigs) = ([get(row, 0)?, get(row, 1)?], [opt(row, 2)?, opt(row, 3)?]);
            Ok(DeviceRow { keys, sigs, proof: opt(row, 4)?, at: get(row, 5)? })
        };
        self.all(query, &[&player], device).await
    }

    pub async fn tally_of(&self, key: PlayerKey) -> Result<Vec<Tally>, StoreError> {
        let query = "SELECT ruleset, played, won FROM tally WHERE player = $1 ORDER BY ruleset";
        let tally = |row: &Row| Ok(Tally { ruleset: get(row, 0)?, played: get(row, 1)?, won: get(row, 2)? });
        self.all(query, &[&key], tally).await
    }
}
