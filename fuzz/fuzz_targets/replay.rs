//! Replay documents: the verifier ends, and a passing document is the written one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playledger::ledger::{evidence::Evidence, verify::verify};

fuzz_target!(|document: &[u8]| {
    let report = verify(&Evidence { document, ..Evidence::default() });
    assert!(!report.checks.is_empty());
    let _ = report.to_string();
});
