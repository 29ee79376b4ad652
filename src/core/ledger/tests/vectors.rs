//! The vectors of the format: a whole game, and forgeries by a server, a player or a thief.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    ledger::{
        chain::Chain,
        document::Document,
        encoding::hex,
        evidence::{Evidence, KeptProof, KeptReceipt},
        report::{Outcome, Report},
        restore::Restore,
        seat_key::SeatKey,
        verify::verify,
    },
    tree::note::{VerifierKey, WitnessKey},
};

pub fn vectors() -> Value {
    serde_json::from_str(include_str!("../vectors/fairlog-3.json")).unwrap()
}

/// The evidence of a reader: `given` of the file and of a case.
#[derive(Default)]
pub struct Given {
    pub keys: Vec<VerifierKey>,
    pub logs: Vec<VerifierKey>,
    pub witnesses: Vec<WitnessKey>,
    pub quorum: usize,
    pub receipts: Vec<KeptReceipt>,
    pub restores: Vec<Restore>,
    pub proofs: Vec<KeptProof>,
    pub players: Vec<SeatKey>,
}

fn each<'v>(given: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    given[name].as_array().into_iter().flatten()
}

impl Given {
    pub fn read(common: &Value, case: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let of = |name: &str| if case.get(name).is_some() { case } else { common };
        let receipt = |value: &Value| match value {
            Value::String(receipt) => KeptReceipt::from(receipt.clone()),
            both => KeptReceipt {
                receipt: text(&both["receipt"]),
                proof: both["proof"].as_str().map(str::to_owned),
            },
        };
        Self {
            keys: each(of("keys"), "keys").map(|key| text(key).parse().unwrap()).collect(),
            logs: each(of("log_keys"), "log_keys").map(|key| text(key).parse().unwrap()).collect(),
            witnesses: each(of("witnesses"), "witnesses").map(|key| text(key).parse().unwrap()).collect(),
            quorum: usize::try_from(of("quorum")["quorum"].as_u64().unwrap()).unwrap(),
            receipts: each(case, "receipts").map(receipt).collect(),
            restores: each(case, "restores")
                .map(|text| Restore::read(text.as_str().unwrap()).unwrap())
                .collect(),
            proofs: each(case, "proofs")
                .map(|kept| KeptProof { seq: kept["seq"].as_u64().unwrap(), proof: text(&kept["proof"]) })
                .collect(),
            players: Vec::new(),
        }
    }

    pub fn verify(&self, document: &[u8]) -> Report {
        verify(&Evidence {
            document,
            keys: &self.keys,
            logs: &self.logs,
            witnesses: &self.witnesses,
            quorum: self.quorum,
            receipts: &self.receipts,
            restores: &self.restores,
            proofs: &self.proofs,
            players: &self.players,
            ..Evidence::default()
        })
    }
}

pub fn outcomes(report: &Report) -> BTreeMap<String, String> {
    let word = |outcome| match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::NotRun => "not_run",
    };
    report.checks.iter().map(|check| (check.name.to_owned(), word(check.outcome).to_owned())).collect()
}

fn expected(case: &Value) -> BTreeMap<String, String> {
    serde_json::from_value(case["checks"].clone()).unwrap()
}

#[test]
fn the_whole_game_is_verified_and_reported_as_the_vectors_say() {
    let vectors = vectors();
    let small = &vectors["small"];
    let mut given = Given::read(&vectors["given"], &Value::Null);
    given.players =
        each(small, "known").map(|key| SeatKey::from_hex(key.as_str().unwrap()).unwrap()).collect();
    let text = small["replay"].as_str().unwrap();
    let report = given.verify(text.as_bytes());
    assert_eq!(outcomes(&report), expected(small), "{report}");
    assert_eq!(serde_json::to_value(&report.tenures).unwrap(), small["report"]);
    let document = Document::read(text.as_bytes(), &|| true).unwrap();
    let mut chain = Chain::new(document.format);
    let heads = document.entries().zip(0..).map(|(recorded, seq)| {
        hex(&chain.follow(recorded.body, &document.server_seed.blind(seq, recorded.secret)))
    });
    let heads: Vec<String> = heads.collect();
    assert_eq!(serde_json::to_value(&heads).unwrap(), small["heads"]);
    // Written again, each entry has the same bytes.
    for recorded in document.entries() {
        let entry = recorded.entry;
        let body = entry.body.write(document.format, entry.seq, entry.at).unwrap();
        assert_eq!(String::from_utf8(body).unwrap(), String::from_utf8_lossy(recorded.body));
    }
}

#[test]
fn every_forged_case_has_the_outcomes_of_the_vectors() {
    let vectors = vectors();
    let mut wrong = Vec::new();
    for case in each(&vectors, "cases") {
        let given = Given::read(&vectors["given"], &case["given"]);
        let report = given.verify(case["replay"].as_str().unwrap().as_bytes());
        if outcomes(&report) != expected(case) {
            wrong.push(format!("{}: {report}", case["what"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
