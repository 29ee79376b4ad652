//! Golden documents: both kinds of ending, which every later build must verify and write to the same bytes.
//!
//! `PLAYLEDGER_GOLDEN=write cargo test golden` writes those that are missing; one that is there is kept for ever.

use std::{fs, path::Path};

use serde_json::json;

use super::{
    hosted::{Hosted, key, random_game, short_game},
    played,
};
use crate::ledger::{
    chain::{Chain, Link},
    document::{self, Document},
    entry::Body,
    evidence::Evidence,
    verify::verify,
};

/// The document of a game that is worth keeping.
fn make(name: &str) -> Vec<u8> {
    match name {
        "two-industrial-waste" => played::random_game("industrial-waste", 131).document(),
        "two-ecopolis" => played::random_game("ecopolis", 12).document(),
        "two-abandoned" => played::abandoned_game().document(),
        _ => make_one(name).document(),
    }
}

/// A game of fairlog/1.
fn make_one(name: &str) -> Hosted {
    match name {
        "finished-short" => short_game(),
        "finished-whole" => random_game("industrial-waste", 3),
        "finished-another" => random_game("industrial-waste", 12),
        "finished-ecopolis" => random_game("ecopolis", 5),
        _ => void(),
    }
}

fn void() -> Hosted {
    let mut hosted = Hosted::open(3, &json!({"open_cash": true, "first_seat": 2}), 77);
    hosted.fill(&[Some([1; 32]), None, Some([3; 32])]);
    hosted.add(&Body::Reveal { seat: 2, entropy: [3; 32] });
    hosted.call_off();
    hosted
}

#[test]
fn golden_documents_verify_and_are_written_to_the_same_bytes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ledger/golden");
    let trusted = fs::read_to_string(folder.join("verifier-key.txt")).unwrap();
    assert_eq!(trusted.trim_end(), key().to_string());
    let of_one = ["finished-short", "finished-whole", "finished-another", "finished-ecopolis", "void"];
    let of_two = ["two-industrial-waste", "two-ecopolis", "two-abandoned"];
    for name in of_one.into_iter().chain(of_two) {
        let path = folder.join(format!("{name}.json"));
        if !path.exists() && std::env::var("PLAYLEDGER_GOLDEN").as_deref() == Ok("write") {
            fs::write(&path, make(name)).unwrap();
        }
        let kept = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let report = verify(&Evidence { document: &kept, keys: &[key()], ..Evidence::default() });
        assert!(!report.failed(), "{name}: {report}");
        assert_eq!(written_again(&kept), kept, "{name}");
    }
}

/// Reads a document, appends every entry to a new chain, and writes the document of it.
fn written_again(document: &[u8]) -> Vec<u8> {
    let read = Document::read(document, &|| true).unwrap();
    let mut chain = Chain::new(read.format);
    let append = |entry: &crate::ledger::entry::Entry, chain: &mut Chain| -> Link {
        chain.append(&read.server_seed, entry.at, &entry.body, &entry.draws).unwrap()
    };
    let links: Vec<Link> = read.entries().map(|recorded| append(&recorded.entry, &mut chain)).collect();
    document::write(links.iter().map(Link::parts), &read.server_seed, &read.receipts[0], &read.proofs)
}
