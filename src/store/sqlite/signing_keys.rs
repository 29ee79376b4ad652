//! The keys that have signed, and other keys of the server.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::{Reads, Sqlite, columns::Whole};
use crate::store::{SigningKey, StoreError, sql, traits::KeyStore};

impl Reads {
    pub fn own_key(&self, purpose: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.readers.read(|connection| {
            let query = sql::OWN_KEY.sqlite;
            Ok(connection.query_row(query, [purpose], |row| row.get(0)).optional()?)
        })
    }
}

/// Records the present signing key, possibly a former one.
pub fn add(connection: &Connection, key: &str, at: u64) -> Result<(), StoreError> {
    connection.execute(sql::DELETE_SIGNING_KEY.sqlite, [key])?;
    connection
        .execute("INSERT INTO signing_key (key, since) VALUES (?1, ?2)", params![key, Whole(at)])
        .map(|_| ())
        .map_err(|_| StoreError::Contradiction("a key that a restore has ended signs nothing more".into()))
}

impl KeyStore for Sqlite {
    async fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        self.reads.readers.read(|connection| {
            let mut query = connection.prepare_cached(sql::SIGNING_KEYS.sqlite)?;
            let keys = query.query_map([], |row| {
                let Whole(since) = row.get(1)?;
                Ok(SigningKey { key: row.get(0)?, since, statement: row.get(2)? })
            })?;
            Ok(keys.collect::<rusqlite::Result<_>>()?)
        })
    }

    async fn pulse(&self) -> Result<Option<u64>, StoreError> {
        self.reads.readers.read(|connection| {
            let at = connection.query_row(sql::PULSE.sqlite, [], |row| row.get(0)).optional()?;
            Ok(at.map(|Whole(at)| at))
        })
    }

    async fn own_key(&self, purpose: &'static str) -> Result<Option<Vec<u8>>, StoreError> {
        self.reads.own_key(purpose)
    }
}
