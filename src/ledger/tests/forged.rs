//! What a dishonest server could write of a game of fairlog/2: the log changed, its chain and its receipt made anew. The check
//! that should speak speaks, and no other.

use serde_json::{Value, json};

use super::{
    hosted::failed,
    played::{Played, check, random_game, terms},
};
use crate::{
    engine::Format,
    ledger::{
        chain::{Chain, Link},
        document,
        entry::{Entry, Op},
        player_secret::PlayerSecret,
        receipt::Receipt,
        signed::Message,
        standing::Control,
        terms::Terms,
    },
    words::Status,
};

/// A short game of three seats, of which two sign, with a list, takebacks, a plan and keys changed.
fn game() -> Played {
    (0..1_000)
        .map(|number| random_game("industrial-waste", number * 2))
        .find(|played| {
            (40..90).contains(&played.links.len()) && has(played, "takeback") && has(played, "\"plan\"")
        })
        .unwrap()
}

fn has(played: &Played, word: &str) -> bool {
    played.links.iter().any(|link| String::from_utf8_lossy(&link.body).contains(word))
}

pub fn entries(played: &Played) -> Vec<Value> {
    let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
    let entry = |link: &Link| {
        let mut entry = json!({"body": read(&link.body)});
        if let Some(secret) = &link.secret {
            entry["secret"] = read(secret);
        }
        entry
    };
    played.links.iter().map(entry).collect()
}

/// The document of changed entries; nothing if they cannot be written at all.
pub fn anew(played: &Played, entries: &[Value]) -> Option<Vec<u8>> {
    let mut chain = Chain::new(Format::Two);
    let links: Option<Vec<Link>> = entries
        .iter()
        .map(|entry| {
            let read = Entry::read(Format::Two, &entry["body"], entry.get("secret"), "entry").ok()?;
            chain.append(&played.seed, read.at, &read.body, &read.draws).ok()
        })
        .collect();
    let links = links?;
    let end = links.last()?;
    let receipt =
        Receipt { format: Format::Two, game: super::hosted::GAME.into(), seq: end.seq, head: end.head };
    Some(document::write(
        links.iter().map(Link::parts),
        &played.seed,
        &super::hosted::signer().sign(&receipt),
        &[],
    ))
}

/// The checks that fail of the game after a change.
pub fn after(played: &Played, change: impl FnOnce(&mut Vec<Value>)) -> Vec<&'static str> {
    let mut changed = entries(played);
    change(&mut changed);
    anew(played, &changed).map_or_else(|| vec!["canonical"], |document| failed(&check(&document)))
}

fn signed(entries: &[Value]) -> Vec<usize> {
    let is_signed = |entry: &Value| entry["body"]["signed"].is_object();
    (0..entries.len()).filter(|place| is_signed(&entries[*place])).collect()
}

#[test]
fn a_signature_removed_changed_or_stale_fails_signatures_alone() {
    let played = game();
    assert_eq!(after(&played, |_| {}), Vec::<&str>::new());
    let places = signed(&entries(&played));
    assert!(places.len() > 15);
    for place in places {
        let removed = after(&played, |entries| entries[place]["body"]["signed"] = Value::Null);
        assert_eq!(removed, ["signatures"], "{place}");
        let changed = after(&played, |entries| {
            let sig = entries[place]["body"]["signed"]["sig"].as_str().unwrap().to_owned();
            let other = if sig.starts_with('0') { "1" } else { "0" };
            entries[place]["body"]["signed"]["sig"] = format!("{other}{}", &sig[1..]).into();
        });
        assert_eq!(changed, ["signatures"], "{place}");
        let stale = after(&played, |entries| {
            let seen = entries[place]["body"]["signed"]["seen"].as_u64().unwrap();
            entries[place]["body"]["signed"]["seen"] = (seen - 1).into();
        });
        assert_eq!(stale, ["signatures"], "{place}");
    }
}

#[test]
fn a_signature_moved_to_another_entry_or_from_another_game_fails_signatures_alone() {
    let (played, other) = (game(), random_game("industrial-waste", 1_002));
    let (own, others) = (entries(&played), entries(&other));
    let places = signed(&own);
    let put = |entries: &mut Vec<Value>, place: usize, from: &Value| {
        for field in ["key", "seen", "sig"] {
            entries[place]["body"]["signed"][field] = from["body"]["signed"][field].clone();
        }
    };
    for (number, place) in places.iter().enumerate() {
        for from in places
            .iter()
            .filter(|from| own[**from]["body"]["signed"]["sig"] != own[*place]["body"]["signed"]["sig"])
        {
            let moved = after(&played, |entries| put(entries, *place, &own[*from]));
            assert_eq!(moved, ["signatures"], "{from} to {place}");
        }
        let theirs = signed(&others);
        let moved = after(&played, |entries| put(entries, *place, &others[theirs[number % theirs.len()]]));
        assert_eq!(moved, ["signatures"], "from another game to {place}");
    }
}

/// Where the first command stands.
pub fn first_move(entries: &[Value]) -> usize {
    entries.iter().position(|entry| entry["body"]["type"] == "cmd").unwrap()
}

/// Makes a command one of a plan that says just this.
pub fn make_plans(entry: &mut Value, phase: &str) {
    let rule = json!({"phase": phase, "command": entry["body"]["cmd"]});
    entry["body"]["by"] = "plan".into();
    entry["secret"]["plan"] = json!({"rules": [rule], "signed": null});
}

pub fn renumber(entries: &mut [Value]) {
    for (seq, entry) in entries.iter_mut().enumerate() {
        entry["body"]["seq"] = seq.into();
    }
}

/// Puts an entry in, at the time of the one before it.
pub fn put_in(entries: &mut Vec<Value>, place: usize, mut body: Value) {
    body["at"] = entries[place - 1]["body"]["at"].clone();
    entries.insert(place, json!({"body": body}));
    renumber(entries);
}

#[test]
fn every_entry_dropped_doubled_or_swapped_is_found() {
    let played = game();
    for place in 0..played.links.len() {
        let dropped = after(&played, |entries| {
            entries.remove(place);
            renumber(entries);
        });
        let doubled = after(&played, |entries| {
            let entry = entries[place].clone();
            entries.insert(place, entry);
            renumber(entries);
        });
        assert!(!dropped.is_empty() && !doubled.is_empty(), "{place}: {dropped:?} {doubled:?}");
    }
}

#[test]
fn every_field_removed_or_added_is_found() {
    fn objects(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.push(at.to_owned());
                fields.iter().for_each(|(key, value)| objects(value, &format!("{at}/{key}"), found));
            }
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(place, item)| objects(item, &format!("{at}/{place}"), found));
            }
            _ => {}
        }
    }
    let played = game();
    let whole = Value::Array(entries(&played));
    let mut found = Vec::new();
    objects(&whole, "", &mut found);
    // The entry itself, and the list of them, are written by whoever makes the chain anew.
    for object in found.into_iter().filter(|object| object.matches('/').count() > 1) {
        let added = after(&played, |entries| {
            change(entries, &object, |fields| drop(fields.insert("added".into(), 1.into())));
        });
        assert!(!added.is_empty(), "{object}: a field more");
        let keys: Vec<String> =
            whole.pointer(&object).unwrap().as_object().unwrap().keys().cloned().collect();
        for key in keys {
            let removed =
                after(&played, |entries| change(entries, &object, |fields| drop(fields.remove(&key))));
            assert!(!removed.is_empty(), "{object}: without {key}");
        }
    }
}

fn change(entries: &mut Vec<Value>, pointer: &str, change: impl FnOnce(&mut serde_json::Map<String, Value>)) {
    let mut whole = Value::Array(std::mem::take(entries));
    change(whole.pointer_mut(pointer).unwrap().as_object_mut().unwrap());
    *entries = whole.as_array().unwrap().clone();
}

/// A game without keys, in which nothing but the check in question can speak.
pub fn unsigned(terms: Terms, play: impl FnOnce(&mut Played)) -> Played {
    let mut played =
        Played::start("industrial-waste", &[None, None], &json!({"first_seat": 0, "max_rounds": 1}), terms);
    play(&mut played);
    if played.game.status() == Status::Running {
        played.sys(Op::Resign, 0);
    }
    played
}

#[test]
fn a_timeout_one_millisecond_early_fails_clock_alone() {
    let played = unsigned(terms(), |played| {
        played.time_out();
        played.now += 1_000;
    });
    let place = entries(&played).iter().position(|entry| entry["body"]["by"] == "autopilot").unwrap();
    let early = after(&played, |entries| {
        let at = entries[place]["body"]["at"].as_u64().unwrap();
        entries[place]["body"]["at"] = (at - 1).into();
    });
    assert_eq!(early, ["clock"]);
    let late = after(&played, |entries| entries[place]["body"]["by"] = json!("player"));
    assert_eq!(late, ["clock"], "a player decides after its time");
    let untimed = after(&played, |entries| entries[0]["body"]["clock"] = Value::Null);
    assert_eq!(untimed, ["chain"], "without a clock nobody times out");
}

#[test]
fn a_takeback_over_what_was_shown_fails_rules_alone() {
    let choose = |played: &mut Played| {
        let seat = played.game.waits_for().unwrap();
        let listed = played.game.table.as_ref().unwrap().legal(seat).commands;
        played.play(seat, &[listed[0].command.clone()]);
    };
    let played = unsigned(terms(), |played| {
        choose(played);
        choose(played);
    });
    let first = entries(&played).iter().position(|entry| entry["body"]["type"] == "cmd").unwrap() as u64;
    // The operator has seat 0 take its choice back although seat 1 has decided since.
    let taken = after(&played, |entries| {
        let end = entries.len() - 2;
        let at = entries[end - 1]["body"]["at"].clone();
        let takeback =
            json!({"seat": 0, "to": first - 1, "signed": null, "type": "takeback", "at": at, "seq": 0});
        entries.insert(end, json!({"body": takeback}));
        for (seq, entry) in entries.iter_mut().enumerate() {
            entry["body"]["seq"] = seq.into();
        }
    });
    assert_eq!(taken, ["rules"]);
}

pub fn sys(op: &str, seat: u64) -> Value {
    json!({"type": "sys", "op": op, "seat": seat, "signed": null})
}

/// What may stand where, as far as the log alone tells, is the matter of `chain`.
#[test]
fn an_entry_that_does_not_belong_there_fails_chain() {
    let timed_out = unsigned(terms(), |played| {
        while played.game.standing.sitting(0).unwrap().control == Control::Player {
            let seat = played.game.waits_for().unwrap();
            if seat == played.game.setting.seats.first() {
                played.time_out();
            } else {
                let legal = played.game.table.as_ref().unwrap().legal(seat).commands;
                played.play(seat, &[legal[0].command.clone()]);
            }
        }
    });
    let whole = entries(&timed_out);
    let place = whole.iter().position(|entry| entry["body"]["op"] == "autopilot").unwrap();
    let seat = whole[place]["body"]["seat"].as_u64().unwrap();
    let without = |entries: &mut Vec<Value>| {
        entries.remove(place);
        renumber(entries);
    };
    assert_eq!(after(&timed_out, without), ["chain"], "the third timeout is followed by nothing");
    assert_eq!(
        after(&timed_out, |entries| entries[place]["body"]["seat"] = (1 - seat).into()),
        ["chain"],
        "another seat"
    );
    assert_eq!(
        after(&timed_out, |entries| put_in(entries, place - 1, sys("autopilot", seat))),
        ["chain"],
        "too early"
    );
    assert_eq!(
        after(&timed_out, |entries| put_in(entries, place + 1, sys("pause", seat))),
        ["chain"],
        "not its own"
    );

    let resigned = unsigned(terms(), |_| {});
    let end = entries(&resigned).len() - 1;
    let mut failing = vec![
        (
            "the game goes on after its end was due",
            after(&resigned, |entries| put_in(entries, end, sys("unkey", 1))),
        ),
        ("another end", after(&resigned, |entries| entries[end]["body"]["reason"] = json!("finished"))),
        ("another result", after(&resigned, |entries| entries[end]["body"]["result"] = json!([]))),
        ("nothing ends it so", after(&resigned, |entries| drop(entries.remove(end - 1)))),
        ("a resume of who is there", after(&resigned, |entries| put_in(entries, end - 1, sys("resume", 1)))),
    ];
    let pauses = |entries: &mut Vec<Value>| {
        for _ in 0..9 {
            put_in(entries, end - 1, sys("unkey", 1));
        }
    };
    let bots = |entries: &mut Vec<Value>| {
        let key = PlayerSecret::new(&[1; 32]).public().hex();
        entries[2]["body"]["bot"] = "easy".into();
        put_in(entries, end - 1, json!({"type": "keys", "seat": 1, "keys": [key], "signed": null}));
    };
    failing.push(("keys of a bot", after(&resigned, bots)));
    failing.push(("nine entries of a seat without a command", after(&resigned, pauses)));
    let promised = |entries: &mut Vec<Value>| {
        for place in [1, 2] {
            entries[place]["body"]["commit"] = "ab".repeat(32).into();
        }
    };
    failing.push(("a promise that stands twice", after(&resigned, promised)));
    let plain = unsigned(Terms::default(), |_| {});
    let end = entries(&plain).len() - 1;
    let hand = json!({"type": "hand", "seat": 1, "player": "x", "keys": [], "bot": null, "signed": null});
    let back = json!({"type": "takeback", "seat": 1, "to": 3, "signed": null});
    for (what, body) in [("hand", hand), ("takeback", back), ("pause", sys("pause", 1))] {
        failing.push((what, after(&plain, |entries| put_in(entries, end - 1, body))));
    }
    for (what, failed) in failing {
        assert_eq!(failed, ["chain"], "{what}");
    }
}

/// Who has won by the rules has won, whatever a server would like to put in before the end.
#[test]
fn nothing_comes_between_the_end_by_the_rules_and_the_end() {
    let played = (0..1_000)
        .map(|number| random_game("industrial-waste", number * 2))
        .find(|played| has(played, "\"reason\":\"finished\"") && !has(played, "\"resign\""))
        .unwrap();
    let place = played.links.len() - 1;
    let seat = (0..4).find(|seat| played.sign(*seat, &Message::sys(Op::Unkey)).is_some()).unwrap();
    assert_eq!(after(&played, |entries| put_in(entries, place, sys("unkey", seat))), ["rules"]);
    let robbed = after(&played, |entries| {
        let winner = entries[place]["body"]["result"][0]["seat"].as_u64().unwrap_or_default();
        put_in(entries, place, sys("unkey", winner));
        put_in(entries, place + 1, sys("resign", winner));
    });
    assert!(robbed.contains(&"rules"), "{robbed:?}");
}
