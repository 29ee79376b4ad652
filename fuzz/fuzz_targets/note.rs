//! Signed notes, statements of restores, and verifier keys.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playledger::ledger::{evidence::Evidence, verify::verify};

fuzz_target!(|text: &str| {
    if let Ok(key) = text.parse::<playledger::tree::note::VerifierKey>() {
        assert_eq!(key.to_string(), text, "a key has one form");
    }
    if let Ok(restore) = playledger::ledger::restore::Restore::read(text) {
        assert!(text.starts_with(&format!("fairlog/3 restore\n{}\n", restore.receipts.ended)));
    }
    // A note without a valid signature proves nothing.
    let document = include_bytes!("../../src/core/ledger/golden/void.json");
    let key = include_str!("../../src/core/ledger/golden/verifier-key.txt").trim().parse().unwrap();
    let report =
        verify(&Evidence { document, keys: &[key], receipts: &[text.to_owned().into()], ..Evidence::default() });
    assert!(report.failed() || text.starts_with("fairlog/3 receipt\n"));
});
