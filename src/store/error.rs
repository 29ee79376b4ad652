//! Errors of a store, by what a caller can do about them.

use std::{io::ErrorKind, path::PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another write was faster: the caller's copy of the game is out of date.
    #[error("the game is at seq {actual}, not {expected}")]
    Conflict { expected: u64, actual: u64 },
    /// A request under the same idempotency key was faster.
    #[error("the idempotency key was used before")]
    ClaimStands,
    /// A new row exists already, or a required one does not exist.
    #[error("the write contradicts what is stored: {0}")]
    Contradiction(String),
    /// The precondition of the write has ended.
    #[error("a row that the write depends on is gone")]
    Gone,
    /// A write now could be lost.
    #[error("{0}")]
    NotSafe(String),
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    #[error("--database is not a valid address of a PostgreSQL database: {0}")]
    Address(String),
    #[error("a file was moved only partly into this database: run `playledger move` again")]
    Half,
    #[error("too many writes are waiting")]
    Busy,
    #[error("the disk or the size allowed for the database is full; nothing was written")]
    Full,
    #[error("another program locked the database; nothing was written")]
    Locked,
    #[error(
        "the database or its folder is not writable: check the owner, or choose another file with --database"
    )]
    ReadOnly,
    #[error(
        "another playledger serves this database ({0} is locked): stop it, or choose another file with --database"
    )]
    InUse(PathBuf),
    #[error(
        "the file has a second name (a hard link), which would hide one playledger from another: remove that name first"
    )]
    SecondName,
    /// Another process has written to this file.
    #[error("another program wrote to the log of this database; stop both, and run `playledger check`")]
    TwoWriters,
    #[error("the database is damaged: {0}; run `playledger check`, and restore a backup")]
    Corrupt(String),
    #[error(
        "this database was written by a newer playledger (version {found}; this program supports {known}): install that one, or choose another database with --database"
    )]
    Newer { found: u32, known: u32 },
    #[error(
        "this database was written by playledger 0.1 or 0.2, whose games 0.3 cannot continue: choose a new database with --database"
    )]
    Older,
    #[error("the file is not a playledger database: choose another with --database")]
    Foreign,
    #[error("the database cannot be upgraded: {0}")]
    Migration(String),
    #[error("its folder does not exist: create it, or choose another file with --database")]
    NoFolder,
    #[error("it is a folder: name a file with --database")]
    IsFolder,
    #[error("the file cannot be used: {0}")]
    Io(std::io::Error),
    #[error("the store has stopped")]
    Stopped,
    #[error("the database failed: {0}")]
    Other(String),
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            ErrorKind::NotFound => Self::NoFolder,
            ErrorKind::IsADirectory => Self::IsFolder,
            _ => Self::Io(error),
        }
    }
}

impl StoreError {
    /// Returns a copy, for each of several writes that failed together.
    pub(super) fn again(&self) -> Self {
        match self {
            Self::Full => Self::Full,
            Self::Busy => Self::Busy,
            Self::Stopped => Self::Stopped,
            Self::Locked => Self::Locked,
            Self::NotSafe(why) => Self::NotSafe(why.clone()),
            Self::Unreachable(why) => Self::Unreachable(why.clone()),
            Self::ReadOnly => Self::ReadOnly,
            Self::TwoWriters => Self::TwoWriters,
            Self::Corrupt(what) => Self::Corrupt(what.clone()),
            other => Self::Contradiction(other.to_string()),
        }
    }
}
