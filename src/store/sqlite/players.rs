//! Players, tokens and codes, as they are read.

use std::sync::PoisonError;

use std::sync::atomic::Ordering;

use rusqlite::{OptionalExtension as _, Row, ToSql, params};
use uuid::Uuid;

use super::{
    Reads, Sqlite,
    columns::{Whole, nature},
};
use crate::store::{
    AppRow, BotRow, DeviceCodeRow, DeviceRow, PlayerKey, PlayerRow, Recovering, RefreshedApp, RulesetRecord,
    StoreError, TokenOfPlayer, TokenRow, sql, traits::AccountStore,
};

pub const PLAYER: &str =
    "player.id, player.uuid, player.name, player.created_at, player.level, player.offer IS NOT NULL";
/// Number of these columns.
pub const OF_PLAYER: usize = 6;
const TOKEN: &str = "token.id, token.uuid, token.name, scopes, game, token.created_at, expires_at, used_at, is_pending, token.app";

/// Reads a player from the columns from `first` on.
pub fn player(row: &Row, first: usize) -> rusqlite::Result<PlayerRow> {
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
        app: row.get::<_, Option<[u8; 16]>>(9)?.map(Uuid::from_bytes),
    })
}

fn link(row: &Row) -> rusqlite::Result<DeviceCodeRow> {
    let (Whole(until), expires_at) = (row.get(OF_PLAYER)?, row.get::<_, Option<Whole>>(OF_PLAYER + 3)?);
    Ok(DeviceCodeRow {
        player: player(row, 0)?,
        until,
        scopes: row.get(OF_PLAYER + 1)?,
        name: row.get(OF_PLAYER + 2)?,
        expires_at: expires_at.map(|whole| whole.0),
        key: row.get(OF_PLAYER + 4)?,
        proof: row.get(OF_PLAYER + 5)?,
    })
}

fn device(row: &Row) -> rusqlite::Result<DeviceRow> {
    let Whole(at) = row.get(5)?;
    let keys = [row.get(0)?, row.get(1)?];
    Ok(DeviceRow { keys, sigs: [row.get(2)?, row.get(3)?], proof: row.get(4)?, at })
}

impl Reads {
    pub fn player(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        let query = format!("SELECT {PLAYER} FROM player WHERE uuid = ?1");
        self.one(&query, uuid.as_bytes(), |row| player(row, 0))
    }

    pub fn offer(&self, player: PlayerKey) -> Result<Option<String>, StoreError> {
        Ok(self.one(sql::OFFER_OF_PLAYER.sqlite, &player, |row| row.get(0))?.flatten())
    }

    pub fn games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(sql::GAMES_OF_BOTS.sqlite)?;
            let games = query.query_map([], |row| Ok((Uuid::from_bytes(row.get(0)?), row.get(1)?)))?;
            Ok(games.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the row of a query with one parameter.
    pub(super) fn one<T>(
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

impl AccountStore for Sqlite {
    fn new_player_key(&self) -> PlayerKey {
        PlayerKey(self.next_player.fetch_add(1, Ordering::Relaxed))
    }

    async fn token(&self, digest: &[u8; 32]) -> Result<Option<TokenOfPlayer>, StoreError> {
        let from = "token JOIN player ON player.id = token.player WHERE digest = ?1";
        let query = format!("SELECT {TOKEN}, {PLAYER}, banned_until FROM {from}");
        self.reads.one(&query, digest, |row| {
            let banned_until = row.get::<_, Option<Whole>>(10 + OF_PLAYER)?.map(|until| until.0);
            Ok(TokenOfPlayer { token: token(row)?, player: player(row, 10)?, banned_until })
        })
    }

    async fn tokens(&self, player: PlayerKey) -> Result<Vec<TokenRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = format!("SELECT {TOKEN} FROM token WHERE player = ?1 AND app IS NULL ORDER BY id");
            let mut query = connection.prepare_cached(&query)?;
            let tokens = query.query_map([player], token)?;
            Ok(tokens.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn put_ticket(&self, digest: [u8; 32], token: [u8; 32], until: u64) -> Result<(), StoreError> {
        self.tickets.lock().unwrap_or_else(PoisonError::into_inner).put(digest, (token, until), |_| false);
        Ok(())
    }

    async fn take_ticket(&self, digest: &[u8; 32]) -> Result<Option<([u8; 32], u64)>, StoreError> {
        Ok(self.tickets.lock().unwrap_or_else(PoisonError::into_inner).remove(digest))
    }

    async fn player_by_code(&self, code: &[u8; 32]) -> Result<Option<Recovering>, StoreError> {
        let nonce = "CASE WHEN recovery = ?1 THEN recovery_nonce END";
        let of_code = "recovery = ?1 OR next_recovery = ?1";
        let query = format!("SELECT {PLAYER}, {nonce} FROM player WHERE {of_code}");
        self.reads.one(&query, code, |row| Ok((player(row, 0)?, row.get(OF_PLAYER)?)))
    }

    async fn link(&self, code: &[u8; 32]) -> Result<Option<DeviceCodeRow>, StoreError> {
        let from = "link JOIN player ON player.id = link.player WHERE digest = ?1";
        self.reads.one(
            &format!("SELECT {PLAYER}, until, scopes, link.name, expires_at, key, proof FROM {from}"),
            code,
            link,
        )
    }

    async fn app_by_code(&self, code: &[u8; 32]) -> Result<Option<(AppRow, PlayerRow)>, StoreError> {
        self.reads.app_by_code(code)
    }

    async fn app_by_refresh(&self, refresh: &[u8; 32]) -> Result<Option<RefreshedApp>, StoreError> {
        self.reads.app_by_refresh(refresh)
    }

    async fn apps(&self, player: PlayerKey) -> Result<Vec<AppRow>, StoreError> {
        self.reads.apps(player)
    }

    async fn devices(&self, player: PlayerKey) -> Result<Vec<DeviceRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = sql::DEVICES_OF_PLAYER.sqlite;
            let mut query = connection.prepare_cached(query)?;
            let rows = query.query_map([player], device)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn tally(&self, player: PlayerKey) -> Result<Vec<RulesetRecord>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = sql::TALLY_OF_PLAYER.sqlite;
            let mut query = connection.prepare_cached(query)?;
            let rows = query.query_map([player], |row| {
                let (Whole(played), Whole(won)) = (row.get(1)?, row.get(2)?);
                Ok(RulesetRecord { ruleset: row.get(0)?, played, won })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn player(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        self.reads.player(uuid)
    }

    async fn machines(&self) -> Result<Vec<PlayerRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = format!("SELECT {PLAYER} FROM player WHERE level IS NOT NULL ORDER BY level, id");
            let mut query = connection.prepare_cached(&query)?;
            let machines = query.query_map([], |row| player(row, 0))?;
            Ok(machines.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn bots(&self, after: Option<PlayerKey>, limit: u32) -> Result<Vec<BotRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let bots = "(level IS NOT NULL OR offer IS NOT NULL)";
            let query =
                format!("SELECT {PLAYER}, offer FROM player WHERE {bots} AND id > ?1 ORDER BY id LIMIT ?2");
            let mut query = connection.prepare_cached(&query)?;
            let rows = query.query_map(params![after.unwrap_or(PlayerKey(-1)), limit], bot)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn bot_called(&self, name: &str) -> Result<Option<BotRow>, StoreError> {
        let query = format!("SELECT {PLAYER}, offer FROM player WHERE name = ?1 AND offer IS NOT NULL");
        self.reads.one(&query, &name, bot)
    }

    async fn offer(&self, player: PlayerKey) -> Result<Option<String>, StoreError> {
        self.reads.offer(player)
    }
}
