//! Players, their tokens and codes, read back.

use rusqlite::{OptionalExtension as _, Row, ToSql, params};
use uuid::Uuid;

use super::{
    Reads,
    columns::{Whole, nature},
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

/// The player that stands in the columns from this one on.
fn player(row: &Row, first: usize) -> rusqlite::Result<PlayerRow> {
    let Whole(created_at) = row.get(first + 3)?;
    let uuid = Uuid::from_bytes(row.get(first + 1)?);
    let nature = nature(row, first + 4)?;
    Ok(PlayerRow { key: row.get(first)?, uuid, name: row.get(first + 2)?, created_at, nature })
}

fn bot(row: &Row) -> rusqlite::Result<BotRow> {
    Ok(BotRow { player: player(row, 0)?, offer: row.get(OF_PLAYER)? })
}

fn token(row: &Row) -> rusqlite::Result<TokenRow> {
    let whole = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<Whole>>(column)?.map(|whole| whole.0));
    Ok(TokenRow {
        key: row.get(0)?,
        uuid: Uuid::from_bytes(row.get(1)?),
        name: row.get(2)?,
        scopes: row.get(3)?,
        game: row.get::<_, Option<[u8; 16]>>(4)?.map(Uuid::from_bytes),
        created_at: whole(5)?.unwrap_or_default(),
        expires_at: whole(6)?,
        used_at: whole(7)?,
        is_pending: row.get(8)?,
    })
}

fn link(row: &Row) -> rusqlite::Result<LinkRow> {
    let (Whole(until), expires_at) = (row.get(OF_PLAYER)?, row.get::<_, Option<Whole>>(OF_PLAYER + 2)?);
    Ok(LinkRow {
        player: player(row, 0)?,
        until,
        scopes: row.get(OF_PLAYER + 1)?,
        expires_at: expires_at.map(|whole| whole.0),
        key: row.get(OF_PLAYER + 3)?,
        proof: row.get(OF_PLAYER + 4)?,
    })
}

fn device(row: &Row) -> rusqlite::Result<DeviceRow> {
    let Whole(at) = row.get(5)?;
    let keys = [row.get(0)?, row.get(1)?];
    Ok(DeviceRow { keys, sigs: [row.get(2)?, row.get(3)?], proof: row.get(4)?, at })
}

impl Reads {
    /// The token that has this SHA-256, and whose it is.
    pub fn token(&self, digest: &[u8; 32]) -> Result<Option<(TokenRow, PlayerRow)>, StoreError> {
        let from = "token JOIN player ON player.id = token.player WHERE digest = ?1";
        let query = format!("SELECT {TOKEN}, {PLAYER} FROM {from}");
        self.one(&query, digest, |row| Ok((token(row)?, player(row, 9)?)))
    }

    pub fn tokens(&self, player: PlayerKey) -> Result<Vec<TokenRow>, StoreError> {
        self.readers.read(|connection| {
            let query = format!("SELECT {TOKEN} FROM token WHERE player = ?1 ORDER BY id");
            let mut query = connection.prepare_cached(&query)?;
            let tokens = query.query_map([player], token)?;
            Ok(tokens.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn player(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        let query = format!("SELECT {PLAYER} FROM player WHERE uuid = ?1");
        self.one(&query, uuid.as_bytes(), |row| player(row, 0))
    }

    pub fn machines(&self) -> Result<Vec<PlayerRow>, StoreError> {
        self.readers.read(|connection| {
            let query = format!("SELECT {PLAYER} FROM player WHERE level IS NOT NULL ORDER BY level, id");
            let mut query = connection.prepare_cached(&query)?;
            let machines = query.query_map([], |row| player(row, 0))?;
            Ok(machines.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn bots(&self, after: Option<PlayerKey>, limit: u32) -> Result<Vec<BotRow>, StoreError> {
        self.readers.read(|connection| {
            let bots = "(level IS NOT NULL OR offer IS NOT NULL)";
            let query =
                format!("SELECT {PLAYER}, offer FROM player WHERE {bots} AND id > ?1 ORDER BY id LIMIT ?2");
            let mut query = connection.prepare_cached(&query)?;
            let rows = query.query_map(params![after.unwrap_or(PlayerKey(-1)), limit], bot)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn bot_called(&self, name: &str) -> Result<Option<BotRow>, StoreError> {
        let query = format!("SELECT {PLAYER}, offer FROM player WHERE name = ?1 AND offer IS NOT NULL");
        self.one(&query, &name, bot)
    }

    pub fn offer(&self, player: PlayerKey) -> Result<Option<String>, StoreError> {
        Ok(self.one("SELECT offer FROM player WHERE id = ?1", &player, |row| row.get(0))?.flatten())
    }

    pub fn games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT DISTINCT game.uuid, game.creator
                 FROM player JOIN seat ON seat.player = player.id JOIN game ON game.id = seat.game
                 WHERE level IS NOT NULL AND seat.status = 'running'",
            )?;
            let games = query.query_map([], |row| Ok((Uuid::from_bytes(row.get(0)?), row.get(1)?)))?;
            Ok(games.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The player whose recovery code has this SHA-256, and the nonce of its recovery if that has begun.
    pub fn player_by_code(&self, code: &[u8; 32]) -> Result<Option<Recovering>, StoreError> {
        let nonce = "CASE WHEN recovery = ?1 THEN recovery_nonce END";
        let of_code = "recovery = ?1 OR next_recovery = ?1";
        let query = format!("SELECT {PLAYER}, {nonce} FROM player WHERE {of_code}");
        self.one(&query, code, |row| Ok((player(row, 0)?, row.get(OF_PLAYER)?)))
    }

    pub fn link(&self, code: &[u8; 32]) -> Result<Option<LinkRow>, StoreError> {
        let from = "link JOIN player ON player.id = link.player WHERE digest = ?1";
        self.one(&format!("SELECT {PLAYER}, until, scopes, expires_at, key, proof FROM {from}"), code, link)
    }

    pub fn devices(&self, player: PlayerKey) -> Result<Vec<DeviceRow>, StoreError> {
        self.readers.read(|connection| {
            let query =
                "SELECT low, high, by_low, by_high, proof, at FROM device WHERE player = ?1 ORDER BY at";
            let mut query = connection.prepare_cached(query)?;
            let rows = query.query_map([player], device)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// What came of a player's games, by ruleset.
    pub fn tally(&self, player: PlayerKey) -> Result<Vec<Tally>, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT ruleset, played, won FROM tally WHERE player = ?1 ORDER BY ruleset";
            let mut query = connection.prepare_cached(query)?;
            let rows = query.query_map([player], |row| {
                let (Whole(played), Whole(won)) = (row.get(1)?, row.get(2)?);
                Ok(Tally { ruleset: row.get(0)?, played, won })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// The one row that a query finds by a value.
    fn one<T>(
        &self,
        query: &str,
        value: &dyn ToSql,
        read: impl FnOnce(&Row) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        self.readers.read(|connection| {
            Ok(connection.prepare_cached(query)?.query_row(params![value], read).optional()?)
        })
    }
}
