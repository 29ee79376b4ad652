//! The secret half of a player's key, for clients of the command line.

use std::fmt;

use super::{
    device::{self, Device},
    encoding::{hex, unhex},
    message::{Message, Seating, Spot},
    seat_key::SeatKey,
    signed::{Claim, Signed},
    terms::Terms,
};
use crate::{
    engine::{Malformed, hash::Bytes32},
    tree::secret_key::SecretKey,
};

/// The secret signing key of a player. Never printed.
pub struct PlayerSecret(SecretKey);

/// First line of the key file.
const TITLE: &str = "PLAYLEDGER PLAYER KEY";

impl PlayerSecret {
    pub fn new(secret: &Bytes32) -> Self {
        Self(SecretKey::new(secret))
    }

    pub fn public(&self) -> SeatKey {
        SeatKey::new(self.0.public().to_bytes())
    }

    pub fn sign(&self, message: &Message, spot: Spot) -> Signed {
        let sig = self.0.sign(&message.at(spot));
        Signed { key: self.public(), seen: spot.seen, sig, devices: Vec::new() }
    }

    /// Signs a claim for a seat.
    pub fn claim(
        &self,
        seating: Seating,
        place: (&str, u64),
        nonce: Bytes32,
        terms: &Terms,
    ) -> Result<Claim, Malformed> {
        let sig = self.0.sign(&seating.message(place, &nonce, terms)?);
        Ok(Claim { key: self.public(), nonce, sig })
    }

    /// Makes a statement that the other key belongs to the same player.
    pub fn link(&self, other: &Self, player: &str) -> Device {
        let (low, high) = if self.public() < other.public() { (self, other) } else { (other, self) };
        let keys = [low.public(), high.public()];
        let message = device::message(player, &keys);
        Device { keys, sigs: [low.0.sign(&message), high.0.sign(&message)] }
    }

    /// Returns the text of the key file.
    pub fn to_text(&self) -> String {
        format!("{TITLE}\n{}\n", hex(self.0.as_bytes()))
    }

    pub fn from_text(text: &str) -> Option<Self> {
        let line = text.trim_end().strip_prefix(TITLE)?.strip_prefix('\n')?;
        unhex(line).map(|secret| Self::new(&secret))
    }
}

impl fmt::Debug for PlayerSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerSecret({:?}, secret)", self.public())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_kept_as_a_text_and_printed_without_its_secret() {
        let secret = PlayerSecret::new(&[1; 32]);
        let again = PlayerSecret::from_text(&secret.to_text()).unwrap();
        assert_eq!(again.public(), secret.public());
        assert!(!format!("{secret:?}").contains(&"01".repeat(32)));
        assert!(PlayerSecret::from_text("something else\n").is_none());
        let (message, head) = (Message::takeback(5), [0xab; 32]);
        let spot = Spot { game: "g", seat: 0, seen: 6, head: &head };
        let Signed { key, sig, .. } = secret.sign(&message, spot);
        assert!(key.has_signed(&message.at(spot), &sig));
    }
}
