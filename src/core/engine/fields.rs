//! Strict parsing of JSON: every field by name and type, and no other field.
//!
//! Derived deserializers accept more than the contract allows (an array for a struct, an index for a tag, an
//! object for an id), so commands and options are parsed field by field.

use std::{borrow::Cow, ops::RangeInclusive};

use serde_json::{Map, Value};

use super::{
    Malformed, Seat, Seats, Text,
    catalogue::Named,
    id::Id,
    malformed::{no_seat, one_of},
};

/// The largest whole number that every JSON parser represents exactly: 2^53 - 1.
pub const MAX_WHOLE: u64 = (1 << 53) - 1;

/// Most objects have no more fields.
const MANY: usize = 8;

/// The fields of an object. Each must be read.
pub struct Fields<'v> {
    at: Cow<'v, str>,
    object: &'v Map<String, Value>,
    /// Fields that were read, each once.
    read: Vec<&'static str>,
    noted: Vec<Malformed>,
}

impl<'v> Fields<'v> {
    pub fn of(value: &'v Value, at: impl Into<Cow<'v, str>>) -> Result<Self, Malformed> {
        let at = at.into();
        match value {
            Value::Object(object) => {
                Ok(Self { at, object, read: Vec::with_capacity(MANY), noted: Vec::new() })
            }
            other => Err(Malformed::new(at, not("an object", "un oggetto", other))),
        }
    }

    /// Reads an object by its `type`. The fields of an unknown type are not reported.
    pub fn of_kind<T>(
        value: &'v Value,
        at: &'v str,
        kinds: &[Named],
        read: impl FnOnce(&str, &mut Self) -> Result<T, Malformed>,
    ) -> Result<T, Malformed> {
        let mut fields = Self::of(value, at)?;
        let kind = fields.text("type")?;
        if !kinds.iter().any(|(known, _)| *known == kind) {
            return Err(fields.no_kind(kind, kinds));
        }
        let read = fields.note(|fields| read(kind, fields));
        fields.end()?;
        read
    }

    pub fn no_kind(&self, kind: &str, kinds: &[Named]) -> Malformed {
        self.wrong("type", one_of(Some(kind), kinds.iter().map(|(known, _)| *known)))
    }

    /// Reads a value and collects its mistakes, so that all are reported together.
    pub fn note<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Malformed>) -> Result<T, Malformed> {
        let read = read(self);
        if let Err(malformed) = &read
            && !self.noted.contains(malformed)
        {
            self.noted.push(malformed.clone());
        }
        read
    }

    /// Returns a field, if it is present.
    pub fn get(&mut self, field: &'static str) -> Option<&'v Value> {
        let value = self.object.get(field)?;
        if !self.read.contains(&field) {
            self.read.push(field);
        }
        Some(value)
    }

    pub fn need(&mut self, field: &'static str) -> Result<&'v Value, Malformed> {
        self.get(field).ok_or_else(|| self.wrong(field, Text::new("is missing", "manca")))
    }

    /// Checks that exactly one of two fields is present. Null counts as absent.
    pub fn one_of(&self, one: &'static str, other: &'static str) -> Result<(), Malformed> {
        let is_there = |field| self.object.get(field).is_some_and(|value| !value.is_null());
        let problem = match (is_there(one), is_there(other)) {
            (true, false) | (false, true) => return Ok(()),
            (false, false) => Text::new(
                format!("is required unless `{other}` is sent"),
                format!("è obbligatorio se manca `{other}`"),
            ),
            (true, true) => Text::new(
                format!("cannot be sent together with `{other}`"),
                format!("non si può inviare insieme a `{other}`"),
            ),
        };
        Err(self.wrong(one, problem))
    }

    pub fn text(&mut self, field: &'static str) -> Result<&'v str, Malformed> {
        let value = self.need(field)?;
        value.as_str().ok_or_else(|| self.wrong(field, not("a string", "una stringa", value)))
    }

    pub fn whole(&mut self, field: &'static str) -> Result<u64, Malformed> {
        let value = self.need(field)?;
        self.placed(field, whole(value))
    }

    fn whole_or(&mut self, field: &'static str, missing: u64) -> Result<u64, Malformed> {
        let value = self.get(field);
        value.map_or(Ok(missing), |value| self.placed(field, whole(value)))
    }

    /// Reads a number, 0 by default.
    pub fn whole_or_zero(&mut self, field: &'static str) -> Result<u64, Malformed> {
        self.whole_or(field, 0)
    }

    /// Reads a number within a range, with a default.
    pub fn whole_within(
        &mut self,
        field: &'static str,
        range: RangeInclusive<u64>,
        missing: u64,
    ) -> Result<u64, Malformed> {
        let number = self.whole_or(field, missing)?;
        self.within(field, number, range)
    }

    /// Reads a number within a range that may be null or absent.
    pub fn whole_within_or_null(
        &mut self,
        field: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, Malformed> {
        let number = self.whole_or_null(field)?;
        number.map(|number| self.within(field, number, range)).transpose()
    }

    fn within(&self, field: &str, number: u64, range: RangeInclusive<u64>) -> Result<u64, Malformed> {
        if range.contains(&number) {
            return Ok(number);
        }
        let (least, most) = range.into_inner();
        Err(self.wrong(
            field,
            Text::new(format!("must be from {least} to {most}"), format!("dev'essere da {least} a {most}")),
        ))
    }

    /// Reads a number that may be null or absent.
    fn whole_or_null(&mut self, field: &'static str) -> Result<Option<u64>, Malformed> {
        let value = self.get(field).filter(|value| !value.is_null());
        value.map(|value| self.placed(field, whole(value))).transpose()
    }

    /// Reads a seat of this table that may be null or absent.
    pub fn seat_or_null(&mut self, field: &'static str, seats: Seats) -> Result<Option<Seat>, Malformed> {
        let Some(number) = self.whole_or_null(field)? else {
            return Ok(None);
        };
        let seat = seats.seat(number);
        seat.map(Some).ok_or_else(|| self.wrong(field, no_seat()))
    }

    /// Reads a flag, `false` by default.
    pub fn flag(&mut self, field: &'static str) -> Result<bool, Malformed> {
        self.flag_or(field, false)
    }

    /// Reads a flag with a default.
    pub fn flag_or(&mut self, field: &'static str, missing: bool) -> Result<bool, Malformed> {
        match self.get(field) {
            None => Ok(missing),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(field, not("true or false", "true o false", other))),
        }
    }

    pub fn id<T: Id>(&mut self, field: &'static str) -> Result<T, Malformed> {
        let value = self.need(field)?;
        self.placed(field, id(value))
    }

    /// Reads an id with a default.
    pub fn id_or<T: Id>(&mut self, field: &'static str, missing: T) -> Result<T, Malformed> {
        let value = self.get(field);
        value.map_or(Ok(missing), |value| self.placed(field, id(value)))
    }

    pub fn ids<T: Id>(&mut self, field: &'static str) -> Result<Vec<T>, Malformed> {
        let value = self.need(field)?;
        self.list(field, value)
    }

    /// Reads a list of ids, empty by default.
    pub fn ids_or_none<T: Id>(&mut self, field: &'static str) -> Result<Vec<T>, Malformed> {
        self.get(field).map_or(Ok(Vec::new()), |value| self.list(field, value))
    }

    fn list<T: Id>(&self, field: &str, value: &Value) -> Result<Vec<T>, Malformed> {
        let Value::Array(items) = value else {
            return Err(self.wrong(field, not("an array", "un elenco", value)));
        };
        let read = |(i, item)| id(item).map_err(|problem| self.wrong(&format!("{field}[{i}]"), problem));
        Malformed::every(items.iter().enumerate().map(read))
    }

    /// Fails if a field was not read, or if mistakes were collected.
    pub fn end(mut self) -> Result<(), Malformed> {
        if self.read.len() < self.object.len() {
            let unknown = self.object.keys().filter(|key| !self.read.contains(&key.as_str()));
            self.noted.extend(unknown.map(|unknown| Malformed::unknown(&self.at, unknown)));
        }
        Malformed::all(self.noted).map_or(Ok(()), Err)
    }

    /// Adds the place to a mistake. Correct values, by far the most, pay nothing for it.
    fn placed<T>(&self, field: &str, read: Result<T, Text<String>>) -> Result<T, Malformed> {
        read.map_err(|problem| self.wrong(field, problem))
    }

    pub fn wrong(&self, field: &str, problem: impl Into<Text<String>>) -> Malformed {
        Malformed::new(self.place(field), problem)
    }

    pub fn place(&self, field: &str) -> String {
        if self.at.is_empty() { field.to_owned() } else { format!("{}.{field}", self.at) }
    }
}

fn whole(value: &Value) -> Result<u64, Text<String>> {
    match value.as_u64() {
        Some(number) if number <= MAX_WHOLE => Ok(number),
        _ if value.is_number() => Err(Text::new(
            format!("must be a whole number from 0 to {MAX_WHOLE}"),
            format!("dev'essere un numero intero da 0 a {MAX_WHOLE}"),
        )),
        _ => Err(not("a whole number", "un numero intero", value)),
    }
}

fn id<T: Id>(value: &Value) -> Result<T, Text<String>> {
    let ids = || T::ALL.iter().map(|item| item.id());
    let Value::String(word) = value else { return Err(one_of(None, ids())) };
    T::from_id(word).ok_or_else(|| one_of(Some(word), ids()))
}

/// Returns the text for a value of the wrong kind. The value itself is not repeated.
fn not(en: &str, it: &str, value: &Value) -> Text<String> {
    let (is_en, is_it) = match value {
        Value::Null => ("null", "null"),
        Value::Bool(_) => ("a boolean", "un valore logico"),
        Value::Number(_) => ("a number", "un numero"),
        Value::String(_) => ("a string", "una stringa"),
        Value::Array(_) => ("an array", "un elenco"),
        Value::Object(_) => ("an object", "un oggetto"),
    };
    Text::new(format!("must be {en}, not {is_en}"), format!("dev'essere {it}, non {is_it}"))
}
