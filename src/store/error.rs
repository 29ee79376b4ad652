//! What can go wrong, sorted by what can be done about it.

use std::{io::ErrorKind, path::PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else appended first: the caller's picture of the game is old.
    #[error("the game goes on at seq {actual}, not at {expected}")]
    Conflict { expected: u64, actual: u64 },
    /// A request under the same idempotency key was faster.
    #[error("the idempotency key was used before")]
    ClaimStands,
    /// A row that must be there once is there already, or one that must be there is not.
    #[error("the write contradicts what is stored: {0}")]
    Contradiction(String),
    /// What the write goes by was taken away meanwhile.
    #[error("what the write goes by is no longer there")]
    Gone,
    /// Nothing may be written where it could be lost again.
    #[error("{0}")]
    NotSafe(String),
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    #[error("--database is no address of a PostgreSQL database: {0}")]
    Address(String),
    #[error("a file has been carried only half into this database: run `playledger move` again")]
    Half,
    #[error("too many writes are waiting")]
    Busy,
    #[error("the disk or the size allowed for the database is full; nothing was written")]
    Full,
    #[error("another program has locked the database; nothing was written")]
    Locked,
    #[error(
        "the database or its folder cannot be written; check who owns it, or choose another with --database"
    )]
    ReadOnly,
    #[error(
        "another playledger serves this database ({0} is locked); stop it, or choose another with --database"
    )]
    InUse(PathBuf),
    #[error(
        "it has a second name (a hard link), under which another playledger would not know of this one; \
         remove that name first"
    )]
    SecondName,
    /// Whoever else wrote here, what this process would write contradicts it.
    #[error("another program wrote to the log of this database; stop both, and run `playledger check`")]
    TwoWriters,
    #[error("the database is damaged: {0}; run `playledger check`, and restore a backup")]
    Corrupt(String),
    #[error(
        "a newer playledger wrote this database (version {found}; this program knows {known}): install that one, \
         or choose another database with --database"
    )]
    Newer { found: u32, known: u32 },
    #[error("the file is not a database of playledger; choose another with --database")]
    Foreign,
    #[error("the database cannot be brought up to date: {0}")]
    Migration(String),
    #[error("its folder is not there; make it, or choose another file with --database")]
    NoFolder,
    #[error("it is a folder; name a file with --database")]
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
    /// A copy for each of many writes that failed together.
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
