//! The log of a game, read completely from a server.

use std::error::Error;

use playledger::{
    engine::{Format, hash::Bytes32},
    ledger::{
        chain::Chain,
        encoding::{canonical, unhex},
    },
};
use serde_json::Value;

use super::remote_log::{RemoteLog, Unread};

/// A failed check.
pub enum Found {
    /// An accusation of the server.
    Charge(String),
    Unread(Box<dyn Error>),
}

impl<E: Into<Box<dyn Error>>> From<E> for Found {
    fn from(error: E) -> Self {
        Self::Unread(error.into())
    }
}

/// Entries of a page, and of the longest log.
const PAGE: usize = 100;
const MOST_ENTRIES: usize = 1_000_000;

/// The log as far as it was read.
#[derive(Default)]
pub struct ShownLog {
    chain: Option<Chain>,
    pub heads: Vec<Bytes32>,
    /// The newest landmark.
    pub landmark: u64,
    /// Free seats, until the table is full.
    free: Option<u64>,
}

impl ShownLog {
    pub fn read_on(&mut self, log: &RemoteLog, game: &str, what: &str) -> Result<(), Found> {
        loop {
            let after =
                self.heads.len().checked_sub(1).map(|last| format!("&after={last}")).unwrap_or_default();
            let path = format!("/v1/games/{game}/log?limit={PAGE}{after}");
            let page = log.json(&path).map_err(|why| missing(what, why))?;
            let items = page["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            for item in items {
                self.take(item, game, what)?;
            }
            if items.len() < PAGE {
                return Ok(());
            }
        }
    }

    fn take(&mut self, item: &Value, game: &str, what: &str) -> Result<(), Found> {
        let (body, seq) = (&item["body"], self.heads.len());
        let format = body["format"].as_str().and_then(Format::named).unwrap_or_default();
        let (bytes, x) = link(item)?;
        let head = self.chain.get_or_insert_with(|| Chain::new(format)).follow(&bytes, &x);
        let is_broken = item["head"].as_str().and_then(unhex) != Some(head);
        if is_broken || body["seq"] != seq || (seq == 0 && body["game"] != game) {
            return Err(Found::Charge(format!("BROKEN: entry {seq} of {what} is not one of it")));
        }
        if self.is_landmark(body) {
            self.landmark = seq as u64;
        }
        self.heads.push(head);
        if seq > MOST_ENTRIES { Err(format!("{what} has too many entries").into()) } else { Ok(()) }
    }

    /// Returns whether an entry is a landmark: the genesis, the join that fills the table, the start, and the
    /// end.
    fn is_landmark(&mut self, body: &Value) -> bool {
        match body["type"].as_str() {
            Some("genesis") => self.free = body["seats"].as_u64(),
            Some("join") => self.free = self.free.map(|free| free.saturating_sub(1)),
            Some("leave") => self.free = self.free.map(|free| free.saturating_add(1)),
            Some("start" | "end") => {}
            _ => return false,
        }
        match body["type"].as_str() {
            Some("join") => self.free == Some(0),
            kind => kind != Some("leave"),
        }
    }
}

pub fn missing(what: &str, why: Unread) -> Found {
    match why {
        Unread::Missing { code, .. } => Found::Charge(format!("MISSING: {what} is not shown ({code})")),
        other @ Unread::Other(_) => other.into(),
    }
}

/// Returns the hashed bytes of an entry, and the hash of its secret.
pub fn link(shown: &Value) -> Result<(Vec<u8>, Bytes32), Box<dyn Error>> {
    let x = shown["x"].as_str().and_then(unhex).ok_or("an entry has no `x`")?;
    Ok((canonical(&shown["body"]).map_err(|error| error.to_string())?, x))
}
