//! Errors of other modules, as errors of the service.

use super::ServiceError;
use crate::{engine::Malformed, ledger::replay::Fault, store::StoreError};

impl From<Malformed> for ServiceError {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => Self::Busy,
            // The game in memory was out of date and was dropped, or a first request under the same key was
            // in progress.
            StoreError::Conflict { .. } | StoreError::ClaimStands | StoreError::Gone => Self::Overtaken,
            StoreError::Full
            | StoreError::Locked
            | StoreError::ReadOnly
            | StoreError::TwoWriters
            | StoreError::NotSafe(_)
            | StoreError::Unreachable(_)
            | StoreError::Stopped => Self::StorageUnavailable(error.to_string()),
            other => Self::Internal(other.to_string()),
        }
    }
}

impl From<Fault> for ServiceError {
    fn from(fault: Fault) -> Self {
        match fault {
            // The deadline passed between the check and the entry: the next attempt sees it.
            Fault::OffTime(_) => Self::Overtaken,
            other => Self::Internal(format!("a log cannot be played: {other}")),
        }
    }
}

impl From<getrandom::Error> for ServiceError {
    fn from(error: getrandom::Error) -> Self {
        Self::Internal(format!("no randomness: {error}"))
    }
}
