//! PostgreSQL errors as errors of the store.

use tokio_postgres::{Error, error::SqlState};

use crate::store::StoreError;

/// The remedy for an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cure {
    /// Use another connection: the server is gone, or no longer accepts writes.
    Reconnect,
    /// Retry: another transaction was in the way.
    Again,
    None,
}

pub fn cure(error: &Error) -> Cure {
    let Some(code) = error.code() else {
        let is_io =
            std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
        return if is_io || error.is_closed() { Cure::Reconnect } else { Cure::None };
    };
    match *code {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => Cure::Again,
        SqlState::READ_ONLY_SQL_TRANSACTION => Cure::Reconnect,
        // Shutdowns, crashes, starts, and connection failures.
        ref code if code.code().starts_with("57P") || code.code().starts_with("08") => Cure::Reconnect,
        _ => Cure::None,
    }
}

/// Returns the constraint that a duplicate row violates.
pub fn doubled(error: &Error) -> Option<&str> {
    let error = error.as_db_error()?;
    (*error.code() == SqlState::UNIQUE_VIOLATION).then(|| error.constraint().unwrap_or_default())
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match (cure(&error), error.as_db_error()) {
            (Cure::Reconnect, _) => Self::Unreachable(told(&error)),
            (Cure::Again, _) => Self::Busy,
            (Cure::None, Some(known)) if known.code().code().starts_with("53") => match *known.code() {
                SqlState::DISK_FULL => Self::Full,
                _ => Self::Unreachable(told(&error)),
            },
            // Another server was faster.
            (Cure::None, Some(known)) if *known.code() == SqlState::UNIQUE_VIOLATION => Self::Gone,
            (Cure::None, _) => Self::Other(told(&error)),
        }
    }
}

/// Returns the message of an error, without values.
pub fn told(error: &Error) -> String {
    if let Some(known) = error.as_db_error() {
        if *known.code() == SqlState::INVALID_SQL_STATEMENT_NAME {
            return "the connection pooler in front of the database must use session mode".to_owned();
        }
        return format!("{} ({})", known.message(), known.code().code());
    }
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
}
