//! JSON text split into pieces without parsing, so a long document needs little more memory than its text.

use std::{cell::RefCell, fmt};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::encoding::not_canonical;
use crate::engine::{Malformed, Text};

/// Returns the fields of an object. Checks that keys are sorted and unique, without space between the pieces.
pub fn fields(text: &str) -> Result<Vec<(String, &str)>, Malformed> {
    let mut fields = Vec::new();
    let mut place = 1;
    read(text, Pieces::Fields, |key, piece| {
        let before = fields.last().map(|(key, _): &(String, &str)| key.as_str());
        if before.is_some_and(|before| before >= key) {
            return Err(not_canonical());
        }
        // The keys of the format need no escapes.
        place += usize::from(before.is_some()) + key.len() + 3;
        follows(text, piece, &mut place)?;
        fields.push((key.to_owned(), piece));
        Ok(())
    })?;
    closes(text, place)?;
    Ok(fields)
}

/// Passes the items of an array to a function, in order.
pub fn items<'t>(
    text: &'t str,
    mut take: impl FnMut(&'t str) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let (mut place, mut is_first) = (1, true);
    read(text, Pieces::Items, |_, piece| {
        place += usize::from(!std::mem::take(&mut is_first));
        follows(text, piece, &mut place)?;
        take(piece)
    })?;
    closes(text, place)
}

/// Returns the nesting of arrays and objects in a JSON text.
pub fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => depth += 1,
            b']' | b'}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Returns whether a JSON text is an object with this field.
pub fn has_field(text: &[u8], name: &str) -> Result<bool, Malformed> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let found = HasField(name).deserialize(&mut deserializer);
    let found = found.and_then(|found| deserializer.end().map(|()| found));
    found.map_err(|error| wrong(&error))
}

/// Returns the mistake without a quotation of the text.
fn wrong(error: &serde_json::Error) -> Malformed {
    let cause: String = error.to_string().chars().take(200).collect();
    let it = format!("non è JSON (riga {}, colonna {})", error.line(), error.column());
    Malformed::new("", Text::new(format!("invalid JSON: {cause}"), it))
}

/// Checks that a piece directly follows the text before.
fn follows(text: &str, piece: &str, place: &mut usize) -> Result<(), Malformed> {
    let begin = piece.as_ptr().addr() - text.as_ptr().addr();
    if begin != *place {
        return Err(not_canonical());
    }
    *place += piece.len();
    Ok(())
}

/// The text must end just behind the last piece.
fn closes(text: &str, place: usize) -> Result<(), Malformed> {
    if text.len() == place + 1 { Ok(()) } else { Err(not_canonical()) }
}

#[derive(Clone, Copy)]
enum Pieces {
    Fields,
    Items,
}

fn read<'t>(
    text: &'t str,
    pieces: Pieces,
    take: impl FnMut(&str, &'t str) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let refused = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let done = Reader { take, refused: &refused }.begin(&mut deserializer, pieces);
    let done = done.and_then(|()| deserializer.end());
    match (done, refused.into_inner()) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(refused)) => Err(refused),
        (Err(error), None) => Err(wrong(&error)),
    }
}

struct Reader<'r, F> {
    take: F,
    /// The refusal by the caller, if there was one.
    refused: &'r RefCell<Option<Malformed>>,
}

impl<'de, F: FnMut(&str, &'de str) -> Result<(), Malformed>> Reader<'_, F> {
    fn begin<D: Deserializer<'de>>(self, deserializer: D, pieces: Pieces) -> Result<(), D::Error> {
        match pieces {
            Pieces::Fields => deserializer.deserialize_map(self),
            Pieces::Items => deserializer.deserialize_seq(self),
        }
    }

    fn taken<E: Error>(&mut self, key: &str, piece: &'de RawValue) -> Result<(), E> {
        (self.take)(key, piece.get()).map_err(|refused| {
            *self.refused.borrow_mut() = Some(refused);
            E::custom("refused")
        })
    }
}

impl<'de, F: FnMut(&str, &'de str) -> Result<(), Malformed>> Visitor<'de> for Reader<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array that belongs here")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut fields: A) -> Result<(), A::Error> {
        while let Some(key) = fields.next_key::<String>()? {
            let piece = fields.next_value()?;
            self.taken(&key, piece)?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        while let Some(piece) = items.next_element()? {
            self.taken("", piece)?;
        }
        Ok(())
    }
}

struct HasField<'n>(&'n str);

impl<'de> DeserializeSeed<'de> for HasField<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Other values have no fields.
macro_rules! without_fields {
    ($($visit:ident: $Type:ty),+) => {
        $(fn $visit<E: Error>(self, _: $Type) -> Result<bool, E> {
            Ok(false)
        })+
    };
}

impl<'de> Visitor<'de> for HasField<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    without_fields! { visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_f64: f64, visit_str: &str }

    fn visit_unit<E: Error>(self) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<bool, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<bool, A::Error> {
        let mut found = false;
        while let Some(key) = fields.next_key::<String>()? {
            found |= key == self.0;
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_as_they_are_written() {
        let whole = r#"{"a":[1,{"b":2}],"c":"x"}"#;
        let split = fields(whole).unwrap();
        assert_eq!(split, [("a".to_owned(), r#"[1,{"b":2}]"#), ("c".to_owned(), r#""x""#)]);
        let mut found = Vec::new();
        items(split[0].1, |piece| {
            found.push(piece);
            Ok(())
        })
        .unwrap();
        assert_eq!(found, ["1", r#"{"b":2}"#]);
        assert_eq!(fields("{}").unwrap(), []);
        items("[]", |_| panic!("there is none")).unwrap();
    }

    #[test]
    fn another_way_to_write_them_is_refused() {
        for text in [
            r#"{"a":1, "b":2}"#,
            r#"{ "a":1}"#,
            r#"{"a" :1}"#,
            r#"{"a": 1}"#,
            r#"{"a":1 }"#,
            r#"{"a":1} "#,
            r#" {"a":1}"#,
            r#"{"b":1,"a":2}"#,
            r#"{"a":1,"a":2}"#,
            r#"{"\u0061":1}"#,
            "{ }",
            "[]",
            "1",
            "",
            "{",
        ] {
            assert!(fields(text).is_err(), "{text}");
        }
        for text in ["[1, 2]", "[ 1]", "[1 ]", "[1] ", " [1]", "[1,]", "[ ]", "{}", "[1"] {
            assert!(items(text, |_| Ok(())).is_err(), "{text}");
        }
    }

    #[test]
    fn depth_is_counted_outside_of_strings() {
        for (text, expected) in [("1", 0), ("[]", 1), (r#"{"a":[[1],[2]]}"#, 3), (r#"["[[[\"[["]"#, 1)] {
            assert_eq!(depth(text), expected, "{text}");
        }
    }

    #[test]
    fn a_field_is_found_without_being_read() {
        assert_eq!(has_field(br#"{"x":[[]],"replay":1.5}"#, "replay"), Ok(true));
        for other in ["{}", "[1]", "null", "true", "-1", "1.5", r#""replay""#, r#"{"x":{"replay":1}}"#] {
            assert_eq!(has_field(other.as_bytes(), "replay"), Ok(false), "{other}");
        }
        for wrong in ["", "{", "{} {}", "nothing"] {
            assert!(has_field(wrong.as_bytes(), "replay").is_err(), "{wrong}");
        }
    }
}
