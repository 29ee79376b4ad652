//! Documents made to hurt: each is refused, and none asks for more work or memory than it is long.

use std::cell::Cell;

use serde_json::json;

use super::hosted::{Hosted, check, failed, short_game};
use crate::ledger::{
    document::MOST_BYTES,
    entry::{Body, Holder, Join},
    evidence::Evidence,
    verify::{verify, verify_while},
};

fn refused(document: &[u8], why: &str) {
    let report = verify(&Evidence { document, ..Evidence::default() });
    assert_eq!(failed(&report), ["canonical"]);
    assert!(report.checks[0].detail.contains(why), "{}", report.checks[0].detail);
    assert!(report.checks[0].detail.len() < 300, "a short answer to a long document");
}

#[test]
fn deep_long_and_large_documents_are_refused() {
    refused(&b"[".repeat(MOST_BYTES), "invalid type: sequence");
    refused(&br#"{"a":"#.repeat(MOST_BYTES / 5), "EOF");
    refused(&b"x".repeat(MOST_BYTES + 1), "larger than 16 MiB");
    let key = format!(r#"{{"{}":1}}"#, "a".repeat(16_000_000));
    refused(key.as_bytes(), "format");
    refused(b"", "EOF");
    refused(b"\xff\xfe", "invalid utf-8");
    let with = |entries: &str| {
        let rest =
            format!(r#""format":"fairlog/1","proofs":[],"receipts":[],"server_seed":"{}""#, "00".repeat(32));
        format!(r#"{{"entries":{entries},{rest}}}"#).into_bytes()
    };
    refused(&with(&format!("[{}0]", "0,".repeat(8_000_000))), "invalid type: integer");
    refused(&with(&format!("[{}0]", "{},".repeat(5_000_000))), "entries[0].body: is missing");
    refused(&with(&format!("\"{}\"", "a".repeat(16_000_000))), "invalid type: string");
    let deep = format!("[{{\"body\":{}{}}}]", "[".repeat(1_000_000), "]".repeat(1_000_000));
    refused(&with(&deep), "recursion limit");
    let large = format!("[{{\"body\":[{}0]}}]", "0,".repeat(1_000_000));
    refused(&with(&large), "too many values");
}

/// Whoever asked for a verification may go away in the middle of it.
#[test]
fn work_ends_when_nobody_waits_for_it() {
    let document = short_game().document();
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
    let mut hosted = short_game();
    let start = hosted.links.iter().position(|link| link.secret.is_some()).unwrap();
    for (draw, found_by) in [
        (json!({"n": 0, "out": [], "shuffle": u32::MAX, "use": "deck"}), "draws"),
        (json!({"n": 0, "out": [0], "roll": [u32::MAX], "use": "deck"}), "draws"),
        (json!({"n": 0, "out": [0], "roll": [0], "use": "deck"}), "canonical"),
        (json!({"n": 0, "out": [0], "roll": [1_u64 << 32], "use": "deck"}), "canonical"),
        (json!({"n": 0, "out": [-1], "roll": [2], "use": "deck"}), "canonical"),
        (json!({"n": 0, "out": [0], "roll": [2], "shuffle": 1, "use": "deck"}), "canonical"),
    ] {
        let secret = json!({"draws": [draw]});
        hosted.links[start].secret = Some(secret.to_string().into_bytes());
        let failed = failed(&check(&hosted.document(), &[]));
        assert!(failed.contains(&found_by), "{secret}: {failed:?}");
    }
    hosted.links[start].secret = Some(br#"{"draws":[]}"#.to_vec());
    assert_eq!(failed(&check(&hosted.document(), &[])), ["canonical"]);
}

type Change = fn(&mut Hosted);

/// What a document says is shown on terminals.
#[test]
fn no_document_paints_over_its_report() {
    let mut hosted = short_game();
    let start = hosted.links.iter().position(|link| link.secret.is_some()).unwrap();
    let label = format!("\u{1b}[2J\u{1b}[H{}", "all passed ".repeat(1_000));
    let secret = json!({"draws": [{"n": 1, "out": [0], "roll": [1], "use": label}]});
    hosted.links[start].secret = Some(serde_json::to_vec(&secret).unwrap());
    let report = check(&hosted.document(), &[]);
    assert_eq!(failed(&report), ["receipts", "draws", "rules"]);
    let shown = report.to_string();
    assert!(!shown.contains('\u{1b}') && shown.len() < 4_000, "{shown:?}");
}

#[test]
fn entries_that_cannot_stand_there_are_found_by_the_chain() {
    let base = || Hosted::open(2, &json!({"max_rounds": 1}), 7);
    let changes: [Change; 9] = [
        |hosted| hosted.add(&Body::Seal),
        |hosted| hosted.add(&Body::Join(Join { seat: 2, holder: Holder::person(""), commit: None })),
        |hosted| {
            hosted.add(&Body::Join(Join { seat: u64::MAX >> 11, holder: Holder::person(""), commit: None }));
        },
        |hosted| hosted.add(&Body::Leave { seat: 0 }),
        |hosted| hosted.add(&Body::Start),
        |hosted| hosted.add(&Body::Reveal { seat: 0, entropy: [0; 32] }),
        |hosted| {
            hosted.fill(&[None, None]);
            hosted.add(&Body::Reveal { seat: 5, entropy: [0; 32] });
        },
        |hosted| {
            hosted.call_off();
            hosted.add(&Body::Seal);
        },
        |hosted| {
            hosted.fill(&[None, None]);
            hosted.reveal_and_start(&[None, None]);
        },
    ];
    for (number, change) in changes.iter().enumerate() {
        let mut hosted = base();
        change(&mut hosted);
        hosted.call_off();
        assert_eq!(failed(&check(&hosted.document(), &[])), ["chain"], "change {number}");
    }
    let mut endless = base();
    endless.fill(&[None, None]);
    assert_eq!(failed(&check(&endless.document(), &[])), ["chain"], "a log without an end");
}

#[test]
fn tables_of_a_size_that_the_rules_do_not_know_are_not_played() {
    let mut hosted = Hosted::open(2, &json!({}), 7);
    let first = String::from_utf8(hosted.links[0].body.clone()).unwrap();
    for (seats, found_by) in [("1", "rules"), ("1001", "canonical"), ("0", "canonical")] {
        let body = first.replace(r#""seats":2"#, &format!(r#""seats":{seats}"#));
        hosted.links[0].body = body.into_bytes();
        let mut document = Hosted::open(2, &json!({}), 7);
        document.links[0].body.clone_from(&hosted.links[0].body);
        document.add(&Body::Join(Join { seat: 0, holder: Holder::person("a"), commit: None }));
        document.add(&Body::Seal);
        document.add(&Body::Start);
        document.add(&Body::End {
            reason: crate::ledger::entry::Reason::Finished,
            result: serde_json::Value::Null,
        });
        let failed = failed(&check(&document.document(), &[]));
        assert!(failed.contains(&found_by), "{seats} seats: {failed:?}");
    }
}
