//! What players sign: messages that name the game, the seat, the history that was seen and the act, so that a signature
//! is good for one entry and no other.

use std::{
    cmp::Ordering,
    fmt,
    sync::{Arc, LazyLock, OnceLock},
};

use curve25519_dalek::constants::EIGHT_TORSION;
use ed25519_dalek::{Signature, Verifier as _, VerifyingKey};
use serde_json::{Value, json};

use super::{
    encoding::{LedgerFields as _, canonical, hex, hex_digits, unhex, unhex64},
    entry::{Body, Holder, Op, write_holder},
    plan::PlanRule,
};
use crate::engine::{Fields, Format, Malformed, hash::Bytes32};

/// How many commands a request may have, all under one signature.
pub const MOST_COMMANDS: u64 = 32;

/// The only points that cannot be the first half of a signature, as they are written.
static OF_SMALL_ORDER: LazyLock<[Bytes32; 8]> =
    LazyLock::new(|| EIGHT_TORSION.map(|point| point.compress().to_bytes()));

/// A public Ed25519 key with which a seat signs.
#[derive(Clone)]
pub struct SeatKey {
    bytes: Bytes32,
    /// Worked out when it is first needed: it takes an eighth of the time of a check.
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

    /// Whether its bytes are the one way to write a point that may be a key.
    pub fn is_sound(&self) -> bool {
        self.point().is_some()
    }

    /// Whether a message is signed with it, in the strict sense of the format.
    pub fn has_signed(&self, message: &[u8], sig: &[u8; 64]) -> bool {
        // The check compares R as it is written, so that it is canonical; of what order it is, it does not ask.
        let is_weak = OF_SMALL_ORDER.iter().any(|point| sig.starts_with(point));
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

/// A player's signature under an act, and up to which entry the signer had seen the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    pub key: SeatKey,
    pub seen: u64,
    pub sig: [u8; 64],
}

/// The signature under a request, beside one of its commands: the command `no` of `of`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedPart {
    pub signed: Signed,
    pub no: u64,
    pub of: u64,
}

impl Signed {
    pub fn write(&self) -> Value {
        json!({"key": self.key.hex(), "seen": self.seen, "sig": hex(&self.sig)})
    }

    /// The field `signed`, which may be null.
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

    /// Reads its fields, and notes all that is wrong with them.
    fn take(fields: &mut Fields) -> Result<Self, Malformed> {
        let key = fields.note(|fields| fields.hex32("key"));
        let seen = fields.note(|fields| fields.whole("seen"));
        let sig = fields
            .note(|fields| unhex64(fields.text("sig")?).ok_or_else(|| fields.wrong("sig", hex_digits(128))));
        Ok(Self { key: SeatKey::new(key?), seen: seen?, sig: sig? })
    }
}

impl std::str::FromStr for SeatKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let key = Self::from_hex(text).ok_or("it must be 64 lowercase hex digits")?;
        key.is_sound().then_some(key).ok_or("it is no public key of Ed25519")
    }
}

impl SignedPart {
    pub fn write(&self) -> Value {
        let mut written = self.signed.write();
        written["no"] = self.no.into();
        written["of"] = self.of.into();
        written
    }

    /// The field `signed` of a command, which may be null.
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
        let (no, of) = (no?, of?);
        if no >= of || of > MOST_COMMANDS {
            return Err(fields.wrong("signed.no", "must be below `of`, which is at most 32"));
        }
        Ok(Some(Self { signed: signed?, no, of }))
    }
}

/// Of which game a message speaks, for which seat, and after which entry.
#[derive(Clone, Copy)]
pub struct Spot<'s> {
    pub game: &'s str,
    pub seat: u64,
    pub seen: u64,
    pub head: &'s Bytes32,
}

/// What is signed: the kind of act, and what it is.
pub struct Message {
    tag: &'static str,
    act: Vec<u8>,
}

impl Message {
    /// All commands of one request, as they stand in the log.
    pub fn play(cmds: &[&Value]) -> Result<Self, Malformed> {
        Self::json("play", &json!(cmds))
    }

    pub fn keys(keys: &[SeatKey]) -> Result<Self, Malformed> {
        Self::json("keys", &SeatKey::write(keys))
    }

    pub fn hand(holder: &Holder) -> Result<Self, Malformed> {
        Self::json("hand", &write_holder(holder))
    }

    pub fn takeback(to: u64) -> Self {
        Self { tag: "takeback", act: to.to_be_bytes().to_vec() }
    }

    pub fn sys(op: Op) -> Self {
        Self { tag: "sys", act: op.word().into() }
    }

    pub fn plan(rules: &[PlanRule]) -> Result<Self, Malformed> {
        Self::json("plan", &PlanRule::write_all(rules))
    }

    /// What the player of the seat signs of an entry that is no command.
    pub fn of(body: &Body) -> Result<Option<Self>, Malformed> {
        Ok(match body {
            Body::Keys { keys, .. } => Some(Self::keys(keys)?),
            Body::Hand { holder, .. } => Some(Self::hand(holder)?),
            Body::Takeback { to, .. } => Some(Self::takeback(*to)),
            Body::Sys { op, .. } => Some(Self::sys(*op)),
            _ => None,
        })
    }

    fn json(tag: &'static str, act: &Value) -> Result<Self, Malformed> {
        Ok(Self { tag, act: canonical(act)? })
    }

    /// The bytes that are signed.
    pub fn at(&self, spot: Spot) -> Vec<u8> {
        let Spot { game, seat, seen, head } = spot;
        let (seat, seen) = (seat.to_be_bytes(), seen.to_be_bytes());
        Format::Two.message(self.tag, &[game.as_bytes(), &seat, &seen, head, &self.act])
    }
}

#[cfg(test)]
mod tests {
    use curve25519_dalek::Scalar;
    use ed25519_dalek::{Signer as _, SigningKey};
    use sha2::{Digest as _, Sha256, Sha512};

    use super::*;

    fn check(message: &Message, digest: &str, signature: &str) {
        let head = [0xab; 32];
        let spot = Spot { game: "01900000-0000-7000-8000-000000000001", seat: 0, seen: 6, head: &head };
        let (key, bytes) = (SigningKey::from_bytes(&[1; 32]), message.at(spot));
        assert_eq!(hex(&Sha256::digest(&bytes)), digest);
        let sig = key.sign(&bytes).to_bytes();
        assert_eq!(hex(&sig), signature);
        let signed = Signed { key: SeatKey::new(key.verifying_key().to_bytes()), seen: 6, sig };
        let fits = |message: &[u8]| signed.key.has_signed(message, &signed.sig);
        assert!(fits(&bytes));
        assert!(!fits(&message.at(Spot { seat: 1, ..spot })));
        assert!(!fits(&message.at(Spot { game: "another", ..spot })));
    }

    /// The vectors of the format.
    #[test]
    fn what_is_signed_is_what_the_format_says() {
        let key =
            SeatKey::from_hex("8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c").unwrap();
        let holder = Holder { player: "p".into(), keys: vec![key.clone()], bot: None };
        let sell = json!({"type": "sell_materials", "advisor": false});
        let loan = json!({"type": "take_loan", "count": 2});
        check(
            &Message::play(&[&sell, &loan]).unwrap(),
            "6f9a7e71c1c52bd18785aa5b79f5b067f31025f39f52d74d90c5b9ba6b724159",
            "460bf94c8a6abad51069f975cb5d5e9e1ab3a465f5f0cf5a4f7f09ca8fa06d9c9b344ec240708f1f584cb3d4f11ce2cecba4b31588be325b45609e16a11af803",
        );
        check(
            &Message::keys(&[key]).unwrap(),
            "5736fb00e15b9e7eb1d5d5c49226788a7b7dced5a6cba3a4e7c9b901f6165ff9",
            "1e584136fb3a6132a451c6d0b03508ed7a9146237f077cbd7209f0a7336276ce5d80197efc7222dad6ea44fcc50249bc0917ace9632f5ef3f46173e33b628203",
        );
        check(
            &Message::hand(&holder).unwrap(),
            "370127a552b98d03497cb2760b9e21f4f107dc3e9d723cbc8e204639a5cfd748",
            "9c19c106ae36199cc5086ed64838c6b2f1f09c46d528615ab7828c455bba728d827303d0833581e3800871ac12158405be0ada8d19c5723c85cf7cb3ef63f10b",
        );
        check(
            &Message::takeback(5),
            "07298e9c958fc6a1bef40fb71adef6582288261c7f79c08ce06a836af95bd2d3",
            "e8c392adfe501f52f05484c36c0c642e606a9941e8ea3426dd0796dfad8f51ceb680e72c5932fbd93696ba1f73c4f7ece3fa9d033959cbbf5b49f22b7c7efa09",
        );
        check(
            &Message::sys(Op::Resign),
            "628f7ecfdfea199024f0ab4bf37c6009d39cc64b7f39840832a5c130121f85ab",
            "5effb256996041a79aa8bc54dfb3c19c00fef6ab08f68e774d29fe16677fb8bb3fd6ef3f111288e8b2e3eb1a1cbd0e2fa1cc93e89c160fae8c7e826125dffd0c",
        );
        let rule = PlanRule { phase: "auction".into(), command: json!({"type": "bid"}), up_to: Some(6) };
        check(
            &Message::plan(&[rule]).unwrap(),
            "7d3e87f1cb92bd7c1a5ce1dff1a4cf98e5505a9f44c711911f4a48480dbe5433",
            "26f4bb8bbaf176e8f54799e522b16f17113bd3767b88ab7790146f34f874c83a9b2e339563e5eaa602761f75b94ed784b6e8bd3b24191bd5260386f6562cb60f",
        );
    }

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

    #[test]
    fn a_key_is_written_in_one_way_and_is_no_weak_one() {
        let weak = ["01", "00", "ec", "ee"].map(|first| {
            let rest = if first.starts_with('e') { "ff".repeat(30) + "7f" } else { "00".repeat(31) };
            format!("{first}{rest}")
        });
        for key in weak {
            assert!(!SeatKey::from_hex(&key).unwrap().is_sound(), "{key}");
        }
    }
}
