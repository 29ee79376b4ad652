//! SQLite errors as errors of the store.

use rusqlite::ErrorCode;

use crate::store::StoreError;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let Some(code) = error.sqlite_error_code() else {
            return Self::Other(error.to_string());
        };
        match code {
            ErrorCode::DiskFull => Self::Full,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Locked,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Self::ReadOnly,
            ErrorCode::NotADatabase => Self::Foreign,
            ErrorCode::DatabaseCorrupt => Self::Corrupt(error.to_string()),
            ErrorCode::ConstraintViolation => Self::Contradiction(error.to_string()),
            _ => Self::Other(error.to_string()),
        }
    }
}
