//! Signatures of players, as the log holds them.

use serde_json::{Value, json};

use super::{
    device::Device,
    encoding::{LedgerFields as _, hex, hex_digits, unhex64},
    seat_key::SeatKey,
};
use crate::engine::{Fields, Malformed, Text, hash::Bytes32};

/// Most commands of a signed request.
pub const MOST_COMMANDS: u64 = 32;

/// A player's signature under an act.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signed {
    pub key: SeatKey,
    /// The newest entry known to the signer.
    pub seen: u64,
    pub sig: [u8; 64],
    /// Statements that link the key to a key in force. Empty for a key in force.
    pub devices: Vec<Device>,
}

/// The signature of a request, beside its command `no` of `of`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartOfRequest {
    pub signed: Signed,
    pub no: u64,
    pub of: u64,
}

/// A player's signature of a taken seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub key: SeatKey,
    /// Random bytes of the client, so each claim is used once.
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

    /// Reads the member `signed`, which may be null.
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

    /// Reads a signature of a client. The server adds `devices`.
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

    /// Reads the members, and collects all mistakes.
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

    /// Reads a member with a claim or null.
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

impl PartOfRequest {
    pub fn write(&self) -> Value {
        let mut written = self.signed.write();
        written["no"] = self.no.into();
        written["of"] = self.of.into();
        written
    }

    /// Reads the member `signed` of a command, which may be null.
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

    /// Returns whether both commands belong to the same signed request.
    pub fn is_of(&self, other: &Self) -> bool {
        let (own, other_signed) = (&self.signed, &other.signed);
        self.of == other.of
            && own.key == other_signed.key
            && own.seen == other_signed.seen
            && own.sig == other_signed.sig
    }
}
