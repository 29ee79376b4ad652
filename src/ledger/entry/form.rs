//! Fields that both formats write alike.

use serde_json::{Value, json};

use super::{Body, Genesis};
use crate::{
    engine::{Fields, Malformed},
    ledger::encoding::{LedgerFields as _, hex},
};

/// More than any game has; which sizes a game allows, its rules say.
const MOST_SEATS: u64 = 1_000;

pub fn read_seat(fields: &mut Fields) -> Result<u64, Malformed> {
    fields.whole("seat")
}

pub fn read_any(fields: &mut Fields, field: &'static str) -> Result<Value, Malformed> {
    fields.value(field).cloned()
}

pub fn read_reveal(fields: &mut Fields) -> Result<Body, Malformed> {
    Ok(Body::Reveal { seat: read_seat(fields)?, entropy: fields.hex32("entropy")? })
}

pub fn read_word<T: Copy>(
    fields: &mut Fields,
    field: &'static str,
    all: &[T],
    word: impl Fn(T) -> &'static str,
) -> Result<T, Malformed> {
    let text = fields.text(field)?;
    let found = all.iter().copied().find(|one| word(*one) == text);
    found.ok_or_else(|| not_a_word(fields, field))
}

pub fn not_a_word(fields: &Fields, field: &str) -> Malformed {
    fields.wrong(field, "is not one of the words that stand here")
}

pub fn not_a_type(fields: &Fields) -> Malformed {
    fields.wrong("type", "is not a type of entry")
}

pub fn write_genesis(genesis: &Genesis) -> Value {
    json!({
        "format": genesis.format.name(), "game": genesis.game, "options": genesis.options, "seats": genesis.seats,
        "rules": {"name": genesis.ruleset, "version": genesis.version}, "commit": hex(&genesis.commit),
    })
}

/// Reads what a genesis of each format has; the terms are those of a game that agreed on nothing more.
pub fn read_genesis(format: crate::engine::Format, fields: &mut Fields) -> Result<Genesis, Malformed> {
    if fields.text("format")? != format.name() {
        return Err(fields.wrong("format", format!("is not {}", format.name())));
    }
    let mut rules = Fields::of(fields.value("rules")?, fields.place("rules"))?;
    let (ruleset, version) = (rules.text("name")?.to_owned(), rules.whole("version")?);
    rules.end()?;
    let seats = fields.whole("seats")?;
    if !(1..=MOST_SEATS).contains(&seats) {
        return Err(fields.wrong("seats", "is not a size of table"));
    }
    Ok(Genesis {
        format,
        game: fields.text("game")?.to_owned(),
        ruleset,
        version,
        options: fields.value("options")?.clone(),
        seats,
        commit: fields.hex32("commit")?,
        terms: crate::ledger::terms::Terms::default(),
    })
}
