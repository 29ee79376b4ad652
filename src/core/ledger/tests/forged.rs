//! Forgeries of a dishonest server: changed entries with a new chain and receipt.

use serde_json::{Value, json};

use super::played::{GAME, Played, check, failed, signer};
use crate::{
    engine::Format,
    ledger::{
        chain::{Chain, Link},
        document,
        entry::Entry,
        receipt::Receipt,
        report::Report,
    },
};

/// The entries of a game, as they stand in its document.
pub fn entries(played: &Played) -> Vec<Value> {
    let whole: Value = serde_json::from_slice(&played.document()).unwrap();
    whole["entries"].as_array().unwrap().clone()
}

/// Returns the document of changed entries, if they can be written.
pub fn anew(played: &Played, entries: &[Value]) -> Option<Vec<u8>> {
    let mut chain = Chain::new(Format::Three);
    let link = |entry: &Value| -> Option<Link> {
        let read = Entry::read(Format::Three, &entry["body"], entry.get("secret"), "entry").ok()?;
        chain.append(&played.seed, read.at, &read.body, &read.draws).ok()
    };
    let links: Vec<Link> = entries.iter().map(link).collect::<Option<_>>()?;
    let Link { seq, at, head, .. } = *links.last()?;
    let receipt = signer().sign(&Receipt { game: GAME.into(), seq, at, head });
    Some(document::write(links.iter().map(Link::parts), &played.seed, &receipt, &[]))
}

/// The report of a game after a change.
pub fn report(played: &Played, change: impl FnOnce(&mut Vec<Value>)) -> Report {
    let mut changed = entries(played);
    change(&mut changed);
    renumber(&mut changed);
    check(&anew(played, &changed).unwrap_or_else(|| b"{}".to_vec()))
}

/// Returns the checks that fail after a change.
pub fn after(played: &Played, change: impl FnOnce(&mut Vec<Value>)) -> Vec<&'static str> {
    failed(&report(played, change))
}

/// Returns the index of the first entry with this member.
pub fn place_of(entries: &[Value], member: &str, value: &str) -> usize {
    entries.iter().position(|entry| entry["body"][member] == value).unwrap()
}

/// Inserts an entry at the time of the previous one.
pub fn put_in(entries: &mut Vec<Value>, place: usize, mut body: Value) {
    body["at"] = entries[place - 1]["body"]["at"].clone();
    entries.insert(place, json!({"body": body}));
}

pub fn act(act: &str, seat: u64) -> Value {
    json!({"type": act, "seat": seat, "signed": null})
}

fn renumber(entries: &mut [Value]) {
    for (seq, entry) in entries.iter_mut().enumerate() {
        entry["body"]["seq"] = seq.into();
    }
}
