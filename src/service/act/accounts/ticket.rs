//! Tickets for streams: who opens one from a page can send no header, and no token belongs into an address.

use serde::Serialize;

use super::{secret, sessions::TokenDigest};
use crate::{
    service::{Service, ServiceError, read::time},
    store::Keeper as _,
};

const GOOD_FOR: u64 = 60 * 1_000;
const LENGTH: usize = 20;

/// A ticket for one stream, good for one use within a minute.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TicketView {
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9A-Z-]{39}$"))]
    pub ticket: String,
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub expires_at: String,
}

impl Service {
    /// Gives a ticket that stands for this token.
    pub async fn give_ticket(&self, token: TokenDigest) -> Result<TicketView, ServiceError> {
        let ticket = self.new_code(LENGTH)?;
        let until = self.clock.now() + GOOD_FOR;
        let digest = secret::digest_of_code(&ticket, LENGTH)?;
        self.store.put_ticket(digest, token, until).await?;
        Ok(TicketView { ticket, expires_at: time(until) })
    }

    /// Takes a ticket, and says for which token it stands.
    pub async fn take_ticket(&self, ticket: &str) -> Result<TokenDigest, ServiceError> {
        let digest = secret::digest_of_code(ticket, LENGTH).map_err(|_| ServiceError::BadTicket)?;
        let taken = self.store.take_ticket(&digest).await?;
        let valid = taken.filter(|(_, until)| *until > self.clock.now());
        valid.map(|(token, _)| token).ok_or(ServiceError::BadTicket)
    }
}
