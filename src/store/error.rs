//! What can go wrong, sorted by what can be done about it.

use std::{io::ErrorKind, path::PathBuf};

use rusqlite::ErrorCode;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else appended first, or the caller's picture of the game is old.
    #[error("the game goes on at seq {actual}, not at {expected}")]
    Conflict { expected: u64, actual: u64 },
    /// The idempotency key of the write was used before.
    #[error("the idempotency key was used before")]
    AnswerExists,
    /// A row that must be there once is there already, or one that must be there is not.
    #[error("the write contradicts what is stored: {0}")]
    Contradiction(String),
    #[error("too many writes are waiting")]
    Busy,
    #[error("the disk or the size allowed for the database is full; nothing was written")]
    Full,
    #[error("the database is locked by another program; nothing was written")]
    Locked,
    #[error("the database or its folder is read-only")]
    ReadOnly,
    #[error("{0} is in use by another playledger")]
    InUse(PathBuf),
    #[error("the database is damaged: {0}; run `playledger check`, and restore a backup")]
    Corrupt(String),
    #[error("the database was written by a newer playledger (its version is {found}, known here is {known})")]
    Newer { found: u32, known: u32 },
    #[error("the file is not a database of playledger")]
    Foreign,
    #[error("the database cannot be brought up to date: {0}")]
    Migration(String),
    #[error("the file cannot be used: {0}")]
    Io(std::io::Error),
    #[error("the store has stopped")]
    Stopped,
    #[error("SQLite: {0}")]
    Other(rusqlite::Error),
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            _ => Self::Io(error),
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let Some(code) = error.sqlite_error_code() else {
            return Self::Other(error);
        };
        match code {
            ErrorCode::DiskFull => Self::Full,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Locked,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Self::ReadOnly,
            ErrorCode::NotADatabase => Self::Foreign,
            ErrorCode::DatabaseCorrupt => Self::Corrupt(error.to_string()),
            ErrorCode::ConstraintViolation => Self::Contradiction(error.to_string()),
            _ => Self::Other(error),
        }
    }
}

impl StoreError {
    /// The same for each of many writes that failed together. Causes are told once, in the log.
    pub(super) fn again(&self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::Locked => Self::Locked,
            Self::ReadOnly => Self::ReadOnly,
            Self::Corrupt(what) => Self::Corrupt(what.clone()),
            other => Self::Contradiction(other.to_string()),
        }
    }
}
