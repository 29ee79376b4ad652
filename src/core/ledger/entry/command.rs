//! Commands, by far the most frequent entries.

use serde::Serialize;
use serde_json::Value;

use crate::{engine::Malformed, ledger::encoding::canonical_in_order};

/// The body of a command, with its keys in canonical order. It is serialized directly: a temporary tree of
/// values would cost as much as the hashes of the entry.
#[derive(Serialize)]
pub struct CommandBody<'b> {
    pub at: u64,
    pub by: &'static str,
    pub cmd: &'b Value,
    pub seat: u64,
    pub seq: u64,
    pub signed: Option<Value>,
    #[serde(rename = "type")]
    pub kind: &'static str,
}

impl CommandBody<'_> {
    pub fn canonical(&self) -> Result<Vec<u8>, Malformed> {
        let numbers = [self.at, self.seat, self.seq].map(Value::from);
        canonical_in_order(self, numbers.iter().chain([self.cmd]).chain(&self.signed))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_slice, json};

    use super::*;
    use crate::{
        engine::Format,
        ledger::{
            encoding::canonical,
            entry::{Body, By},
        },
    };

    fn write(at: u64, cmd: &Value) -> Result<Vec<u8>, Malformed> {
        Body::cmd(1, By::Player, cmd.clone()).write(Format::Three, 7, at)
    }

    #[test]
    fn its_keys_stand_in_the_order_of_canonical_json() {
        let cmd = json!({"type": "say", "amount": -3, "text": "è\n"});
        let written = write(9, &cmd).unwrap();
        let value: Value = from_slice(&written).unwrap();
        assert_eq!(written, canonical(&value).unwrap());
        assert_eq!((&value["signed"], &value["cmd"]), (&Value::Null, &cmd));
    }

    #[test]
    fn nothing_outside_the_profile_is_written() {
        assert!(write(1 << 53, &json!({})).is_err());
        assert!(write(9, &json!({"amount": 1.5})).is_err());
    }
}
