//! A transaction in progress.

use uuid::Uuid;

use super::{
    link::{Fail, Link, Value},
    number::Numbers,
};
use crate::store::StoreError;

const NOTE: &str = "INSERT INTO done (id, at) VALUES ($1, $2)";

/// A transaction in progress.
pub struct Transaction<'l> {
    pub link: &'l Link,
    pub numbers: &'l Numbers,
    pub at: i64,
}

/// If the primary stopped while waiting for its standbys, the transaction may exist on the primary only. A
/// second commit waits until the standbys have both.
pub async fn note_again(link: &Link, at: i64) -> Result<(), tokio_postgres::Error> {
    link.execute(NOTE, &[&crate::id::fresh(), &at]).await.map(|_| ())
}

impl Transaction<'_> {
    pub async fn note(&self, id: Uuid) -> Result<(), Fail> {
        self.run(NOTE, &[&id, &self.at]).await.map(|_| ())
    }

    pub async fn run(&self, statement: &str, values: &[Value<'_>]) -> Result<u64, Fail> {
        Ok(self.link.execute(statement, values).await?)
    }

    /// Changes one row, which must exist.
    pub async fn must(&self, statement: &str, values: &[Value<'_>], otherwise: &str) -> Result<(), Fail> {
        match self.run(statement, values).await? {
            0 => Err(StoreError::Contradiction(otherwise.to_owned()).into()),
            _ => Ok(()),
        }
    }

    /// Changes a row that another server may have deleted.
    pub async fn unless_gone(&self, statement: &str, values: &[Value<'_>]) -> Result<(), Fail> {
        match self.run(statement, values).await? {
            0 => Err(StoreError::Gone.into()),
            _ => Ok(()),
        }
    }
}
