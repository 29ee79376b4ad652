//! Hostile documents: each is refused, with no more work and memory than its length.

use std::cell::Cell;

use serde_json::json;

use super::{
    forged::{after, entries, place_of},
    played::failed,
    random::halted_game,
};
use crate::ledger::{
    document::MOST_BYTES,
    evidence::Evidence,
    verify::{verify, verify_while},
};

fn refused(document: &[u8]) {
    let report = verify(&Evidence { document, ..Evidence::default() });
    assert_eq!(failed(&report), ["canonical"]);
    assert!(report.checks[0].detail.len() < 300, "a short answer to a long document");
}

#[test]
fn deep_long_and_large_documents_are_refused() {
    refused(&b"[".repeat(MOST_BYTES));
    refused(&br#"{"a":"#.repeat(MOST_BYTES / 5));
    refused(&b"x".repeat(MOST_BYTES + 1));
    refused(format!(r#"{{"{}":1}}"#, "a".repeat(16_000_000)).as_bytes());
    refused(b"");
    refused(b"\xff\xfe");
    let with = |entries: &str| {
        let rest =
            format!(r#""format":"fairlog/3","proofs":[],"receipt":"","server_seed":"{}""#, "00".repeat(32));
        format!(r#"{{"entries":{entries},{rest}}}"#).into_bytes()
    };
    refused(&with(&format!("[{}0]", "0,".repeat(8_000_000))));
    refused(&with(&format!("[{}0]", "{},".repeat(5_000_000))));
    refused(&with(&format!("\"{}\"", "a".repeat(16_000_000))));
    refused(&with(&format!("[{{\"body\":{}{}}}]", "[".repeat(1_000_000), "]".repeat(1_000_000))));
    refused(&with(&format!("[{{\"body\":[{}0]}}]", "0,".repeat(1_000_000))));
}

/// A verification is cancelled in the middle.
#[test]
fn work_ends_when_nobody_waits_for_it() {
    let document = halted_game().document();
    let evidence = Evidence { document: &document, ..Evidence::default() };
    let asked = Cell::new(0);
    let most = |most| {
        asked.set(0);
        let is_wanted = || {
            asked.set(asked.get() + 1);
            asked.get() <= most
        };
        (verify_while(&evidence, &is_wanted).is_some(), asked.get())
    };
    let (is_done, whole) = most(u32::MAX);
    assert!(is_done);
    for patience in [0, 1, whole / 2] {
        let (is_done, asked) = most(patience);
        assert!(!is_done && asked < patience + 10, "asked {asked} times after {patience}");
    }
}

#[test]
fn draws_beyond_all_bounds_ask_for_no_work() {
    let played = halted_game();
    let start = place_of(&entries(&played), "type", "start");
    for (draw, found_by) in [
        (json!({"n": 0, "out": [], "shuffle": u32::MAX, "use": "deck"}), "draws"),
        (json!({"n": 0, "out": [0], "roll": [u32::MAX], "use": "deck"}), "draws"),
        (json!({"n": 0, "out": [0], "roll": [0], "use": "deck"}), "canonical"),
        (json!({"n": 0, "out": [0], "roll": [1_u64 << 32], "use": "deck"}), "canonical"),
        (json!({"n": 0, "out": [-1], "roll": [2], "use": "deck"}), "canonical"),
        (json!({"n": 0, "out": [0], "roll": [2], "shuffle": 1, "use": "deck"}), "canonical"),
    ] {
        let failed = after(&played, |entries| entries[start]["secret"] = json!({"draws": [draw]}));
        assert_eq!(failed[0], found_by, "{draw}");
    }
}

/// Texts of a document appear on terminals.
#[test]
fn no_document_paints_over_its_report() {
    let played = halted_game();
    let start = place_of(&entries(&played), "type", "start");
    let label = format!("\u{1b}[2J\u{1b}[H{}", "all passed ".repeat(1_000));
    let draw = json!({"n": 1, "out": [0], "roll": [1], "use": label});
    let report =
        super::forged::report(&played, |entries| entries[start]["secret"] = json!({"draws": [draw]}));
    assert_eq!(failed(&report)[0], "draws");
    let shown = report.to_string();
    assert!(!shown.contains('\u{1b}') && shown.len() < 6_000, "{shown:?}");
}
