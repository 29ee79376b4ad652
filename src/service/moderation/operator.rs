//! Operators and their tokens.
//!
//! The owner of the server's signing key is an operator: a token made from the key is valid for minutes and
//! stored nowhere. Other operators get a token of their own, of which the store has the SHA-256.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use uuid::Uuid;

use super::Moderation;
use crate::{
    service::{ServiceError, accounts::secret},
    tree::signer::Signer,
};

pub const PREFIX: &str = "plo_";
/// Name of the operator who has the key.
pub const OWNER: &str = "server";
/// Milliseconds for which a token made from the key is valid.
const VALID: u64 = 5 * 60 * 1_000;
/// Bytes of its expiry.
const EXPIRY: usize = 8;

/// An operator: its token.
#[derive(Clone)]
pub struct Operator {
    /// Id of the token; that of the key is nil.
    pub id: Uuid,
    pub name: String,
}

/// Returns the code of an expiry that only the owner of the key can make.
fn code_of(signer: &Signer, expires_at: u64) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&signer.branch("operator")).ok()?;
    mac.update(&expires_at.to_be_bytes());
    Some(mac)
}

/// Makes a token from the signing key, valid for five minutes.
pub fn key_token(signer: &Signer, now: u64) -> Option<String> {
    let expires_at = now.saturating_add(VALID);
    let mut bytes = [0; 32];
    bytes[..EXPIRY].copy_from_slice(&expires_at.to_be_bytes());
    bytes[EXPIRY..].copy_from_slice(&code_of(signer, expires_at)?.finalize().into_bytes()[..32 - EXPIRY]);
    Some(secret::token(PREFIX, &bytes))
}

/// Returns whether a token was made from the signing key and is still valid.
fn is_of_key(signer: &Signer, token: &str, now: u64) -> bool {
    let Some(bytes) = secret::bytes_of_token(PREFIX, token) else { return false };
    let Some((expires_at, code)) = bytes.split_first_chunk::<EXPIRY>() else { return false };
    let expires_at = u64::from_be_bytes(*expires_at);
    let is_timely = now < expires_at && expires_at <= now.saturating_add(2 * VALID);
    is_timely && code_of(signer, expires_at).is_some_and(|mac| mac.verify_truncated_left(code).is_ok())
}

impl Moderation {
    /// Returns the operator of a token.
    pub async fn operator(&self, token: &str) -> Result<Operator, ServiceError> {
        let now = self.clock.now();
        if !token.starts_with(PREFIX) {
            return Err(ServiceError::NotOperator);
        }
        if is_of_key(&self.signer, token, now) {
            return Ok(Operator { id: Uuid::nil(), name: OWNER.to_owned() });
        }
        let found = self.store.operator_token(secret::digest_of_token(token)).await?;
        let found = found.filter(|token| token.expires_at > now).ok_or(ServiceError::BadToken)?;
        Ok(Operator { id: found.id, name: found.name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_of_the_key_is_valid_for_minutes_and_for_no_other_key() {
        let (signer, other) = (Signer::new("a", &[1; 32]).unwrap(), Signer::new("a", &[2; 32]).unwrap());
        let token = key_token(&signer, 1_000).unwrap();
        assert!(is_of_key(&signer, &token, 1_000));
        assert!(is_of_key(&signer, &token, 1_000 + VALID - 1));
        assert!(!is_of_key(&signer, &token, 1_000 + VALID), "it has expired");
        assert!(!is_of_key(&other, &token, 1_000));
        let mut forged = [0; 32];
        forged[..EXPIRY].copy_from_slice(&(1_000 + VALID).to_be_bytes());
        assert!(!is_of_key(&signer, &secret::token(PREFIX, &forged), 1_000));
        let late = key_token(&signer, 100 * VALID).unwrap();
        assert!(!is_of_key(&signer, &late, 1_000), "no token is valid for long, even with a wrong clock");
        for nonsense in ["", "plo_", "plo_x", &token[..20], &token.replacen("plo_", "plg_", 1)] {
            assert!(!is_of_key(&signer, nonsense, 1_000), "{nonsense}");
        }
    }
}
