//! Every change of a document is found, with its old chain and with a new chain and receipt.

use serde_json::{Map, Value, json};

use super::{
    forged::{act, after, entries, place_of, put_in},
    played::{Played, check, failed, terms},
    random::random_game,
};
use crate::ledger::{encoding::canonical, entry::PlainAct, standing::Control};

/// A short game with two signing seats.
fn short() -> Played {
    let options = json!({"first_seat": 0, "max_rounds": 1});
    let mut played = Played::start("industrial-waste", &[Some(1), Some(2)], &options, terms());
    played.move_once();
    played.act(PlainAct::Resign, 1);
    played
}

/// A longer game with a takeback, a plan and devices.
fn rich() -> Played {
    let has = |played: &Played, word: &str| String::from_utf8_lossy(&played.document()).contains(word);
    let numbers = (0..2_000).map(|number| random_game("industrial-waste", number * 2));
    let mut games = numbers.filter(|played| (30..110).contains(&played.links.len()));
    games.find(|played| ["takeback", "\"plan\"", "devices"].iter().all(|word| has(played, word))).unwrap()
}

fn document(played: &Played) -> Value {
    serde_json::from_slice(&played.document()).unwrap()
}

/// The pointers to all objects below a value.
fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.push(at.to_owned());
            members.iter().for_each(|(name, value)| objects(value, &format!("{at}/{name}"), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(no, item)| objects(item, &format!("{at}/{no}"), found));
        }
        _ => {}
    }
}

#[test]
fn every_bit_counts() {
    let document = short().document();
    for place in 0..document.len() * 8 {
        let mut flipped = document.clone();
        flipped[place / 8] ^= 1 << (place % 8);
        assert!(!failed(&check(&flipped)).is_empty(), "bit {place}");
    }
}

#[test]
fn every_member_removed_added_or_moved_is_found_as_it_stands() {
    let whole = document(&short());
    let mut found = Vec::new();
    objects(&whole, "", &mut found);
    let fails = |change: &dyn Fn(&mut Map<String, Value>), object: &str| {
        let mut changed = whole.clone();
        change(changed.pointer_mut(object).unwrap().as_object_mut().unwrap());
        !failed(&check(&canonical(&changed).unwrap())).is_empty()
    };
    assert!(found.len() > 20);
    for object in found {
        assert!(
            fails(&|members| drop(members.insert("added".into(), 1.into())), &object),
            "{object}: one more"
        );
        let names: Vec<String> =
            whole.pointer(&object).unwrap().as_object().unwrap().keys().cloned().collect();
        for name in names {
            assert!(fails(&|members| drop(members.remove(&name)), &object), "{object}: without {name}");
            let moves = |members: &mut Map<String, Value>| {
                let value = members.remove(&name).unwrap();
                members.insert(format!("{name}_x"), value);
            };
            assert!(fails(&moves, &object), "{object}: {name} under another name");
        }
    }
}

#[test]
fn every_member_removed_or_added_is_found_with_the_chain_made_anew() {
    let played = short();
    let whole = Value::Array(entries(&played));
    let mut found = Vec::new();
    objects(&whole, "", &mut found);
    // The forger writes the entry itself.
    for object in found.into_iter().filter(|object| object.matches('/').count() > 1) {
        let change = |entries: &mut Vec<Value>, change: &dyn Fn(&mut Map<String, Value>)| {
            let mut whole = Value::Array(std::mem::take(entries));
            change(whole.pointer_mut(&object).unwrap().as_object_mut().unwrap());
            *entries = whole.as_array().unwrap().clone();
        };
        let added = after(&played, |entries| {
            change(entries, &|members| drop(members.insert("added".into(), 1.into())));
        });
        assert!(!added.is_empty(), "{object}: one more");
        let names: Vec<String> =
            whole.pointer(&object).unwrap().as_object().unwrap().keys().cloned().collect();
        for name in names.into_iter().filter(|name| name != "seq") {
            let removed = after(&played, |entries| change(entries, &|members| drop(members.remove(&name))));
            assert!(!removed.is_empty(), "{object}: without {name}");
        }
    }
}

#[test]
fn every_entry_dropped_doubled_or_swapped_is_found_with_the_chain_made_anew() {
    let played = rich();
    for place in 0..played.links.len() {
        let dropped = after(&played, |entries| drop(entries.remove(place)));
        let doubled = after(&played, |entries| entries.insert(place, entries[place].clone()));
        assert!(!dropped.is_empty() && !doubled.is_empty(), "{place}: {dropped:?} {doubled:?}");
        if place > 0 && entries(&played)[place - 1]["body"]["type"] != entries(&played)[place]["body"]["type"]
        {
            let swapped = after(&played, |entries| entries.swap(place - 1, place));
            assert!(!swapped.is_empty(), "{place}");
        }
    }
}

#[test]
fn a_signature_removed_changed_stale_or_moved_fails_signatures_alone() {
    let played = rich();
    assert_eq!(after(&played, |_| {}), Vec::<&str>::new());
    let own = entries(&played);
    let is_signed = |entry: &Value| entry["body"]["type"] != "join" && entry["body"]["signed"].is_object();
    let places: Vec<usize> = (0..own.len()).filter(|place| is_signed(&own[*place])).collect();
    assert!(places.len() > 15);
    for place in &places {
        let with = |change: &dyn Fn(&mut Value)| {
            after(&played, |entries| change(&mut entries[*place]["body"]["signed"]))
        };
        let kind = &own[*place]["body"]["type"];
        // A `rekey` without a signature leaves the seat without keys, so later entries are unsigned too.
        assert_eq!(with(&|signed| *signed = Value::Null), ["signatures"], "{place} {kind}: removed");
        let stale = |signed: &mut Value| signed["seen"] = (signed["seen"].as_u64().unwrap() - 1).into();
        assert_eq!(with(&stale), ["signatures"], "{place}: stale");
        for from in &places {
            if own[*from]["body"]["signed"]["sig"] != own[*place]["body"]["signed"]["sig"] {
                let moved = |signed: &mut Value| signed["sig"] = own[*from]["body"]["signed"]["sig"].clone();
                assert_eq!(with(&moved), ["signatures"], "{from} to {place}");
            }
        }
    }
}

#[test]
fn an_entry_that_does_not_belong_there_fails_chain() {
    let mut played = Played::start("industrial-waste", &[None, None], &json!({"first_seat": 0}), terms());
    while played.sitting(0).control == Control::Player {
        let seat = played.game.waits_for().unwrap();
        if seat == played.game.setting.seats.first() { played.time_out() } else { played.move_once() }
    }
    played.act(PlainAct::Resign, 1);
    let own = entries(&played);
    let (taken, end) = (place_of(&own, "type", "autopilot"), own.len() - 1);
    let autopilot = json!({"type": "autopilot", "seat": 0});
    let put = |place: usize, body: Value| after(&played, |entries| put_in(entries, place, body));
    assert_eq!(
        after(&played, |entries| drop(entries.remove(taken))),
        ["chain"],
        "the third timeout is followed by nothing"
    );
    assert_eq!(
        after(&played, |entries| entries[taken]["body"]["seat"] = 1.into()),
        ["chain"],
        "another seat"
    );
    assert_eq!(put(taken - 1, autopilot), ["chain"], "too early");
    assert_eq!(put(taken + 1, act("pause", 0)), ["chain"], "a seat that is not its player's");
    assert_eq!(put(end, act("rekey", 1)), ["chain"], "after its end was due");
    assert_eq!(after(&played, |entries| entries[end]["body"]["reason"] = json!("finished")), ["chain"]);
    assert_eq!(put(end - 1, json!({"type": "outage", "ms": 1})), ["chain"], "longer than the time before it");
    let nine = |entries: &mut Vec<Value>| (0..9).for_each(|_| put_in(entries, end - 1, act("rekey", 1)));
    assert_eq!(after(&played, nine), ["chain"], "nine entries of a seat without a command");
}

#[test]
fn a_timeout_before_its_deadline_fails_clock_alone() {
    let mut played = Played::start("industrial-waste", &[None, None], &json!({"first_seat": 0}), terms());
    played.time_out();
    played.act(PlainAct::Resign, 0);
    let place = place_of(&entries(&played), "by", "autopilot");
    let early = after(&played, |entries| {
        let at = entries[place]["body"]["at"].as_u64().unwrap();
        entries[place]["body"]["at"] = (at - 1).into();
    });
    assert_eq!(early, ["clock"]);
    let late = after(&played, |entries| entries[place]["body"]["by"] = json!("player"));
    assert_eq!(late, ["clock"], "a player decides after its time");
}
