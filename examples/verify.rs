//! Verifies a replay document, as any program with this crate can.
//!
//! `cargo run --no-default-features --example verify -- DOCUMENT [VERIFIER_KEY]...`

use std::{error::Error, fs, process::ExitCode};

use playledger::{
    ledger::{evidence::Evidence, verify::verify},
    tree::note::VerifierKey,
};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let document = fs::read(arguments.next().ok_or("name a replay document")?)?;
    let keys = arguments.map(|key| key.parse()).collect::<Result<Vec<VerifierKey>, _>>()?;
    let report = verify(&Evidence { document: &document, keys: &keys, ..Evidence::default() });
    println!("{report}");
    Ok(if report.failed() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
