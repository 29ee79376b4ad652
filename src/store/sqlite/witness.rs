//! The memory of a witness: the last signed checkpoint of each log, in a small file.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use super::{columns::Whole, connection};
use crate::store::StoreError;

/// Marks a file of a witness: "plgw".
const APPLICATION: i32 = 0x706c_6777;

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS seen (
    -- The SHA-256 of the origin.
    log  BLOB    PRIMARY KEY CHECK (length(log) = 32),
    size INTEGER NOT NULL,
    root BLOB    NOT NULL CHECK (length(root) = 32),
    note TEXT    NOT NULL
) STRICT, WITHOUT ROWID";

/// A signed checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeenRow {
    pub size: u64,
    pub root: [u8; 32],
    /// With the signatures of the log and of the witness.
    pub note: String,
}

pub struct WitnessFile(Mutex<Connection>);

impl WitnessFile {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        connection::make(path)?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection::claim(&connection, APPLICATION)?;
        connection.pragma_update(None, "journal_mode", "wal")?;
        // A checkpoint is durable before it is signed.
        connection.pragma_update(None, "synchronous", "full")?;
        connection.execute_batch(SCHEMA)?;
        Ok(Self(Mutex::new(connection)))
    }

    pub fn seen(&self, log: &[u8; 32]) -> Result<Option<SeenRow>, StoreError> {
        seen(&self.0.lock().unwrap_or_else(PoisonError::into_inner), log)
    }

    /// Compares a checkpoint with the last signed one and stores it, in one transaction.
    pub fn advance<E>(
        &self,
        log: &[u8; 32],
        decide: impl FnOnce(Option<&SeenRow>) -> Result<SeenRow, E>,
    ) -> Result<Result<SeenRow, E>, StoreError> {
        let mut connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let last = seen(&transaction, log)?;
        let next = match decide(last.as_ref()) {
            Ok(next) => next,
            Err(refused) => return Ok(Err(refused)),
        };
        // The same checkpoint is signed again.
        if last.is_some_and(|last| (last.size, last.root) == (next.size, next.root)) {
            return Ok(Ok(next));
        }
        let statement = "INSERT OR REPLACE INTO seen (log, size, root, note) VALUES (?1, ?2, ?3, ?4)";
        transaction.execute(statement, params![log, Whole(next.size), next.root, next.note])?;
        transaction.commit()?;
        Ok(Ok(next))
    }
}

fn seen(connection: &Connection, log: &[u8; 32]) -> Result<Option<SeenRow>, StoreError> {
    let mut query = connection.prepare_cached("SELECT size, root, note FROM seen WHERE log = ?1")?;
    let row = query.query_row([log], |row| {
        let Whole(size) = row.get(0)?;
        Ok(SeenRow { size, root: row.get(1)?, note: row.get(2)? })
    });
    Ok(row.optional()?)
}
