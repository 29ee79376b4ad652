//! Stored entries, read as what they say.

use crate::{
    engine::{Malformed, hash::Bytes32, json},
    ledger::entry::Entry,
    service::ServiceError,
    store,
};

/// One entry of a stored log, and the head of the chain after it.
pub struct StoredEntry {
    pub entry: Entry,
    pub head: Bytes32,
}

impl StoredEntry {
    pub fn read(stored: &store::Entry) -> Result<Self, ServiceError> {
        let damaged =
            |error: Malformed| ServiceError::Internal(format!("a stored entry cannot be read: {error}"));
        let body = json::parse(&stored.body).map_err(damaged)?;
        let secret = stored.secret.as_deref().map(json::parse).transpose().map_err(damaged)?;
        let entry = Entry::read(&body, secret.as_ref(), "log").map_err(damaged)?;
        Ok(Self { entry, head: stored.head })
    }
}
