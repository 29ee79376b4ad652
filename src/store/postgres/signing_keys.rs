//! The keys that have signed, and other keys of the server.

use tokio_postgres::Row;

use super::{
    Postgres,
    columns::{get, opt},
};
use crate::store::{SigningKey, StoreError, sql, traits::KeyStore};

impl KeyStore for Postgres {
    async fn signing_keys(&self) -> Result<Vec<SigningKey>, StoreError> {
        let query = sql::SIGNING_KEYS.postgres;
        let key =
            |row: &Row| Ok(SigningKey { key: get(row, 0)?, since: get(row, 1)?, statement: opt(row, 2)? });
        self.all(query, &[], key).await
    }

    async fn pulse(&self) -> Result<Option<u64>, StoreError> {
        self.one(sql::PULSE.postgres, &[], |row| get(row, 0)).await
    }

    async fn own_key(&self, purpose: &'static str) -> Result<Option<Vec<u8>>, StoreError> {
        self.one(sql::OWN_KEY.postgres, &[&purpose], |row| get(row, 0)).await
    }
}
