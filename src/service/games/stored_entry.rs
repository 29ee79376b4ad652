//! Stored entries, parsed.

use crate::{
    engine::{Format, Malformed, hash::Bytes32, json},
    ledger::entry::Entry,
    service::ServiceError,
    store,
};

/// A parsed entry of a stored log, and the head after it.
pub struct StoredEntry {
    pub entry: Entry,
    pub head: Bytes32,
}

impl StoredEntry {
    /// Parses an entry of a log in this format. The first entry names its format itself.
    pub fn read(stored: &store::Entry, format: Option<Format>) -> Result<Self, ServiceError> {
        let damaged =
            |error: Malformed| ServiceError::Internal(format!("a stored entry cannot be read: {error}"));
        let body = json::parse(&stored.body).map_err(damaged)?;
        let secret = stored.secret.as_deref().map(json::parse).transpose().map_err(damaged)?;
        let first = || body["format"].as_str().and_then(Format::named);
        let format = format.or_else(first).ok_or_else(|| {
            ServiceError::Internal("a stored log is of no format that is known here".into())
        })?;
        let entry = Entry::read(format, &body, secret.as_ref(), "log").map_err(damaged)?;
        Ok(Self { entry, head: stored.head })
    }
}
