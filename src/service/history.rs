//! Stored entries, read as what they say.

use crate::{
    engine::{Draw, hash::Bytes32, json},
    ledger::entry::{Body, Entry},
    store,
};

use super::ServiceError;

/// One entry of a stored log.
pub struct Stored {
    pub seq: u64,
    pub at: u64,
    pub head: Bytes32,
    pub body: Body,
    pub draws: Vec<Draw>,
}

pub fn read(entries: &[store::Entry]) -> Result<Vec<Stored>, ServiceError> {
    entries.iter().map(read_one).collect()
}

fn read_one(entry: &store::Entry) -> Result<Stored, ServiceError> {
    let damaged = |error: crate::engine::Malformed| {
        ServiceError::Internal(format!("a stored entry cannot be read: {error}"))
    };
    let body = json::parse(&entry.body).map_err(damaged)?;
    let secret = entry.secret.as_deref().map(json::parse).transpose().map_err(damaged)?;
    let Entry { seq, at, body, draws } = Entry::read(&body, secret.as_ref(), "log").map_err(damaged)?;
    Ok(Stored { seq, at, head: entry.head, body, draws })
}
