//! Tickets for streams: an `EventSource` sends no headers, and a token must not be in an address.
//!
//! A ticket opens one stream. The event ids of that stream contain a proof, which the browser returns as
//! `Last-Event-ID`. With the proof, the ticket opens the stream again after a cut or a restart of the server.
//! The address alone contains no proof.

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use sha2::Sha256;

use super::{secret, sessions::TokenDigest};
use crate::service::{Accounts, DAY, ServiceError, reading::time};

const GOOD_FOR: u64 = 60 * 1_000;
const LENGTH: usize = 20;
/// How long a stream can be opened again.
const RESUMABLE: u64 = DAY;
/// Bytes of the code in a proof.
const MAC: usize = 16;

/// A ticket for one stream. It works once, within a minute, and then for reconnects of that stream.
#[derive(Serialize)]
#[wire]
pub struct TicketView {
    #[schema(pattern = "^[0-9A-Z-]{39}$")]
    pub ticket: String,
    #[schema(format = DateTime)]
    pub expires_at: String,
}

impl Accounts {
    /// Makes a ticket for this token.
    pub async fn give_ticket(&self, token: TokenDigest) -> Result<TicketView, ServiceError> {
        let ticket = self.new_code(LENGTH)?;
        let until = self.clock.now() + GOOD_FOR;
        let digest = secret::digest_of_code(&ticket, LENGTH)?;
        self.store.put_ticket(digest, token, until).await?;
        Ok(TicketView { ticket, expires_at: time(until) })
    }

    /// Returns the proof of an opened stream, for this ticket and token.
    pub fn stream_proof(&self, ticket: &str, token: &TokenDigest) -> String {
        self.proof_until(ticket, token, self.clock.now() + RESUMABLE)
    }

    fn proof_until(&self, ticket: &str, token: &TokenDigest, until: u64) -> String {
        let mac = self.mac(ticket, token, until).finalize().into_bytes();
        BASE64URL_NOPAD.encode(&[&token[..], &until.to_be_bytes(), &mac[..MAC]].concat())
    }

    fn mac(&self, ticket: &str, token: &TokenDigest, until: u64) -> Hmac<Sha256> {
        let mut key = [0; 64];
        key[..32].copy_from_slice(&self.signer.branch("streams"));
        let mac = Hmac::<Sha256>::new(&key.into());
        mac.chain_update(ticket).chain_update(token).chain_update(until.to_be_bytes())
    }

    /// Returns the token of a ticket whose stream is opened again.
    pub fn resume_ticket(&self, ticket: &str, proof: &str) -> Result<TokenDigest, ServiceError> {
        let bytes = BASE64URL_NOPAD.decode(proof.as_bytes()).map_err(|_| ServiceError::BadTicket)?;
        let (token, rest) = bytes.split_first_chunk().ok_or(ServiceError::BadTicket)?;
        let (until, mac) = rest.split_first_chunk().ok_or(ServiceError::BadTicket)?;
        let until = u64::from_be_bytes(*until);
        let is_genuine =
            mac.len() == MAC && self.mac(ticket, token, until).verify_truncated_left(mac).is_ok();
        if is_genuine && until > self.clock.now() { Ok(*token) } else { Err(ServiceError::BadTicket) }
    }

    /// Uses a ticket, and returns its token.
    pub async fn take_ticket(&self, ticket: &str) -> Result<TokenDigest, ServiceError> {
        let digest = secret::digest_of_code(ticket, LENGTH).map_err(|_| ServiceError::BadTicket)?;
        let taken = self.store.take_ticket(&digest).await?;
        let valid = taken.filter(|(_, until)| *until > self.clock.now());
        valid.map(|(token, _)| token).ok_or(ServiceError::BadTicket)
    }
}
