//! A JSON serializer with the output of `serde_json` in half its time: field and variant names need no
//! escapes, and plain texts are copied. Rare types are left to `serde_json`.

mod traits;

use serde::{
    Serialize,
    ser::{Error as _, SerializeStruct as _, Serializer},
};
use serde_json::Error;

/// The name with which `serde_json` marks a value as JSON.
const RAW: &str = "$serde_json::private::RawValue";

/// Writes a value out.
pub fn to_vec(value: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, Error> {
    // The size of a view, so that the buffer rarely grows.
    let mut text = Vec::with_capacity(6_000);
    value.serialize(JsonWriter(&mut text))?;
    Ok(text)
}

/// Serializes a value to a string.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> Result<String, Error> {
    String::from_utf8(to_vec(value)?).map_err(Error::custom)
}

struct JsonWriter<'t>(&'t mut Vec<u8>);

/// A value serialized by `serde_json`.
struct RawJson<'v, T: ?Sized>(&'v T);

impl<T: Serialize + ?Sized> Serialize for RawJson<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut raw = serializer.serialize_struct(RAW, 1)?;
        raw.serialize_field(RAW, self.0)?;
        raw.end()
    }
}

/// The parts of a value, each followed by a comma. The end replaces the last comma.
struct ItemWriter<'t> {
    text: &'t mut Vec<u8>,
    end: &'static str,
}

impl<'t> JsonWriter<'t> {
    fn put(self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    /// Writes a name, without escapes.
    fn name(self, name: &str) {
        debug_assert!(is_plain(name), "{name} must be escaped");
        self.0.push(b'"');
        self.0.extend_from_slice(name.as_bytes());
        self.0.push(b'"');
    }

    /// Writes a text of several plain lines, such as a receipt.
    fn lines(self, text: &str) {
        self.0.push(b'"');
        // Splits bytes: searching in texts is optimised for long ones.
        for (place, line) in text.as_bytes().split(|byte| *byte == b'\n').enumerate() {
            if place > 0 {
                self.0.extend_from_slice(br"\n");
            }
            self.0.extend_from_slice(line);
        }
        self.0.push(b'"');
    }

    fn rare(self, value: impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(self.0, &value)
    }

    fn parts(self, begin: &str, end: &'static str) -> ItemWriter<'t> {
        self.0.extend_from_slice(begin.as_bytes());
        ItemWriter { text: self.0, end }
    }

    /// The parts of a variant, behind its name.
    fn of_variant(self, name: &str, begin: &str, end: &'static str) -> ItemWriter<'t> {
        let text = self.0;
        text.push(b'{');
        JsonWriter(text).name(name);
        text.push(b':');
        JsonWriter(text).parts(begin, end)
    }
}

impl ItemWriter<'_> {
    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        value.serialize(JsonWriter(self.text))?;
        self.text.push(b',');
        Ok(())
    }

    /// With the name known at compile time, the copy needs no call.
    #[expect(
        clippy::inline_always,
        reason = "measured: a view is written in three fifths of the instructions"
    )]
    #[inline(always)]
    fn field(&mut self, name: &'static str, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        if name == RAW {
            return serde_json::to_writer(&mut *self.text, &RawJson(value));
        }
        debug_assert!(is_plain(name), "{name} must be escaped");
        self.text.push(b'"');
        self.text.extend_from_slice(name.as_bytes());
        self.text.extend_from_slice(b"\":");
        self.item(value)
    }

    fn close(self) {
        if self.text.last() == Some(&b',') {
            self.text.pop();
        }
        JsonWriter(self.text).put(self.end);
    }
}

/// Returns whether a text needs no escapes.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |all, byte| all & is_plain_byte(byte))
}

/// Returns whether a text needs escapes only for line feeds.
fn is_plain_in_lines(text: &str) -> bool {
    text.bytes().fold(true, |all, byte| all & (is_plain_byte(byte) || byte == b'\n'))
}

const fn is_plain_byte(byte: u8) -> bool {
    byte >= b' ' && byte != b'"' && byte != b'\\'
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{json, value::RawValue};

    use super::*;

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum ValueKind {
        Bare,
        New(u8),
        Pair(bool, char),
        Named { one: i64, two: Option<String> },
    }

    #[derive(Serialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum TaggedValue {
        Empty,
        Full(Inner),
    }

    #[derive(Clone, Serialize)]
    struct Inner {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        absent: Option<u8>,
        unit: (),
        share: f64,
    }

    #[derive(Serialize)]
    struct WholeValue {
        kinds: Vec<ValueKind>,
        tagged: [TaggedValue; 2],
        #[serde(flatten)]
        flat: Inner,
        map: BTreeMap<String, (i8, u64)>,
        empty: (Vec<u8>, BTreeMap<String, u8>),
        raw: Box<RawValue>,
        value: serde_json::Value,
    }

    fn inner(text: &str) -> Inner {
        Inner { text: text.to_owned(), absent: None, unit: (), share: 0.5 }
    }

    fn whole(text: &str) -> WholeValue {
        let (one, two) = (i64::MIN, Some(text.to_owned()));
        WholeValue {
            kinds: vec![
                ValueKind::Bare,
                ValueKind::New(7),
                ValueKind::Pair(true, '"'),
                ValueKind::Named { one, two },
            ],
            tagged: [TaggedValue::Empty, TaggedValue::Full(inner(text))],
            flat: inner(text),
            map: BTreeMap::from([(text.to_owned(), (-1, u64::MAX)), ("other".to_owned(), (0, 0))]),
            empty: (Vec::new(), BTreeMap::new()),
            raw: RawValue::from_string(r#"{"as": [ "it", "stands" ]}"#.to_owned()).unwrap(),
            value: json!({"a": [null, true, -3, 1.25, text], "b": {}}),
        }
    }

    #[test]
    fn it_is_what_serde_json_writes() {
        let characters = (0..0x300).filter_map(char::from_u32).map(String::from);
        let texts =
            ["", "plain", "perché 日本 🎲", "\\", "a\\b\"c\u{7f}\u{2028}", "\none\ntwo\n\n", "one\n\"two\""];
        let texts = texts.map(str::to_owned);
        for text in characters.chain(texts) {
            let whole = whole(&text);
            assert_eq!(to_string(&whole).unwrap(), serde_json::to_string(&whole).unwrap(), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_text_is_no_key() {
        assert!(to_vec(&BTreeMap::from([((1, 2), 3)])).is_err());
    }
}
