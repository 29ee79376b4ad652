//! Golden documents, which every later version must verify and write to the same bytes. Together they contain
//! every type of entry and of end.
//!
//! `PLAYLEDGER_GOLDEN=write cargo test golden` writes missing documents. Existing ones stay for ever.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::json;

use super::{
    played::{self, Played, check, failed, key},
    random,
};
use crate::ledger::{
    chain::{Chain, Link},
    document::{self, Document},
    entry::{Body, PlainAct, Reason},
};

const NAMES: [&str; 6] = ["short", "industrial-waste", "ecopolis", "abandoned", "void", "halted"];

fn make(name: &str) -> Played {
    match name {
        "short" => short(),
        "abandoned" => random::abandoned_game(),
        "void" => random::void_game(),
        "halted" => random::halted_game(),
        ruleset => random::random_game(ruleset, rich(ruleset)),
    }
}

/// A game of a signing seat and another one that resigns.
fn short() -> Played {
    let options = json!({"first_seat": 0, "max_rounds": 1});
    let mut played = Played::start("industrial-waste", &[Some(1), None], &options, played::terms());
    played.move_once();
    played.act(PlainAct::Resign, 1);
    played
}

/// Returns the number of the first random game with most kinds of entries.
fn rich(ruleset: &str) -> u64 {
    let most = (0..200).max_by_key(|number| kinds(&random::random_game(ruleset, *number).document()).len());
    most.unwrap()
}

/// Returns the types of a document's entries, with their variants.
fn kinds(document: &[u8]) -> BTreeSet<String> {
    let read = Document::read(document, &|| true).unwrap();
    read.entries().map(|recorded| kind(&recorded.entry.body)).collect()
}

fn kind(body: &Body) -> String {
    let more = match body {
        Body::Cmd { by, .. } => by.word(),
        Body::End(end) => end.reason.word(),
        Body::Act { signed: None, act: PlainAct::Rekey, .. } => "unsigned",
        _ => "",
    };
    let device = body.signed().is_some_and(|signed| !signed.devices.is_empty());
    format!("{} {more}{}", body.kind(), if device { " device" } else { "" })
}

#[test]
fn golden_documents_verify_and_are_written_to_the_same_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ledger/golden");
    let trusted = fs::read_to_string(folder.join("verifier-key.txt")).unwrap();
    assert_eq!(trusted.trim_end(), key().to_string());
    let mut seen = BTreeSet::new();
    for name in NAMES {
        let path = folder.join(format!("{name}.json"));
        if !path.exists() && std::env::var("PLAYLEDGER_GOLDEN").as_deref() == Ok("write") {
            fs::write(&path, make(name).document()).unwrap();
        }
        let kept = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let report = check(&kept);
        assert_eq!(failed(&report), Vec::<&str>::new(), "{name}: {report}");
        assert_eq!(written_again(&kept), kept, "{name}");
        seen.extend(kinds(&kept));
    }
    let mut expected: Vec<String> =
        Reason::ALL.iter().map(|reason| format!("end {}", reason.word())).collect();
    expected.extend(PlainAct::ALL.iter().map(|act| format!("{} ", act.word())));
    for kind in [
        "genesis ",
        "join ",
        "leave ",
        "reveal ",
        "start ",
        "takeback ",
        "hand ",
        "revoke ",
        "autopilot ",
        "remove ",
        "outage ",
    ] {
        expected.push(kind.to_owned());
    }
    expected.extend(
        ["cmd player", "cmd player device", "cmd plan", "cmd autopilot", "rekey unsigned"].map(str::to_owned),
    );
    let missing: Vec<&String> = expected.iter().filter(|kind| !seen.contains(*kind)).collect();
    assert!(missing.is_empty(), "{missing:?} of {seen:?}");
}

/// Reads a document, and writes its entries to a new chain and document.
fn written_again(document: &[u8]) -> Vec<u8> {
    let read = Document::read(document, &|| true).unwrap();
    let mut chain = Chain::new(read.format);
    let links: Vec<Link> = read
        .entries()
        .map(|recorded| {
            let entry = recorded.entry;
            chain.append(&read.server_seed, entry.at, &entry.body, &entry.draws).unwrap()
        })
        .collect();
    document::write(links.iter().map(Link::parts), &read.server_seed, &read.receipt, &read.proofs)
}
