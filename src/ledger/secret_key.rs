//! Signing, and checking what others have signed.
//!
//! Where servers run, AWS-LC signs: it takes 8.5 µs where ed25519-dalek takes 14.5, which is an eighth of all that a
//! command costs, and needs nothing but a C compiler there. Elsewhere it needs more, and dalek signs, as it does without
//! the feature `server`. A signature follows from key and text alone, so that nobody can tell who made it.
//!
//! What dalek's strict check takes counts, and nothing else. AWS-LC finds in half the time that a signature fits, and is
//! asked first; what it does not ask is whether the key and R are of small order, so that is asked beside it.

use ed25519_dalek::{Signature, SigningKey, VerifyingKey};

use crate::engine::hash::Bytes32;

pub struct SecretKey {
    key: SigningKey,
    fast: fast::Key,
}

impl SecretKey {
    pub fn new(secret: &Bytes32) -> Self {
        Self { key: SigningKey::from_bytes(secret), fast: fast::Key::new(secret) }
    }

    pub fn sign(&self, text: &[u8]) -> [u8; 64] {
        self.fast.sign(text).unwrap_or_else(|| sign(&self.key, text))
    }

    pub fn public(&self) -> VerifyingKey {
        self.key.verifying_key()
    }

    pub fn as_bytes(&self) -> &Bytes32 {
        self.key.as_bytes()
    }
}

/// Whether a text is signed with a key, in the strict sense: S below the order, the key and R not of small order, and no
/// cofactor.
pub fn is_signed(key: &VerifyingKey, text: &[u8], signature: &[u8; 64]) -> bool {
    let (r, _) = signature.split_at(32);
    let r_is_sound = || {
        let r = r.try_into().ok().and_then(|r: &Bytes32| VerifyingKey::from_bytes(r).ok());
        r.is_some_and(|r| !r.is_weak())
    };
    let fits = fast::verifies(key.as_bytes(), text, signature) && !key.is_weak() && r_is_sound();
    fits || key.verify_strict(text, &Signature::from_bytes(signature)).is_ok()
}

fn sign(key: &SigningKey, text: &[u8]) -> [u8; 64] {
    ed25519_dalek::Signer::sign(key, text).to_bytes()
}

#[cfg(all(feature = "server", target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod fast {
    use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};

    pub struct Key(Option<Ed25519KeyPair>);

    impl Key {
        pub fn new(secret: &[u8; 32]) -> Self {
            Self(Ed25519KeyPair::from_seed_unchecked(secret).ok())
        }

        pub fn sign(&self, text: &[u8]) -> Option<[u8; 64]> {
            self.0.as_ref()?.try_sign(text).ok()?.as_ref().try_into().ok()
        }
    }

    pub fn verifies(key: &[u8; 32], text: &[u8], signature: &[u8; 64]) -> bool {
        UnparsedPublicKey::new(&ED25519, key).verify(text, signature).is_ok()
    }
}

#[cfg(not(all(
    feature = "server",
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
mod fast {
    /// There is no faster way here.
    pub struct Key;

    impl Key {
        pub const fn new(_: &[u8; 32]) -> Self {
            Self
        }

        #[expect(clippy::unused_self, reason = "alike on all machines")]
        pub const fn sign(&self, _: &[u8]) -> Option<[u8; 64]> {
            None
        }
    }

    pub const fn verifies(_: &[u8; 32], _: &[u8], _: &[u8; 64]) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cases that checks of different strictness tell apart: points of small order, and S beyond the order of the group.
    #[test]
    fn what_the_strict_check_takes_is_taken_and_nothing_else() {
        let secret = SecretKey::new(&[3; 32]);
        let (key, text) = (secret.public(), b"a move");
        let good = secret.sign(text);
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
        let weak = VerifyingKey::from_bytes(&neutral).unwrap();
        assert!(weak.verify_strict(text, &Signature::from_bytes(&of_small_order)).is_err());
        assert!(!is_signed(&weak, text, &of_small_order), "0 = 0 + k 0");
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

    #[test]
    fn whoever_signs_the_signature_is_the_same() {
        for byte in 0..=255 {
            let key = SecretKey::new(&[byte; 32]);
            let text = vec![byte; usize::from(byte) * 5];
            assert_eq!(key.sign(&text), sign(&key.key, &text));
        }
    }
}
