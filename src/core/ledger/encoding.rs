//! The canonical form of values: RFC 8785 (JCS) within the profile of the format, and lowercase hex.

use data_encoding::HEXLOWER;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::engine::{
    Fields, Malformed, Text, fields::MAX_WHOLE, hash::Bytes32, json::parse_within, malformed::clip,
};

/// Returns the canonical bytes of a value. Fails outside the profile of the format.
///
/// Within the profile `serde_json` writes exactly RFC 8785: sorted keys, one form of whole numbers, shortest
/// escapes. A test compares it with another canonicalizer.
pub fn canonical(value: &Value) -> Result<Vec<u8>, Malformed> {
    canonical_in_order(value, [value])
}

/// Returns the canonical bytes of an object whose members are given in order.
pub fn canonical_in_order<'v>(
    ordered: &impl Serialize,
    values: impl IntoIterator<Item = &'v Value>,
) -> Result<Vec<u8>, Malformed> {
    values.into_iter().try_for_each(within_profile)?;
    serde_json::to_vec(ordered).map_err(|error| Malformed::new("JSON", error.to_string()))
}

/// Reads canonical bytes, with at most `weight` values (`json::parse_within`).
pub fn read_canonical(bytes: &[u8], weight: usize) -> Result<Value, Malformed> {
    let value = parse_within(bytes, weight)?;
    if canonical(&value)? == bytes { Ok(value) } else { Err(not_canonical()) }
}

pub fn not_canonical() -> Malformed {
    Malformed::new(
        "JSON",
        Text::new(
            "the bytes are not canonical (RFC 8785): order of members, white space or escapes",
            "i byte non sono canonici (RFC 8785): ordine dei membri, spazi o sequenze di escape",
        ),
    )
}

fn within_profile(value: &Value) -> Result<(), Malformed> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
        Value::Number(number) => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            match size {
                Some(size) if size <= MAX_WHOLE => Ok(()),
                _ => {
                    let (en, it) = (
                        "a number is not whole or beyond 2^53 - 1",
                        "un numero non è intero o supera 2^53 - 1",
                    );
                    Err(Malformed::new("JSON", Text::new(en, it)))
                }
            }
        }
        Value::Array(items) => items.iter().try_for_each(within_profile),
        Value::Object(fields) => fields.iter().try_for_each(|(key, value)| {
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
            if key.is_empty() || !key.bytes().all(plain) {
                let (en, it) = (
                    format!("the member name `{}` does not match [a-z0-9_]+", clip(key)),
                    format!("il nome `{}` non corrisponde a [a-z0-9_]+", clip(key)),
                );
                return Err(Malformed::new("JSON", Text::new(en, it)));
            }
            within_profile(value)
        }),
    }
}

pub fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// Writes 32 bytes as hex digits.
pub fn in_hex<S: Serializer>(bytes: &Bytes32, serializer: S) -> Result<S::Ok, S::Error> {
    let mut digits = [0; 64];
    serializer.serialize_str(HEXLOWER.encode_mut_str(bytes, &mut digits))
}

/// Reads 32 bytes from exactly 64 lowercase hex digits.
pub fn unhex(text: &str) -> Option<Bytes32> {
    let mut bytes = [0; 32];
    (text.len() == 64 && HEXLOWER.decode_mut(text.as_bytes(), &mut bytes).is_ok()).then_some(bytes)
}

/// Reads 64 bytes from exactly 128 lowercase hex digits.
pub fn unhex64(text: &str) -> Option<[u8; 64]> {
    let mut bytes = [0; 64];
    (text.len() == 128 && HEXLOWER.decode_mut(text.as_bytes(), &mut bytes).is_ok()).then_some(bytes)
}

/// Returns whether a text is an id of the format.
pub fn is_id(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(plain)
}

/// Returns the message that hex digits are required.
pub fn hex_digits(count: usize) -> Text<String> {
    Text::new(
        format!("must be {count} lowercase hex digits"),
        format!("dev'essere di {count} cifre esadecimali minuscole"),
    )
}

/// Fields of the log format that commands of clients do not have.
pub trait LedgerFields<'v> {
    fn hex32(&mut self, field: &'static str) -> Result<Bytes32, Malformed>;
    fn hex32_or_null(&mut self, field: &'static str) -> Result<Option<Bytes32>, Malformed>;
    /// Returns the value of a required field.
    fn value(&mut self, field: &'static str) -> Result<&'v Value, Malformed>;
    fn array(&mut self, field: &'static str) -> Result<&'v [Value], Malformed>;
    /// An id: `[A-Za-z0-9_-]{1,64}`.
    fn ledger_id(&mut self, field: &'static str) -> Result<String, Malformed>;
}

impl<'v> LedgerFields<'v> for Fields<'v> {
    fn hex32(&mut self, field: &'static str) -> Result<Bytes32, Malformed> {
        unhex(self.text(field)?).ok_or_else(|| self.wrong(field, hex_digits(64)))
    }

    fn hex32_or_null(&mut self, field: &'static str) -> Result<Option<Bytes32>, Malformed> {
        if self.value(field)?.is_null() { Ok(None) } else { self.hex32(field).map(Some) }
    }

    fn value(&mut self, field: &'static str) -> Result<&'v Value, Malformed> {
        self.need(field)
    }

    fn array(&mut self, field: &'static str) -> Result<&'v [Value], Malformed> {
        match self.value(field)? {
            Value::Array(items) => Ok(items),
            _ => Err(self.wrong(field, Text::new("must be an array", "dev'essere un elenco"))),
        }
    }

    fn ledger_id(&mut self, field: &'static str) -> Result<String, Malformed> {
        let id = self.text(field)?;
        if is_id(id) {
            return Ok(id.to_owned());
        }
        let (en, it) = ("must match [A-Za-z0-9_-]{1,64}", "deve corrispondere a [A-Za-z0-9_-]{1,64}");
        Err(self.wrong(field, Text::new(en, it)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::TestDice;

    #[test]
    fn canonical_is_sorted_and_without_space() {
        let value = json!({"b": [1, -2, "è\n\u{1}\"/"], "a": {"_": null}});
        let written = canonical(&value).unwrap();
        assert_eq!(
            String::from_utf8(written.clone()).unwrap(),
            r#"{"a":{"_":null},"b":[1,-2,"è\n\u0001\"/"]}"#
        );
        assert_eq!(read_canonical(&written, 100).unwrap(), value);
    }

    #[test]
    fn a_second_implementation_writes_the_same_bytes() {
        let mut dice = TestDice::new(5);
        for _ in 0..2_000 {
            let value = some_value(&mut dice, 4);
            assert_eq!(
                canonical(&value).unwrap(),
                serde_json_canonicalizer::to_vec(&value).unwrap(),
                "{value}"
            );
        }
    }

    fn some_value(dice: &mut TestDice, depth: u64) -> Value {
        match dice.below(if depth == 0 { 4 } else { 6 }) {
            0 => json!(dice.below(1 << 53)),
            1 => json!(-dice.below(1 << 53).cast_signed()),
            2 => [Value::Null, true.into(), false.into()][usize::try_from(dice.below(3)).unwrap()].clone(),
            3 => (0..dice.below(6))
                .filter_map(|_| {
                    char::from_u32(u32::try_from(dice.below(0x11_0000) >> dice.below(20)).unwrap())
                })
                .collect::<String>()
                .into(),
            4 => (0..dice.below(4)).map(|_| some_value(dice, depth - 1)).collect(),
            _ => {
                let key = |dice: &mut TestDice| {
                    ["a", "a0", "a_", "ab", "_", "z", "0"][usize::try_from(dice.below(7)).unwrap()].to_owned()
                };
                (0..dice.below(6))
                    .map(|_| (key(dice), some_value(dice, depth - 1)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
        }
    }

    #[test]
    fn what_is_outside_the_profile_is_neither_written_nor_read() {
        for value in [json!({"A": 1}), json!({"": 1}), json!({"a-b": 1}), json!(1.5), json!(1_u64 << 53)] {
            assert!(canonical(&value).is_err(), "{value}");
            assert!(read_canonical(value.to_string().as_bytes(), 100).is_err(), "{value}");
        }
    }

    #[test]
    fn bytes_that_are_not_canonical_are_refused() {
        for text in
            [r#"{"a":1, "b":2}"#, r#"{"b":1,"a":2}"#, r#""\u00e8""#, r#""\/""#, "1 ", r#"{"a":1,"a":1}"#]
        {
            assert!(read_canonical(text.as_bytes(), 100).is_err(), "{text}");
        }
    }

    #[test]
    fn hex_is_strict() {
        let digits = "0f".repeat(32);
        assert_eq!(unhex(&digits), Some([15; 32]));
        for wrong in [digits.to_uppercase(), digits[1..].to_owned(), format!("{digits}0f"), "0g".repeat(32)] {
            assert_eq!(unhex(&wrong), None, "{wrong}");
        }
    }
}
