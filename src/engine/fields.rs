//! Reading what a client sent, strictly: every field by its name and type, and nothing else.
//!
//! Derived deserializers take more than the contract allows (an array for a struct, an index for a tag,
//! an object for an id), so commands and options are read field by field.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::{Seat, Seats, id::Id};

/// The largest whole number that every JSON reader keeps exactly: 2^53 - 1.
pub const MAX_WHOLE: u64 = (1 << 53) - 1;

/// A value that is not of the form the contract gives.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{at}: {problem}")]
pub struct Malformed {
    /// Where, for instance `command.areas[1]`.
    pub at: String,
    pub problem: String,
}

impl Malformed {
    pub fn new(at: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { at: at.into(), problem: problem.into() }
    }
}

/// The fields of an object, each of which must be read once.
pub struct Fields<'v> {
    at: String,
    object: &'v Map<String, Value>,
    read: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    pub fn of(value: &'v Value, at: impl Into<String>) -> Result<Self, Malformed> {
        let at = at.into();
        match value {
            Value::Object(object) => Ok(Self { at, object, read: Vec::new() }),
            other => Err(Malformed::new(at, format!("must be an object, not {}", name(other)))),
        }
    }

    /// The field, if it is there.
    pub fn get(&mut self, field: &'static str) -> Option<&'v Value> {
        self.read.push(field);
        self.object.get(field)
    }

    fn need(&mut self, field: &'static str) -> Result<&'v Value, Malformed> {
        self.get(field).ok_or_else(|| self.wrong(field, "is missing"))
    }

    pub fn text(&mut self, field: &'static str) -> Result<&'v str, Malformed> {
        let at = self.place(field);
        let value = self.need(field)?;
        value.as_str().ok_or_else(|| Malformed::new(at, format!("must be a string, not {}", name(value))))
    }

    pub fn whole(&mut self, field: &'static str) -> Result<u64, Malformed> {
        let at = self.place(field);
        whole(self.need(field)?, at)
    }

    fn whole_or(&mut self, field: &'static str, missing: u64) -> Result<u64, Malformed> {
        let at = self.place(field);
        self.get(field).map_or(Ok(missing), |value| whole(value, at))
    }

    /// A number that is 0 when it is left out.
    pub fn whole_or_zero(&mut self, field: &'static str) -> Result<u64, Malformed> {
        self.whole_or(field, 0)
    }

    /// A number that must lie in a range, or has its default when it is left out.
    pub fn whole_within(
        &mut self,
        field: &'static str,
        range: RangeInclusive<u64>,
        missing: u64,
    ) -> Result<u64, Malformed> {
        let number = self.whole_or(field, missing)?;
        if range.contains(&number) {
            return Ok(number);
        }
        Err(self.wrong(field, &format!("must be from {} to {}", range.start(), range.end())))
    }

    /// A number that may be null or left out.
    fn whole_or_null(&mut self, field: &'static str) -> Result<Option<u64>, Malformed> {
        let at = self.place(field);
        self.get(field).filter(|value| !value.is_null()).map(|value| whole(value, at)).transpose()
    }

    /// A seat of this table that may be null or left out.
    pub fn seat_or_null(&mut self, field: &'static str, seats: Seats) -> Result<Option<Seat>, Malformed> {
        let Some(number) = self.whole_or_null(field)? else {
            return Ok(None);
        };
        let seat = seats.seat(number);
        seat.map(Some).ok_or_else(|| self.wrong(field, "must be one of the seats, counted from 0"))
    }

    /// A flag that is false when it is left out.
    pub fn flag(&mut self, field: &'static str) -> Result<bool, Malformed> {
        match self.get(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(field, &format!("must be true or false, not {}", name(other)))),
        }
    }

    pub fn id<T: Id>(&mut self, field: &'static str) -> Result<T, Malformed> {
        let at = self.place(field);
        id(self.need(field)?, at)
    }

    pub fn ids<T: Id>(&mut self, field: &'static str) -> Result<Vec<T>, Malformed> {
        let value = self.need(field)?;
        self.list(field, value)
    }

    /// A list of ids that is empty when it is left out.
    pub fn ids_or_none<T: Id>(&mut self, field: &'static str) -> Result<Vec<T>, Malformed> {
        self.get(field).map_or(Ok(Vec::new()), |value| self.list(field, value))
    }

    fn list<T: Id>(&self, field: &str, value: &Value) -> Result<Vec<T>, Malformed> {
        let Value::Array(items) = value else {
            return Err(self.wrong(field, &format!("must be an array, not {}", name(value))));
        };
        let at = self.place(field);
        items.iter().enumerate().map(|(i, item)| id(item, format!("{at}[{i}]"))).collect()
    }

    /// Ends the reading: a field that nobody asked for is an error.
    pub fn end(self) -> Result<(), Malformed> {
        match self.object.keys().find(|key| !self.read.contains(&key.as_str())) {
            Some(unknown) => Err(Malformed::new(self.place(&clip(unknown)), "is not a field here")),
            None => Ok(()),
        }
    }

    pub fn unknown_type(&self, word: &str) -> Malformed {
        self.wrong("type", &format!("`{}` is not a type of command", clip(word)))
    }

    pub fn wrong(&self, field: &str, problem: &str) -> Malformed {
        Malformed::new(self.place(field), problem)
    }

    pub fn place(&self, field: &str) -> String {
        if self.at.is_empty() { field.to_owned() } else { format!("{}.{field}", self.at) }
    }
}

fn whole(value: &Value, at: String) -> Result<u64, Malformed> {
    match value.as_u64() {
        Some(number) if number <= MAX_WHOLE => Ok(number),
        _ if value.is_number() => {
            Err(Malformed::new(at, format!("must be a whole number from 0 to {MAX_WHOLE}")))
        }
        _ => Err(Malformed::new(at, format!("must be a whole number, not {}", name(value)))),
    }
}

fn id<T: Id>(value: &Value, at: String) -> Result<T, Malformed> {
    let Value::String(word) = value else {
        return Err(Malformed::new(at, format!("must be the id of a {}, not {}", T::NOUN, name(value))));
    };
    T::from_id(word)
        .ok_or_else(|| Malformed::new(at, format!("`{}` is not the id of a {}", clip(word), T::NOUN)))
}

/// What a value is, for an error that must not repeat it.
fn name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The beginning of a stranger's word, short and plain enough to be repeated in an error: it may be shown on a
/// terminal, where a control character could paint over what was said.
pub fn clip(word: &str) -> String {
    const MOST: usize = 40;
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let rest = word.chars().nth(MOST).map(|_| '…');
    word.chars().take(MOST).map(plain).chain(rest).collect()
}
