//! The terms of a table, fixed before the first join.

use serde_json::{Value, json};

use super::encoding::{LedgerFields as _, hex};
use crate::engine::{Fields, Malformed, Text, hash::Bytes32};

/// The longest time of a clock in seconds: 30 days.
pub const LONGEST: u64 = 2_592_000;
/// Most seats of the format. Each ruleset allows fewer.
const MOST_SEATS: u64 = 100;

#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    pub ruleset: String,
    pub version: u64,
    pub options: Value,
    pub seats: u64,
    pub clock: Option<Clock>,
    pub takebacks: bool,
    pub substitutes: bool,
    /// Whether the game counts for ratings.
    pub rated: bool,
    pub event: Option<TournamentTable>,
    pub previous: Option<Previous>,
}

/// The time for each decision, and a reserve for all of them together.
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

    pub fn write(self) -> Value {
        json!({"move_seconds": self.move_seconds, "bank_seconds": self.bank_seconds})
    }
}

/// The tournament of a table: the table's number, and the head of the tournament's log after the entry of
/// this game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TournamentTable {
    pub tournament: String,
    pub no: u64,
    pub head: Bytes32,
}

impl TournamentTable {
    pub fn write(&self) -> Value {
        json!({"tournament": self.tournament, "no": self.no, "head": hex(&self.head)})
    }
}

/// The previous game of a rematch, and the head of its `end`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Previous {
    pub game: String,
    pub head: Bytes32,
}

impl Previous {
    pub fn write(&self) -> Value {
        json!({"game": self.game, "head": hex(&self.head)})
    }
}

impl Terms {
    /// Returns terms with rules only.
    pub fn of(ruleset: &str, version: u64, options: Value, seats: u64) -> Self {
        Self {
            ruleset: ruleset.to_owned(),
            version,
            options,
            seats,
            clock: None,
            takebacks: false,
            substitutes: false,
            rated: false,
            event: None,
            previous: None,
        }
    }

    pub fn read(fields: &mut Fields) -> Result<Self, Malformed> {
        let mut rules = Fields::of(fields.value("rules")?, fields.place("rules"))?;
        let (ruleset, version) = (rules.text("name")?.to_owned(), rules.whole("version")?);
        let plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-';
        if !(1..=64).contains(&ruleset.len()) || !ruleset.bytes().all(plain) {
            let (en, it) = ("must match [a-z0-9_-]{1,64}", "deve corrispondere a [a-z0-9_-]{1,64}");
            return Err(rules.wrong("name", Text::new(en, it)));
        }
        if version == 0 {
            return Err(rules.wrong("version", at_least(1)));
        }
        rules.end()?;
        let options = fields.value("options")?;
        if !options.is_object() {
            return Err(fields.wrong("options", Text::new("must be an object", "dev'essere un oggetto")));
        }
        let seats = fields.whole("seats")?;
        if !(1..=MOST_SEATS).contains(&seats) {
            return Err(fields.wrong("seats", from_to(1, MOST_SEATS)));
        }
        Ok(Self {
            ruleset,
            version,
            options: options.clone(),
            seats,
            clock: or_null(fields, "clock", read_clock)?,
            takebacks: read_flag(fields, "takebacks")?,
            substitutes: read_flag(fields, "substitutes")?,
            rated: read_flag(fields, "rated")?,
            event: or_null(fields, "event", read_event)?,
            previous: or_null(fields, "previous", read_previous)?,
        })
    }
}

fn at_least(least: u64) -> Text<String> {
    Text::new(format!("must be at least {least}"), format!("dev'essere almeno {least}"))
}

fn from_to(least: u64, most: u64) -> Text<String> {
    Text::new(format!("must be from {least} to {most}"), format!("dev'essere da {least} a {most}"))
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
        within.ok_or_else(|| fields.wrong(name, from_to(least, LONGEST)))
    };
    let clock =
        Clock { move_seconds: seconds("move_seconds", 1)?, bank_seconds: seconds("bank_seconds", 0)? };
    fields.end().map(|()| clock)
}

fn read_event(event: &Value, at: String) -> Result<TournamentTable, Malformed> {
    let mut fields = Fields::of(event, at)?;
    let event = TournamentTable {
        tournament: fields.ledger_id("tournament")?,
        no: fields.whole("no")?,
        head: fields.hex32("head")?,
    };
    fields.end().map(|()| event)
}

fn read_previous(previous: &Value, at: String) -> Result<Previous, Malformed> {
    let mut fields = Fields::of(previous, at)?;
    let previous = Previous { game: fields.ledger_id("game")?, head: fields.hex32("head")? };
    fields.end().map(|()| previous)
}

fn read_flag(fields: &mut Fields, field: &'static str) -> Result<bool, Malformed> {
    let flag = fields.value(field)?.as_bool();
    flag.ok_or_else(|| fields.wrong(field, Text::new("must be true or false", "dev'essere true o false")))
}
