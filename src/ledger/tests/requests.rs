//! Requests of several commands under one signature, resumes that a command speaks for, and plans: where each part of them
//! must stand, and what is said where one does not.

use serde_json::{Value, json};

use super::{
    forged::{anew, entries, put_in, renumber, sys},
    played::{Played, check, terms},
};
use crate::{
    engine::Seat,
    ledger::{entry::Op, plan::PlanRule, standing::Control},
};

/// What check 7 says of the game after a change, and where.
fn said(played: &Played, change: impl FnOnce(&mut Vec<Value>)) -> (Option<usize>, String) {
    let mut changed = entries(played);
    change(&mut changed);
    renumber(&mut changed);
    let signatures = &check(&anew(played, &changed).unwrap()).checks[6];
    (signatures.seq.map(|seq| usize::try_from(seq).unwrap()), signatures.detail.clone())
}

/// A game of two seats that sign with one key, in which this is done whenever one is waited for, until it
/// says so.
fn game(act: impl Fn(&mut Played, Seat) -> bool) -> Played {
    let options = json!({"first_seat": 0});
    let mut played = Played::start("industrial-waste", &[Some(1), Some(1)], &options, terms());
    while let Some(seat) = played.game.waits_for()
        && !act(&mut played, seat)
    {}
    played.sys(Op::Resign, 1);
    played
}

/// Whether the first seat may take so many loans, one after the other, and takes them in one request.
fn takes_loans(played: &mut Played, count: usize) -> bool {
    let (table, seat) = (played.game.table.as_ref().unwrap(), played.game.setting.seats.first());
    let loan = table.ruleset().read_command(&json!({"type": "take_loan", "count": 1})).unwrap();
    let mut trial = table.clone();
    let may = (0..count).all(|_| trial.submit(seat, &loan).is_ok());
    if may {
        played.play(seat, &vec![loan; count]);
    }
    may
}

/// A game with three loans in one request, and where they are.
fn request() -> (Played, [usize; 3]) {
    let played = game(|played, _| {
        let done = takes_loans(played, 3);
        if !done {
            played.move_once();
        }
        done
    });
    let first = entries(&played).iter().position(|entry| entry["body"]["signed"]["of"] == 3).unwrap();
    (played, [first, first + 1, first + 2])
}

#[test]
fn the_parts_of_a_request_stand_together_and_in_order() {
    let (played, [first, second, third]) = request();
    assert_eq!(said(&played, |_| {}).0, None);
    let broken_off = |place, change: &dyn Fn(&mut Vec<Value>)| {
        let (seq, detail) = said(&played, |entries| change(entries));
        assert_eq!((seq, detail.as_str()), (Some(place), "a signed request is broken off here"));
    };
    let part = |entries: &mut Vec<Value>, place: usize, field: &str, value: Value| {
        entries[place]["body"]["signed"][field] = value;
    };
    broken_off(second, &|entries| drop(entries.remove(second)));
    broken_off(third, &|entries| drop(entries.remove(third)));
    broken_off(second, &|entries| put_in(entries, second, sys("unkey", 1)));
    broken_off(second, &|entries| part(entries, second, "no", json!(0)));
    broken_off(second, &|entries| part(entries, second, "no", json!(2)));
    broken_off(second, &|entries| part(entries, second, "of", json!(4)));
    broken_off(second, &|entries| part(entries, second, "seen", json!(first)));
    broken_off(second, &|entries| entries[second]["body"]["seat"] = json!(1));
    let each = |entries: &mut Vec<Value>, field: &str, value: u64| {
        for place in [first, second, third] {
            part(entries, place, field, json!(value));
        }
    };
    broken_off(third + 1, &|entries| each(entries, "of", 4));

    let headless = said(&played, |entries| drop(entries.remove(first)));
    assert_eq!(headless, (Some(first), "the commands before it in its request are missing".into()));
    let newest = first as u64 - 1;
    for seen in [newest - 1, newest + 1] {
        let (seq, detail) = said(&played, |entries| each(entries, "seen", seen));
        assert_eq!((seq, detail.contains("and not all before this one")), (Some(first), true), "{detail}");
    }
    let (seq, detail) = said(&played, |entries| entries[second]["body"]["cmd"]["count"] = json!(2));
    assert_eq!((seq, detail.as_str()), (Some(third), "the signature does not fit what stands here"));
}

/// Who signs several commands at once does not know what will be drawn, so nothing is drawn before the last
/// of them.
#[test]
fn nothing_is_drawn_within_a_request() {
    let (played, request) = request();
    let drawn = entries(&played).iter().find_map(|entry| entry.get("secret").cloned()).unwrap();
    let [first, second, third] =
        request.map(|place| said(&played, |entries| entries[place]["secret"] = drawn.clone()));
    let drew = "a command that draws stands before the last of its request";
    assert_eq!((first, second), ((Some(request[0]), drew.into()), (Some(request[1]), drew.into())));
    assert!(third.0 > Some(request[2]), "{third:?}");
}

#[test]
fn a_resume_that_nobody_signed_is_followed_by_a_command_of_its_player() {
    let played = game(|played, seat| {
        let first = played.game.setting.seats.first();
        let is_away = played.game.sitting(first).unwrap().control == Control::Autopilot;
        let is_back = is_away && takes_loans(played, 1);
        match seat == first {
            _ if is_back => {}
            true => played.time_out(),
            false => played.move_once(),
        }
        is_back
    });
    let resume = entries(&played).iter().position(|entry| entry["body"]["op"] == "resume").unwrap();
    assert_eq!(said(&played, |_| {}).0, None);
    let nobody = |change: &dyn Fn(&mut Vec<Value>)| {
        let (seq, detail) = said(&played, |entries| change(entries));
        assert_eq!((seq, detail.contains("speaks for no command")), (Some(resume + 1), true), "{detail}");
    };
    let body = |entries: &mut Vec<Value>, field: &str, value: Value| {
        entries[resume + 1]["body"][field] = value;
    };
    nobody(&|entries| drop(entries.remove(resume + 1)));
    nobody(&|entries| put_in(entries, resume + 1, sys("pause", 1)));
    nobody(&|entries| body(entries, "seat", json!(1)));
    nobody(&|entries| {
        body(entries, "by", json!("autopilot"));
        body(entries, "signed", Value::Null);
    });
    // It is the newest entry that its player had seen but for the resume, which nobody has seen before the command.
    let (seq, detail) =
        said(&played, |entries| entries[resume + 1]["body"]["signed"]["seen"] = json!(resume));
    assert_eq!((seq, detail.contains("and not all before this one")), (Some(resume + 1), true), "{detail}");
}

#[test]
fn signatures_are_counted() {
    let (played, _) = request();
    let signed = entries(&played).iter().filter(|entry| entry["body"]["signed"].is_object()).count();
    let told = format!("{} signature(s) of players", signed - 2);
    assert!(said(&played, |_| {}).1.starts_with(&told), "three commands have one signature");
}

#[test]
fn a_plan_is_signed_after_what_ended_the_plans_before_it() {
    let played = game(|played, seat| {
        played.change_keys(seat.number().into(), 2);
        let table = played.game.table.as_ref().unwrap();
        let command = json!(table.legal(seat).commands[0].command);
        let rule = PlanRule { phase: table.phase().to_owned(), command, up_to: None };
        played.plan(seat, vec![rule]);
        true
    });
    let place = entries(&played).iter().position(|entry| entry["body"]["by"] == "plan").unwrap();
    assert_eq!(said(&played, |_| {}).0, None, "it has seen the keys, and no more");
    let older = "the plan is older than what has ended the plans of the seat, or than a later plan";
    for seen in [place - 2, place, place + 1] {
        let now = said(&played, |entries| entries[place]["secret"]["plan"]["signed"]["seen"] = json!(seen));
        assert_eq!(now, (Some(place), older.into()), "{seen}");
    }
    let unsigned = said(&played, |entries| entries[place]["secret"]["plan"]["signed"] = Value::Null);
    assert_eq!(unsigned, (Some(place), "the plan is not signed by the seat's player".into()));
    let without_keys = said(&played, |entries| put_in(entries, place, sys("unkey", 0)));
    assert_eq!(without_keys, (Some(place + 1), "the plan is signed, and the seat has no keys".into()));
}

/// A request has at most 32 commands, and each has its number in it.
#[test]
fn a_part_of_a_request_has_a_number_within_it() {
    let (played, [first, ..]) = request();
    let is_read = |no: u64, of: u64| {
        let mut changed = entries(&played);
        (changed[first]["body"]["signed"]["no"], changed[first]["body"]["signed"]["of"]) =
            (no.into(), of.into());
        anew(&played, &changed).is_some()
    };
    assert!(is_read(0, 3) && is_read(31, 32));
    assert!(!is_read(3, 3) && !is_read(4, 3) && !is_read(0, 33) && !is_read(0, 0));
}
