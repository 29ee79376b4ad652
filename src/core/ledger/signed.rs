//! What players sign. Each message names the game, the seat, the history that the signer saw and the act, so
//! a signature is valid for one entry and no other.

use std::{
    cmp::Ordering,
    fmt,
    sync::{Arc, OnceLock},
};

use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use serde_json::{Value, json};

use super::{
    device::Device,
    encoding::{LedgerFields as _, canonical, hex, hex_digits, unhex, unhex64},
    entry::{Holder, PlainAct, write_claim, write_terms},
    plan::PlanRule,
    small_order,
    terms::Terms,
};
use crate::engine::{Fields, Format, Malformed, Text, hash::Bytes32};

/// How many commands one signed request may have.
pub const MOST_COMMANDS: u64 = 32;

/// A public Ed25519 key with which a seat signs.
#[derive(Clone)]
pub struct SeatKey {
    bytes: Bytes32,
    /// Decoded when it is first needed, which takes an eighth of the time of a check.
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

    /// Whether it is the canonical encoding of a point that is not of small order.
    pub fn is_sound(&self) -> bool {
        self.point().is_some()
    }

    /// Whether this is its signature under the message, by the strict rules of the format.
    pub fn has_signed(&self, message: &[u8], sig: &[u8; 64]) -> bool {
        // `verify` compares the encoding of R, so R is canonical. It does not ask for its order.
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

/// A player's signature under an act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    pub key: SeatKey,
    /// The newest entry that the signer had seen.
    pub seen: u64,
    pub sig: [u8; 64],
    /// Statements that link a key in force to this one. Empty if the key is in force itself.
    pub devices: Vec<Device>,
}

/// The signature of a request, beside its command `no` of `of`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartOfRequest {
    pub signed: Signed,
    pub no: u64,
    pub of: u64,
}

/// The signature of a player who takes a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub key: SeatKey,
    /// Drawn by the client for this request, so the claim counts once.
    pub nonce: Bytes32,
    pub sig: [u8; 64],
}

impl Signed {
    pub fn write(&self) -> Value {
        let mut written = json!({"key": self.key.hex(), "seen": self.seen, "sig": hex(&self.sig)});
        if !self.devices.is_empty() {
            written["devices"] = self.devices.iter().map(Device::write).collect::<Vec<_>>().into();
        }
        written
    }

    /// The member `signed`, which may be null.
    pub fn read(fields: &mut Fields) -> Result<Option<Self>, Malformed> {
        let value = fields.value("signed")?;
        (!value.is_null()).then(|| Self::of(value, fields.place("signed"))).transpose()
    }

    pub fn of(value: &Value, at: String) -> Result<Self, Malformed> {
        let mut fields = Fields::of(value, at)?;
        let signed = Self::take(&mut fields);
        fields.end()?;
        signed
    }

    /// What a client sends: the server adds the devices.
    pub fn sent(value: &Value, at: String) -> Result<Self, Malformed> {
        let mut fields = Fields::of(value, at)?;
        let signed = Self::take_sent(&mut fields);
        fields.end()?;
        signed
    }

    fn take(fields: &mut Fields) -> Result<Self, Malformed> {
        let devices = fields.note(Device::read_list);
        let signed = Self::take_sent(fields)?;
        Ok(Self { devices: devices?, ..signed })
    }

    /// Reads its members, and notes all that is wrong with them.
    fn take_sent(fields: &mut Fields) -> Result<Self, Malformed> {
        let key = fields.note(|fields| fields.hex32("key"));
        let seen = fields.note(|fields| fields.whole("seen"));
        let sig = fields.note(read_sig);
        Ok(Self { key: SeatKey::new(key?), seen: seen?, sig: sig?, devices: Vec::new() })
    }
}

fn read_sig(fields: &mut Fields) -> Result<[u8; 64], Malformed> {
    unhex64(fields.text("sig")?).ok_or_else(|| fields.wrong("sig", hex_digits(128)))
}

impl Claim {
    pub fn write(&self) -> Value {
        json!({"key": self.key.hex(), "nonce": hex(&self.nonce), "sig": hex(&self.sig)})
    }

    /// A member that holds a claim or null.
    pub fn read(fields: &mut Fields, field: &'static str) -> Result<Option<Self>, Malformed> {
        let value = fields.value(field)?;
        (!value.is_null()).then(|| Self::of(value, fields.place(field))).transpose()
    }

    pub fn of(value: &Value, at: String) -> Result<Self, Malformed> {
        let mut fields = Fields::of(value, at)?;
        let key = fields.note(|fields| fields.hex32("key"));
        let nonce = fields.note(|fields| fields.hex32("nonce"));
        let sig = fields.note(read_sig);
        fields.end()?;
        Ok(Self { key: SeatKey::new(key?), nonce: nonce?, sig: sig? })
    }
}

impl std::str::FromStr for SeatKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let key = Self::from_hex(text).ok_or("must be 64 lowercase hex digits")?;
        key.is_sound().then_some(key).ok_or("is no valid Ed25519 public key")
    }
}

impl PartOfRequest {
    pub fn write(&self) -> Value {
        let mut written = self.signed.write();
        written["no"] = self.no.into();
        written["of"] = self.of.into();
        written
    }

    /// The member `signed` of a command, which may be null.
    pub fn read(fields: &mut Fields) -> Result<Option<Self>, Malformed> {
        let value = fields.value("signed")?;
        if value.is_null() {
            return Ok(None);
        }
        let mut inner = Fields::of(value, fields.place("signed"))?;
        let signed = Signed::take(&mut inner);
        let no = inner.note(|inner| inner.whole("no"));
        let of = inner.note(|inner| inner.whole("of"));
        inner.end()?;
        let (signed, no, of) = (signed?, no?, of?);
        if no >= of || of > MOST_COMMANDS {
            let (en, it) = (
                format!("must be below `of`, which is at most {MOST_COMMANDS}"),
                format!("dev'essere minore di `of`, che è al massimo {MOST_COMMANDS}"),
            );
            return Err(fields.wrong("signed.no", Text::new(en, it)));
        }
        if no > 0 && !signed.devices.is_empty() {
            let (en, it) =
                ("belongs to the first command of a request", "spetta al primo comando di una richiesta");
            return Err(fields.wrong("signed.devices", Text::new(en, it)));
        }
        Ok(Some(Self { signed, no, of }))
    }

    /// Whether another command has the signature of the same request.
    pub fn is_of(&self, other: &Self) -> bool {
        let (own, other_signed) = (&self.signed, &other.signed);
        self.of == other.of
            && own.key == other_signed.key
            && own.seen == other_signed.seen
            && own.sig == other_signed.sig
    }
}

/// Which game and seat a message is of, and after which entry it was signed.
#[derive(Clone, Copy)]
pub struct Spot<'s> {
    pub game: &'s str,
    pub seat: u64,
    pub seen: u64,
    pub head: &'s Bytes32,
}

/// An act that the player of a seat signs.
pub struct Message(Vec<u8>);

impl Message {
    /// All commands of one request, as they are in the log.
    pub fn commands(cmds: &[&Value]) -> Result<Self, Malformed> {
        Self::json(&json!({"type": "cmd", "cmds": cmds}))
    }

    pub fn revoke(keys: &[SeatKey]) -> Result<Self, Malformed> {
        Self::json(&json!({"type": "revoke", "keys": SeatKey::write(keys)}))
    }

    pub fn hand(holder: &Holder, taken: Option<&Claim>) -> Result<Self, Malformed> {
        let Holder { player, bot } = holder;
        Self::json(&json!({"type": "hand", "player": player, "bot": bot, "taken": write_claim(taken)}))
    }

    pub fn takeback(to: u64) -> Self {
        Self(format!(r#"{{"to":{to},"type":"takeback"}}"#).into_bytes())
    }

    pub fn act(act: PlainAct) -> Self {
        Self(format!(r#"{{"type":"{}"}}"#, act.word()).into_bytes())
    }

    pub fn plan(rules: &[PlanRule]) -> Result<Self, Malformed> {
        Self::json(&json!({"type": "plan", "rules": PlanRule::write_all(rules)}))
    }

    fn json(what: &Value) -> Result<Self, Malformed> {
        canonical(what).map(Self)
    }

    /// The bytes that are signed.
    pub fn at(&self, spot: Spot) -> Vec<u8> {
        let Spot { game, seat, seen, head } = spot;
        let (seat, seen) = (seat.to_be_bytes(), seen.to_be_bytes());
        Format::Three.message("act", &[game.as_bytes(), &seat, &seen, head, &self.0])
    }
}

/// What a player signs who takes a seat.
#[derive(Clone, Copy)]
pub enum Seating<'s> {
    Join { player: &'s str, commit: Option<&'s Bytes32> },
    Hand { player: &'s str },
}

impl Seating<'_> {
    /// The bytes that are signed.
    pub fn message(
        self,
        (game, seat): (&str, u64),
        nonce: &Bytes32,
        terms: &Terms,
    ) -> Result<Vec<u8>, Malformed> {
        let (nonce, terms) = (hex(nonce), write_terms(terms));
        let what = match self {
            Self::Join { player, commit } => json!({
                "type": "join", "player": player, "commit": commit.map(|bytes| hex(bytes)), "nonce": nonce, "terms": terms,
            }),
            Self::Hand { player } => {
                json!({"type": "hand", "player": player, "nonce": nonce, "terms": terms})
            }
        };
        Ok(Format::Three.message("join", &[game.as_bytes(), &seat.to_be_bytes(), &canonical(&what)?]))
    }
}

#[cfg(test)]
mod tests {
    use curve25519_dalek::Scalar;
    use ed25519_dalek::{Signer as _, SigningKey};
    use sha2::{Digest as _, Sha512};

    use super::*;

    /// The cases that checks of different strictness tell apart: points of small order, and S beyond the
    /// order of the group.
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
        // Whoever has the key can make it fit without having signed: s B = 0 + k A.
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
