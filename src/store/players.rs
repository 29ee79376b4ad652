//! Players, read back.

use rusqlite::{OptionalExtension as _, Row, ToSql, params};
use uuid::Uuid;

use super::{PlayerKey, Store, StoreError};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerRow {
    pub key: PlayerKey,
    pub uuid: Uuid,
    pub name: String,
    pub created_at: u64,
}

impl PlayerRow {
    fn from_row(row: &Row) -> rusqlite::Result<Self> {
        let created_at: i64 = row.get(3)?;
        Ok(Self {
            key: PlayerKey(row.get(0)?),
            uuid: Uuid::from_bytes(row.get(1)?),
            name: row.get(2)?,
            created_at: created_at.cast_unsigned(),
        })
    }
}

impl Store {
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
            Ok(connection
                .prepare_cached(&query)?
                .query_row(params![value], PlayerRow::from_row)
                .optional()?)
        })
    }
}
