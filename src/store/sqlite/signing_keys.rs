//! The keys that signed for a database, and others of the server's own.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::{Reads, columns::Whole};
use crate::store::{SigningKey, StoreError};

impl Reads {
    pub fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection
                .prepare_cached("SELECT key, since, statement FROM signing_key ORDER BY id DESC")?;
            let keys = query.query_map([], |row| {
                let Whole(since) = row.get(1)?;
                Ok(SigningKey { key: row.get(0)?, since, statement: row.get(2)? })
            })?;
            Ok(keys.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn pulse(&self) -> Result<Option<u64>, StoreError> {
        self.readers.read(|connection| {
            let at = connection.query_row("SELECT at FROM pulse", [], |row| row.get(0)).optional()?;
            Ok(at.map(|Whole(at)| at))
        })
    }

    pub fn own_key(&self, purpose: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT key FROM own_key WHERE purpose = ?1";
            Ok(connection.query_row(query, [purpose], |row| row.get(0)).optional()?)
        })
    }

    pub fn has_games(&self) -> Result<bool, StoreError> {
        self.readers.read(|connection| {
            Ok(connection.query_row("SELECT EXISTS (SELECT 1 FROM game)", [], |row| row.get(0))?)
        })
    }
}

/// Notes that a key signs from here on. One that did before signs again.
pub fn add(connection: &Connection, key: &str, at: u64) -> Result<(), StoreError> {
    connection.execute("DELETE FROM signing_key WHERE key = ?1 AND statement IS NULL", [key])?;
    connection
        .execute("INSERT INTO signing_key (key, since) VALUES (?1, ?2)", params![key, Whole(at)])
        .map(|_| ())
        .map_err(|_| StoreError::Contradiction("a key that a restore has ended signs nothing more".into()))
}
