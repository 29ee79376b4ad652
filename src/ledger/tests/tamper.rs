//! A change of a document is found, and by the check that should find it.

use serde_json::{Value, json};

use super::hosted::{check, failed, short_game};
use crate::ledger::encoding::canonical;

fn document() -> Value {
    serde_json::from_slice(&short_game().document()).unwrap()
}

/// Changes a copy of the document and gives the checks that fail.
fn after(change: impl FnOnce(&mut Value)) -> Vec<&'static str> {
    let mut changed = document();
    change(&mut changed);
    let bytes = canonical(&changed).unwrap_or_else(|_| changed.to_string().into_bytes());
    failed(&check(&bytes, &[]))
}

fn entries(document: &mut Value) -> &mut Vec<Value> {
    document["entries"].as_array_mut().unwrap()
}

/// Gives the entries numbers without a gap again, as a forger would.
fn renumber(document: &mut Value) {
    for (seq, entry) in entries(document).iter_mut().enumerate() {
        entry["body"]["seq"] = seq.into();
    }
}

#[test]
fn every_single_bit_counts() {
    let document = short_game().document();
    for place in 0..document.len() * 8 {
        let mut flipped = document.clone();
        flipped[place / 8] ^= 1 << (place % 8);
        let failed = failed(&check(&flipped, &[]));
        let expected = ["canonical", "commitment", "chain", "receipts"];
        assert!(failed.first().is_some_and(|name| expected.contains(name)), "bit {place}: {failed:?}");
    }
}

#[test]
fn every_entry_dropped_doubled_or_swapped_is_found() {
    let count = document()["entries"].as_array().unwrap().len();
    for place in 0..count {
        let dropped = after(|document| drop(entries(document).remove(place)));
        let doubled = after(|document| {
            let entry = entries(document)[place].clone();
            entries(document).insert(place, entry);
        });
        assert!(dropped.contains(&"chain"), "{place} dropped: {dropped:?}");
        assert!(doubled.contains(&"chain"), "{place} doubled: {doubled:?}");
        if place > 0 {
            let swapped = after(|document| entries(document).swap(place - 1, place));
            assert!(swapped.contains(&"chain"), "{place} swapped: {swapped:?}");
        }
    }
}

#[test]
fn entries_numbered_again_are_found_by_the_receipt_of_the_end() {
    let count = document()["entries"].as_array().unwrap().len();
    for place in 1..count - 1 {
        let found = after(|document| {
            entries(document).remove(place);
            renumber(document);
        });
        assert!(found.contains(&"chain") || found.contains(&"receipts"), "{place}: {found:?}");
    }
}

#[test]
fn every_field_removed_or_added_is_found() {
    fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
        if let Value::Object(fields) = value {
            found.push(at.to_owned());
            for (key, value) in fields {
                paths(value, &format!("{at}/{key}"), found);
            }
        } else if let Value::Array(items) = value {
            for (place, item) in items.iter().enumerate() {
                paths(item, &format!("{at}/{place}"), found);
            }
        }
    }
    let mut objects = Vec::new();
    paths(&document(), "", &mut objects);
    assert!(objects.len() > 40);
    for object in objects {
        let added = after(|document| document.pointer_mut(&object).unwrap()["added"] = json!(1));
        assert!(!added.is_empty(), "{object}: a field more");
        let keys: Vec<String> =
            document().pointer(&object).unwrap().as_object().unwrap().keys().cloned().collect();
        for key in keys {
            let removed = after(|document| {
                document.pointer_mut(&object).unwrap().as_object_mut().unwrap().remove(&key);
            });
            assert!(!removed.is_empty(), "{object}: without {key}");
        }
    }
}

/// Which check speaks, change by change. A change of a body also breaks the head that the end's receipt
/// names.
#[test]
fn the_check_that_should_speak_speaks() {
    let command = |document: &mut Value| -> usize {
        entries(document).iter().position(|entry| entry["body"]["type"] == "cmd").unwrap()
    };
    let start = |document: &mut Value| -> usize {
        entries(document).iter().position(|entry| entry["body"]["type"] == "start").unwrap()
    };
    assert_eq!(after(|d| d["proofs"] = json!([1])), ["canonical"]);
    assert_eq!(after(|d| d["format"] = json!("fairlog/2")), ["canonical"]);
    assert_eq!(after(|d| d["server_seed"] = json!("00".repeat(32)))[0], "commitment");
    assert_eq!(after(|d| entries(d)[3]["body"]["at"] = json!(1)), ["chain"]);
    assert_eq!(after(|d| d["receipts"] = json!([])), ["receipts"]);
    assert_eq!(after(|d| d["receipts"] = json!([d["receipts"][0], d["receipts"][0]])), ["canonical"]);
    assert_eq!(after(|d| entries(d)[4]["body"]["entropy"] = json!("33".repeat(32))), ["receipts", "entropy"]);
    assert_eq!(
        after(|d| {
            let start = start(d);
            let out = entries(d)[start]["secret"]["draws"][0]["out"].as_array_mut().unwrap();
            out.swap(0, 1);
        })[..2],
        ["receipts", "draws"]
    );
    assert_eq!(
        after(|d| {
            let start = start(d);
            entries(d)[start]["secret"]["draws"][0]["n"] = json!(1);
        }),
        ["receipts", "draws", "rules"]
    );
    assert_eq!(
        after(|d| {
            let command = command(d);
            entries(d)[command]["body"]["cmd"]["column"] = json!(1);
        }),
        ["receipts", "rules"],
        "an autopilot that does not play as it must"
    );
    assert_eq!(
        after(|d| {
            let command = command(d);
            entries(d)[command]["body"]["cmd"]["column"] = json!(9);
            entries(d)[command]["body"]["by"] = json!("player");
        }),
        ["receipts", "rules"],
        "a command that the rules refuse"
    );
    assert_eq!(
        after(|d| entries(d).last_mut().unwrap()["body"]["result"][0]["score"] = json!(99)),
        ["receipts", "rules"]
    );
    assert_eq!(
        after(|d| drop(entries(d)[0]["body"]["options"].as_object_mut().unwrap().remove("open_cash"))),
        ["receipts", "draws", "rules"],
        "defaults must be written out"
    );
}
