//! Tickets for streams: who opens one from a page can send no header, and no token belongs into an address.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, PoisonError},
};

use lru::LruCache;
use serde::Serialize;
use utoipa::ToSchema;

use super::{secret, sessions::TokenDigest};
use crate::service::{Service, ServiceError, read::time};

const GOOD_FOR: u64 = 60 * 1_000;
/// How many there are at once. They are gone in a minute anyway.
const MOST: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
const LENGTH: usize = 20;

/// A ticket for one stream, good for one use within a minute.
#[derive(Serialize, ToSchema)]
pub struct TicketView {
    #[schema(pattern = "^[0-9A-Z-]{39}$")]
    pub ticket: String,
    #[schema(format = DateTime)]
    pub expires_at: String,
}

/// Those that were given and not used yet, by their SHA-256: whose they are, and until when they are good.
pub struct Tickets(Mutex<LruCache<[u8; 32], (TokenDigest, u64)>>);

impl Default for Tickets {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(MOST)))
    }
}

impl Service {
    /// Gives a ticket that stands for this token.
    pub fn give_ticket(&self, token: TokenDigest) -> Result<TicketView, ServiceError> {
        let ticket = self.new_code(LENGTH)?;
        let until = self.clock.now() + GOOD_FOR;
        let digest = secret::digest_of_code(&ticket, LENGTH)?;
        self.tickets.0.lock().unwrap_or_else(PoisonError::into_inner).put(digest, (token, until));
        Ok(TicketView { ticket, expires_at: time(until) })
    }

    /// Takes a ticket, and says for which token it stands.
    pub fn take_ticket(&self, ticket: &str) -> Result<TokenDigest, ServiceError> {
        let digest = secret::digest_of_code(ticket, LENGTH).map_err(|_| ServiceError::BadToken)?;
        let taken = self.tickets.0.lock().unwrap_or_else(PoisonError::into_inner).pop(&digest);
        let valid = taken.filter(|(_, until)| *until > self.clock.now());
        valid.map(|(token, _)| token).ok_or(ServiceError::BadToken)
    }
}
