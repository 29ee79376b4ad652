//! The games that the format comes with: a whole one, in which everything happens that fairlog/2 has, and documents that a
//! dishonest server might write, each with the checks that must fail, and no others.

use std::{fmt::Debug, str::FromStr};

use serde_json::Value;

use super::hosted::failed;
use crate::{
    ledger::{evidence::Evidence, report::Report, signed::SeatKey, verify::verify},
    tree::note::{VerifierKey, WitnessKey},
};

const VECTORS: &str = include_str!("../vectors/fairlog-2-small.json");

struct Keys {
    receipts: Vec<VerifierKey>,
    logs: Vec<VerifierKey>,
    witnesses: Vec<WitnessKey>,
}

fn all<T: FromStr<Err: Debug>>(list: &Value) -> Vec<T> {
    list.as_array().unwrap().iter().map(|key| key.as_str().unwrap().parse().unwrap()).collect()
}

fn vectors() -> (Value, Keys) {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let keys = Keys {
        receipts: all(&vectors["keys"]),
        logs: all(&vectors["log_keys"]),
        witnesses: all(&vectors["witnesses"]),
    };
    (vectors, keys)
}

fn check(document: &str, keys: &Keys, quorum: usize) -> Report {
    let Keys { receipts, logs, witnesses } = keys;
    let document = document.as_bytes();
    verify(&Evidence { document, keys: receipts, logs, witnesses, quorum, ..Evidence::default() })
}

#[test]
fn the_whole_game_passes_every_check() {
    let (vectors, keys) = vectors();
    let report = check(vectors["replay"].as_str().unwrap(), &keys, 1);
    for check in &report.checks {
        let outcome = serde_json::to_value(check.outcome).unwrap();
        assert_eq!(outcome, vectors["checks"][check.name], "{report}");
    }
    assert!(report.checks[2].detail.contains(vectors["end_head"].as_str().unwrap()));
    assert_eq!(
        failed(&check(vectors["replay"].as_str().unwrap(), &keys, 2)),
        ["log_proofs"],
        "one witness is not two"
    );
}

#[test]
fn the_report_says_who_sat_where_and_signed_what() {
    let (vectors, _) = vectors();
    let document = vectors["replay"].as_str().unwrap().as_bytes();
    let known = ["8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c"];
    let players = known.map(|key| SeatKey::from_hex(key).unwrap());
    let report = verify(&Evidence { document, players: &players, ..Evidence::default() });
    let [zero, one, two] = &report.seats[..] else { panic!("three seats") };
    assert_eq!((zero.keys[0].moves, zero.keys[0].known, zero.unkeyed_at), (5, true, Some(26)));
    assert_eq!((zero.unsigned, one.unsigned, one.unkeyed_at), (1, 0, None));
    assert!(!zero.keys[1].known && zero.keys[1].moves > 0);
    assert_eq!((one.keys[0].moves, one.keys[0].plans), (1, 2));
    let from: Vec<u64> = two.holders.iter().map(|holder| holder.from_seq).collect();
    assert_eq!(from, [3, 41]);
}

#[test]
fn what_a_dishonest_server_writes_fails_the_check_that_should_speak_and_no_other() {
    let (vectors, keys) = vectors();
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    for case in cases {
        let report = check(case["replay"].as_str().unwrap(), &keys, 0);
        let expected: Vec<&str> =
            case["fails"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(failed(&report), expected, "{}: {report}", case["what"]);
    }
}

/// Of the proof, only the signature of a witness that is not given may change unseen; here all are given.
#[test]
fn every_single_bit_counts() {
    let (vectors, keys) = vectors();
    let document = vectors["replay"].as_str().unwrap().as_bytes();
    let Keys { receipts, logs, witnesses } = &keys;
    for place in (0..document.len() * 8).step_by(3) {
        let mut flipped = document.to_vec();
        flipped[place / 8] ^= 1 << (place % 8);
        let evidence = Evidence {
            document: &flipped,
            keys: receipts,
            logs,
            witnesses,
            quorum: 1,
            ..Evidence::default()
        };
        assert!(verify(&evidence).failed(), "bit {place}");
    }
}
