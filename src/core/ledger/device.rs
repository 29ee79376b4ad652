//! Device statements: two keys declare that they belong to one player.

use serde_json::{Value, json};

use super::{
    encoding::{LedgerFields as _, hex, hex_digits, unhex64},
    seat_key::SeatKey,
};
use crate::engine::{Fields, Format, Malformed, Text};

/// Most statements of an entry.
pub const MOST_DEVICES: usize = 7;

/// A statement, with the signatures of both keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// Ascending.
    pub keys: [SeatKey; 2],
    pub sigs: [[u8; 64]; 2],
}

/// Returns the message that both keys sign.
pub fn message(player: &str, keys: &[SeatKey; 2]) -> Vec<u8> {
    Format::Three.message("device", &[player.as_bytes(), keys[0].as_bytes(), keys[1].as_bytes()])
}

impl Device {
    pub fn write(&self) -> Value {
        let sigs = self.sigs.map(|sig| hex(&sig));
        json!({"keys": SeatKey::write(&self.keys), "sigs": sigs})
    }

    pub fn read(value: &Value, at: String) -> Result<Self, Malformed> {
        let mut fields = Fields::of(value, at)?;
        let keys = pair(fields.array("keys")?, SeatKey::from_hex);
        let keys = keys.filter(|[a, b]| a < b).ok_or_else(|| {
            let (en, it) = ("must be two keys, ascending", "dev'essere una coppia crescente di chiavi");
            fields.wrong("keys", Text::new(en, it))
        });
        let sigs = pair(fields.array("sigs")?, unhex64);
        let sigs = sigs.ok_or_else(|| fields.wrong("sigs", hex_digits(128)));
        fields.end()?;
        Ok(Self { keys: keys?, sigs: sigs? })
    }

    /// Reads the optional list `devices` of a signature, with 1 to 7 statements.
    pub fn read_list(fields: &mut Fields) -> Result<Vec<Self>, Malformed> {
        if fields.get("devices").is_none() {
            return Ok(Vec::new());
        }
        let (items, at) = (fields.array("devices")?, fields.place("devices"));
        if !(1..=MOST_DEVICES).contains(&items.len()) {
            let (en, it) = (
                format!("must have 1 to {MOST_DEVICES} statements"),
                format!("deve avere da 1 a {MOST_DEVICES} dichiarazioni"),
            );
            return Err(fields.wrong("devices", Text::new(en, it)));
        }
        items.iter().enumerate().map(|(i, item)| Self::read(item, format!("{at}[{i}]"))).collect()
    }

    /// Returns the other key of the statement.
    pub fn other(&self, key: &SeatKey) -> Option<&SeatKey> {
        let [a, b] = &self.keys;
        if a == key { Some(b) } else { (b == key).then_some(a) }
    }

    /// Returns whether both keys signed for this player.
    pub fn is_of(&self, player: &str) -> bool {
        let message = message(player, &self.keys);
        self.keys.iter().zip(&self.sigs).all(|(key, sig)| key.has_signed(&message, sig))
    }
}

fn pair<T: std::fmt::Debug>(items: &[Value], read: impl Fn(&str) -> Option<T>) -> Option<[T; 2]> {
    let read: Option<Vec<T>> = items.iter().map(|item| item.as_str().and_then(&read)).collect();
    read?.try_into().ok()
}
