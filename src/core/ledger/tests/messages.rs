//! The messages of the vectors: each is written and signed as they say.

use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::vectors::vectors;
use crate::{
    engine::{Fields, hash::Bytes32},
    ledger::{
        encoding::{LedgerFields as _, hex},
        entry::{Holder, PlainAct},
        message::{Message, Seating, Spot},
        plan::PlanRule,
        seat_key::SeatKey,
        signed::Claim,
        terms::Terms,
    },
};

#[test]
fn messages_are_those_of_the_vectors() {
    let vectors = vectors();
    let (game, head) = (vectors["game"].as_str().unwrap(), [0xab; 32]);
    let Value::Array(messages) = &vectors["messages"] else { panic!("no messages") };
    let mut secrets = vectors["seeds"]
        .as_object()
        .unwrap()
        .values()
        .map(|seed| SigningKey::from_bytes(&[u8::try_from(seed.as_u64().unwrap()).unwrap(); 32]));
    let secrets: Vec<SigningKey> = secrets.by_ref().collect();
    for vector in messages {
        let secret =
            secrets.iter().find(|secret| hex(secret.verifying_key().as_bytes()) == vector["key"]).unwrap();
        let bytes = written(vector, game, &head);
        assert_eq!(hex(&bytes), vector["message"], "{vector}");
        assert_eq!(hex(&Sha256::digest(&bytes)), vector["sha256"]);
        let sig = secret.sign(&bytes).to_bytes();
        assert_eq!(hex(&sig), vector["sig"]);
        assert!(SeatKey::from_hex(vector["key"].as_str().unwrap()).unwrap().has_signed(&bytes, &sig));
    }
}

fn written(vector: &Value, game: &str, head: &Bytes32) -> Vec<u8> {
    let what = &vector["what"];
    if vector["tag"] == "device" {
        let keys = [0, 1].map(|place| SeatKey::from_hex(vector["keys"][place].as_str().unwrap()).unwrap());
        return crate::ledger::device::message(vector["player"].as_str().unwrap(), &keys);
    }
    let seat = vector["seat"].as_u64().unwrap();
    let fields = |value| Fields::of(value, "vector").unwrap();
    if vector["tag"] == "join" {
        let (player, nonce) = (what["player"].as_str().unwrap(), fields(what).hex32("nonce").unwrap());
        let terms = Terms::read(&mut fields(&what["terms"])).unwrap();
        let commit = what.get("commit").map(|_| fields(what).hex32_or_null("commit").unwrap());
        let seating = match &commit {
            Some(commit) => Seating::Join { player, commit: commit.as_ref() },
            None => Seating::Hand { player },
        };
        return seating.message((game, seat), &nonce, &terms).unwrap();
    }
    let spot = Spot { game, seat, seen: vector["seen"].as_u64().unwrap(), head };
    let kind = what["type"].as_str().unwrap();
    let message = match kind {
        "cmd" => Message::commands(&what["cmds"].as_array().unwrap().iter().collect::<Vec<_>>()).unwrap(),
        "takeback" => Message::takeback(what["to"].as_u64().unwrap()),
        "hand" => {
            let holder = Holder {
                player: what["player"].as_str().unwrap().to_owned(),
                bot: what["bot"].as_str().map(str::to_owned),
            };
            Message::hand(&holder, Claim::read(&mut fields(what), "taken").unwrap().as_ref()).unwrap()
        }
        "revoke" => {
            let keys = what["keys"].as_array().unwrap().iter();
            let keys: Vec<SeatKey> =
                keys.map(|key| SeatKey::from_hex(key.as_str().unwrap()).unwrap()).collect();
            Message::revoke(&keys).unwrap()
        }
        "plan" => {
            Message::plan(&PlanRule::read_all(what["rules"].as_array().unwrap(), "rules").unwrap()).unwrap()
        }
        _ => Message::act(PlainAct::ALL.into_iter().find(|act| act.word() == kind).unwrap()),
    };
    message.at(spot)
}

#[test]
fn a_key_is_written_in_one_way_and_is_no_weak_one() {
    let weak = ["01", "00", "ec", "ee"].map(|first| {
        let rest = if first.starts_with('e') { "ff".repeat(30) + "7f" } else { "00".repeat(31) };
        format!("{first}{rest}")
    });
    for key in weak {
        assert!(!SeatKey::from_hex(&key).unwrap().is_sound(), "{key}");
    }
}
