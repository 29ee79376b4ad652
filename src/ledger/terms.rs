//! What a table of fairlog/2 agrees on beside the rules, before anybody joins.

use serde_json::{Value, json};

use super::encoding::{LedgerFields as _, hex};
use crate::engine::{Fields, Malformed, hash::Bytes32};

/// The longest time that a clock may give, in seconds: 30 days.
pub const LONGEST: u64 = 2_592_000;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Terms {
    /// How long a seat has to decide; without one it has for ever.
    pub clock: Option<Clock>,
    /// Whether a seat may take back what it did.
    pub takebacks: bool,
    /// Whether another player may take a seat over.
    pub substitutes: bool,
    /// The game of which this is a rematch.
    pub previous: Option<Previous>,
}

/// So many seconds for each decision, and a reserve for all of them together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    pub move_seconds: u32,
    pub bank_seconds: u32,
}

impl Clock {
    pub const fn move_ms(self) -> u64 {
        self.move_seconds as u64 * 1_000
    }

    pub const fn bank_ms(self) -> u64 {
        self.bank_seconds as u64 * 1_000
    }
}

/// The game before, and the head of its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Previous {
    pub game: String,
    pub head: Bytes32,
}

impl Terms {
    /// Writes them into a genesis.
    pub fn write(&self, genesis: &mut Value) {
        let Self { clock, takebacks, substitutes, previous } = self;
        genesis["clock"] = clock.map_or(Value::Null, |Clock { move_seconds, bank_seconds }| {
            json!({"move_seconds": move_seconds, "bank_seconds": bank_seconds})
        });
        genesis["takebacks"] = (*takebacks).into();
        genesis["substitutes"] = (*substitutes).into();
        genesis["previous"] = previous
            .as_ref()
            .map_or(Value::Null, |Previous { game, head }| json!({"game": game, "head": hex(head)}));
    }

    pub fn read(fields: &mut Fields) -> Result<Self, Malformed> {
        Ok(Self {
            clock: or_null(fields, "clock", read_clock)?,
            takebacks: read_flag(fields, "takebacks")?,
            substitutes: read_flag(fields, "substitutes")?,
            previous: or_null(fields, "previous", read_previous)?,
        })
    }
}

fn or_null<T>(
    fields: &mut Fields,
    field: &'static str,
    read: impl FnOnce(&Value, String) -> Result<T, Malformed>,
) -> Result<Option<T>, Malformed> {
    let value = fields.value(field)?;
    (!value.is_null()).then(|| read(value, fields.place(field))).transpose()
}

fn read_clock(clock: &Value, at: String) -> Result<Clock, Malformed> {
    let mut fields = Fields::of(clock, at)?;
    let mut seconds = |name, least| {
        let number = fields.whole(name)?;
        let within = u32::try_from(number).ok().filter(|_| (least..=LONGEST).contains(&number));
        within.ok_or_else(|| fields.wrong(name, format!("must be from {least} to {LONGEST}")))
    };
    let clock =
        Clock { move_seconds: seconds("move_seconds", 1)?, bank_seconds: seconds("bank_seconds", 0)? };
    fields.end().map(|()| clock)
}

fn read_previous(previous: &Value, at: String) -> Result<Previous, Malformed> {
    let mut fields = Fields::of(previous, at)?;
    let previous = Previous { game: fields.text("game")?.to_owned(), head: fields.hex32("head")? };
    fields.end().map(|()| previous)
}

fn read_flag(fields: &mut Fields, field: &'static str) -> Result<bool, Malformed> {
    let flag = fields.value(field)?.as_bool();
    flag.ok_or_else(|| fields.wrong(field, "must be true or false"))
}
