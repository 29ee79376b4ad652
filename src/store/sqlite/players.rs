//! Players, read back.

use rusqlite::{OptionalExtension as _, Row, ToSql, params};
use uuid::Uuid;

use super::{Reads, columns::Whole};
use crate::store::{PlayerRow, StoreError};

fn player(row: &Row) -> rusqlite::Result<PlayerRow> {
    let Whole(created_at) = row.get(3)?;
    Ok(PlayerRow { key: row.get(0)?, uuid: Uuid::from_bytes(row.get(1)?), name: row.get(2)?, created_at })
}

impl Reads {
    /// The player whose token has this SHA-256.
    pub fn player_by_token(&self, token: &[u8; 32]) -> Result<Option<PlayerRow>, StoreError> {
        self.player_where("token = ?1", token)
    }

    pub fn player(&self, uuid: Uuid) -> Result<Option<PlayerRow>, StoreError> {
        self.player_where("uuid = ?1", uuid.as_bytes())
    }

    fn player_where(&self, condition: &str, value: &dyn ToSql) -> Result<Option<PlayerRow>, StoreError> {
        self.readers.read(|connection| {
            let query = format!("SELECT id, uuid, name, created_at FROM player WHERE {condition}");
            Ok(connection.prepare_cached(&query)?.query_row(params![value], player).optional()?)
        })
    }
}
