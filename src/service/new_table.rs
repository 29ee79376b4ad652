//! Requests for a table or a seat, read strictly.

use serde_json::Value;

use crate::{
    engine::{Fields, Malformed, Seats, hash::Bytes32},
    ledger::{encoding::unhex, replay::Setting},
    rulesets::RulesetId,
    store::Visibility,
};

const LONGEST_TITLE: usize = 100;
const LONGEST_MOVE: u64 = 2_592_000;

/// A game to be created.
pub struct NewTable {
    pub setting: Setting,
    pub title: Option<String>,
    pub visibility: Visibility,
    pub move_seconds: Option<u32>,
    pub promise: Option<Bytes32>,
}

/// A seat to be taken.
pub struct Join {
    pub invite: Option<String>,
    pub promise: Option<Bytes32>,
}

impl NewTable {
    pub fn read(request: &Value) -> Result<Self, Malformed> {
        let mut fields = Fields::of(request, "")?;
        let ruleset = RulesetId::current(fields.text("ruleset")?)
            .ok_or_else(|| fields.wrong("ruleset", "is not a ruleset of this server"))?;
        let seats =
            Seats::new(fields.whole("seats")?).filter(|seats| ruleset.seats().contains(&seats.count()));
        let seats =
            seats.ok_or_else(|| fields.wrong("seats", "is not a size of table that this ruleset has"))?;
        let none = Value::Object(serde_json::Map::new());
        let options = fields.get("options").filter(|options| !options.is_null()).unwrap_or(&none);
        let options = ruleset.read_options(options, seats)?;
        let table = Self {
            setting: Setting { ruleset, options, seats },
            title: read_title(&mut fields)?,
            visibility: read_visibility(&mut fields)?,
            move_seconds: read_clock(&mut fields)?,
            promise: read_promise(&mut fields)?,
        };
        fields.end()?;
        Ok(table)
    }
}

impl Join {
    pub fn read(request: &Value) -> Result<Self, Malformed> {
        let mut fields = Fields::of(request, "")?;
        let invite = match fields.get("invite") {
            None | Some(Value::Null) => None,
            Some(_) => Some(fields.text("invite")?.to_owned()),
        };
        let promise = read_promise(&mut fields)?;
        fields.end()?;
        Ok(Self { invite, promise })
    }
}

fn read_title(fields: &mut Fields) -> Result<Option<String>, Malformed> {
    if matches!(fields.get("title"), None | Some(Value::Null)) {
        return Ok(None);
    }
    let title = fields.text("title")?.trim();
    if title.chars().count() > LONGEST_TITLE || title.chars().any(char::is_control) {
        return Err(fields.wrong("title", "must have at most 100 characters, and no control characters"));
    }
    Ok(Some(title.to_owned()).filter(|title| !title.is_empty()))
}

fn read_visibility(fields: &mut Fields) -> Result<Visibility, Malformed> {
    if matches!(fields.get("visibility"), None | Some(Value::Null)) {
        return Ok(Visibility::Public);
    }
    let word = fields.text("visibility")?;
    Visibility::from_word(word)
        .ok_or_else(|| fields.wrong("visibility", "must be `public`, `unlisted` or `private`"))
}

fn read_clock(fields: &mut Fields) -> Result<Option<u32>, Malformed> {
    let clock = match fields.get("clock") {
        None | Some(Value::Null) => return Ok(None),
        Some(clock) => clock,
    };
    let mut inner = Fields::of(clock, fields.place("clock"))?;
    let seconds = inner.whole("move_seconds")?;
    if !(1..=LONGEST_MOVE).contains(&seconds) {
        return Err(inner.wrong("move_seconds", "must be from 1 to 2,592,000"));
    }
    inner.end()?;
    Ok(u32::try_from(seconds).ok())
}

fn read_promise(fields: &mut Fields) -> Result<Option<Bytes32>, Malformed> {
    match fields.get("entropy_commit") {
        None | Some(Value::Null) => Ok(None),
        Some(_) => read_bytes(fields, "entropy_commit").map(Some),
    }
}

/// 32 bytes in hex.
pub fn read_bytes(fields: &mut Fields, field: &'static str) -> Result<Bytes32, Malformed> {
    unhex(fields.text(field)?).ok_or_else(|| fields.wrong(field, "must be 64 lowercase hex digits"))
}
