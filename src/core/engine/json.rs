//! Strict JSON: no duplicate keys, no fractions, no number that a parser would round, and bounded memory.

use std::{cell::Cell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, map::Entry};

use super::{Malformed, Text, fields::MAX_WHOLE, malformed::clip};

/// Largest content of a text. A value weighs as much as its memory, relative to a number.
const MAX_WEIGHT: usize = 4_000_000;
const ARRAY_WEIGHT: usize = 4;
const OBJECT_WEIGHT: usize = 20;
const KEY_WEIGHT: usize = 3;

/// Parses a text that is one JSON value.
pub fn parse(text: &[u8]) -> Result<Value, Malformed> {
    parse_within(text, MAX_WEIGHT)
}

/// Parses a text that is one JSON value, within a weight.
pub fn parse_within(text: &[u8], weight: usize) -> Result<Value, Malformed> {
    read(text, weight, false)
}

/// Parses a request. Any number is allowed here, since its field can name its place in an error.
pub fn parse_request(text: &[u8]) -> Result<Value, Malformed> {
    read(text, MAX_WEIGHT, true)
}

fn read(text: &[u8], weight: usize, takes_any_number: bool) -> Result<Value, Malformed> {
    let left = Cell::new(weight);
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = Strict { left: &left, takes_any_number }.deserialize(&mut deserializer);
    value.and_then(|value| deserializer.end().map(|()| value)).map_err(|error| not_json(&error))
}

/// Returns the mistake of a text that is not JSON.
pub fn not_json(error: &serde_json::Error) -> Malformed {
    let (line, column) = (error.line(), error.column());
    let it = format!(
        "JSON non valido (riga {line}, colonna {column}); non sono ammessi chiavi doppie, numeri con decimali o oltre 2^53 - 1, né testo dopo la fine"
    );
    Malformed::new("", Text::new(format!("invalid JSON: {error}"), it))
}

#[derive(Clone, Copy)]
struct Strict<'w> {
    left: &'w Cell<usize>,
    takes_any_number: bool,
}

impl Strict<'_> {
    fn weigh<E: Error>(self, weight: usize) -> Result<(), E> {
        let left = self.left.get().checked_sub(weight);
        self.left.set(left.ok_or_else(|| E::custom("the text has too many values"))?);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.weigh(1).map(|()| Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        self.weigh(1).map(|()| Value::Bool(flag))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        self.weigh(1)?;
        if number > MAX_WHOLE && !self.takes_any_number {
            return Err(E::custom("a number is beyond 2^53 - 1"));
        }
        Ok(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        self.weigh(1)?;
        if number.unsigned_abs() > MAX_WHOLE && !self.takes_any_number {
            return Err(E::custom("a number is beyond 2^53 - 1"));
        }
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        self.weigh(1)?;
        if !self.takes_any_number {
            return Err(E::custom("a number is not whole or beyond 2^53 - 1"));
        }
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.weigh(1).map(|()| Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        self.weigh(ARRAY_WEIGHT)?;
        let mut array = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        self.weigh(OBJECT_WEIGHT)?;
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            self.weigh(KEY_WEIGHT)?;
            match object.entry(key) {
                Entry::Vacant(place) => place.insert(fields.next_value_seed(self)?),
                Entry::Occupied(known) => {
                    return Err(A::Error::custom(format!("the key `{}` appears twice", clip(known.key()))));
                }
            };
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(text: &str, what: &str) {
        let error = parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(what), "{text}: {error}");
    }

    #[test]
    fn whole_values_are_read() {
        let text = r#"{"a":[null,true,-3,9007199254740991,"è"],"b":{}}"#;
        assert_eq!(parse(text.as_bytes()).unwrap().to_string(), text);
    }

    #[test]
    fn what_readers_disagree_about_is_refused() {
        refuses(r#"{"a":1,"a":1}"#, "`a` appears twice");
        refuses(r#"[{"b":{"c":1,"c":2}}]"#, "`c` appears twice");
        for number in ["1.0", "1e2", "-0", "9007199254740992", "-9007199254740992", "18446744073709551616"] {
            refuses(number, "number");
        }
        refuses("[1] 2", "trailing");
        refuses("[1,]", "trailing comma");
        refuses("", "EOF");
        refuses("\"\u{1}\"", "control character");
        assert!(parse(b"\"\xff\"").is_err());
        assert!(parse(br#""\ud800""#).is_err());
    }

    #[test]
    fn nesting_and_size_are_bounded() {
        refuses(&"[".repeat(16 << 20), "recursion limit");
        refuses(&format!("[{}0]", "0,".repeat(5_000_000)), "too many values");
        refuses(&format!("[{}0]", r#"{"a":0},"#.repeat(500_000)), "too many values");
        refuses(&format!("[{}0]", "[0],".repeat(1_500_000)), "too many values");
        let keys: Vec<String> = (0..1_500_000).map(|n| format!(r#""{n}":0"#)).collect();
        refuses(&format!("{{{}}}", keys.join(",")), "too many values");
    }
}
