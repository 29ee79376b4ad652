//! Public signing keys of seats.

use std::{
    cmp::Ordering,
    fmt,
    sync::{Arc, OnceLock},
};

use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use serde_json::Value;

use super::{
    encoding::{hex, unhex},
    small_order,
};
use crate::engine::hash::Bytes32;

/// A public Ed25519 key of a seat.
#[derive(Clone)]
pub struct SeatKey {
    bytes: Bytes32,
    /// Decoded at first use, which takes an eighth of the time of a check.
    point: OnceLock<Option<Arc<VerifyingKey>>>,
}

impl SeatKey {
    pub const fn new(bytes: Bytes32) -> Self {
        Self { bytes, point: OnceLock::new() }
    }

    pub fn from_hex(text: &str) -> Option<Self> {
        unhex(text).map(Self::new)
    }

    pub const fn as_bytes(&self) -> &Bytes32 {
        &self.bytes
    }

    pub fn hex(&self) -> String {
        hex(&self.bytes)
    }

    pub fn write(keys: &[Self]) -> Value {
        keys.iter().map(Self::hex).collect::<Vec<_>>().into()
    }

    /// Returns whether the bytes are the canonical encoding of a point of large order.
    pub fn is_sound(&self) -> bool {
        self.point().is_some()
    }

    /// Checks a signature by the strict rules of the format.
    pub fn has_signed(&self, message: &[u8], sig: &[u8; 64]) -> bool {
        // `verify` compares encodings, so R is canonical, but R may have small order.
        let is_weak = small_order::begins(sig);
        let fits = |key: &VerifyingKey| key.verify(message, &Signature::from_bytes(sig)).is_ok();
        !is_weak && self.point().is_some_and(fits)
    }

    fn point(&self) -> Option<&VerifyingKey> {
        let sound = || {
            let key = VerifyingKey::from_bytes(&self.bytes).ok()?;
            let is_canonical = key.to_edwards().compress().to_bytes() == self.bytes;
            (is_canonical && !key.is_weak()).then(|| Arc::new(key))
        };
        self.point.get_or_init(sound).as_deref()
    }
}

impl PartialEq for SeatKey {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for SeatKey {}

impl PartialOrd for SeatKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SeatKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

impl fmt::Debug for SeatKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex())
    }
}

impl std::str::FromStr for SeatKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let key = Self::from_hex(text).ok_or("must be 64 lowercase hex digits")?;
        key.is_sound().then_some(key).ok_or("is no valid Ed25519 public key")
    }
}

#[cfg(test)]
mod tests {
    use curve25519_dalek::Scalar;
    use ed25519_dalek::{Signer as _, SigningKey};
    use sha2::{Digest as _, Sha512};

    use super::*;

    /// Cases on which checks of different strictness disagree: points of small order, and S beyond the group
    /// order.
    #[test]
    fn what_the_strict_check_takes_is_taken_and_nothing_else() {
        let secret = SigningKey::from_bytes(&[3; 32]);
        let (key, text) = (secret.verifying_key().to_bytes(), b"a move");
        let good = secret.sign(text).to_bytes();
        let is_signed = |key: &Bytes32, text: &[u8], sig: &[u8; 64]| {
            let strictly =
                VerifyingKey::from_bytes(key).unwrap().verify_strict(text, &Signature::from_bytes(sig));
            let is_signed = SeatKey::new(*key).has_signed(text, sig);
            assert_eq!(is_signed, strictly.is_ok());
            is_signed
        };
        assert!(is_signed(&key, text, &good));
        assert!(!is_signed(&key, b"another", &good));
        for place in 0..512 {
            let mut other = good;
            other[place / 8] ^= 1 << (place % 8);
            assert!(!is_signed(&key, text, &other), "bit {place}");
        }
        let neutral: Bytes32 = std::array::from_fn(|place| u8::from(place == 0));
        let mut of_small_order = [0; 64];
        of_small_order[..32].copy_from_slice(&neutral);
        assert!(!is_signed(&neutral, text, &of_small_order), "0 = 0 + k 0");
        // The owner of a key can construct such a signature: s B = 0 + k A.
        let hashed = Sha512::new().chain_update(neutral).chain_update(key).chain_update(text).finalize();
        let fitting = Scalar::from_bytes_mod_order_wide(&hashed.into()) * secret.to_scalar();
        of_small_order[32..].copy_from_slice(fitting.as_bytes());
        let is_taken_elsewhere = secret.verifying_key().verify(text, &Signature::from_bytes(&of_small_order));
        assert!(is_taken_elsewhere.is_ok());
        assert!(!is_signed(&key, text, &of_small_order), "a A = 0 + k A");
        let order: Bytes32 = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ];
        let (mut greater, mut carry) = (good, 0_u16);
        for (place, byte) in order.iter().enumerate() {
            let sum = u16::from(greater[32 + place]) + u16::from(*byte) + carry;
            greater[32 + place] = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
        assert!(!is_signed(&key, text, &greater), "S + L");
    }
}
