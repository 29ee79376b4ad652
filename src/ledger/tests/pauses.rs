//! What a dishonest server could write of pauses, for which check 10 speaks.

use serde_json::{Value, json};

use super::{
    forged::{after, entries, first_move, make_plans, put_in, sys, unsigned},
    hosted::outcome,
    played::{Played, check, terms},
};
use crate::ledger::{report::Outcome, terms::Terms};

#[test]
fn asking_twice_and_moving_in_a_pause_fail_clock_alone() {
    let mut phase = "";
    let played = unsigned(terms(), |played| {
        phase = played.game.table.as_ref().unwrap().phase();
        played.move_once();
    });
    let place = first_move(&entries(&played));
    let paused = after(&played, |entries| {
        put_in(entries, place, sys("pause", 0));
        put_in(entries, place + 1, sys("pause", 1));
    });
    assert_eq!(paused, ["clock"], "a command in a pause");
    let planned = after(&played, |entries| {
        make_plans(&mut entries[place], phase);
        put_in(entries, place, sys("pause", 0));
        put_in(entries, place + 1, sys("pause", 1));
    });
    assert_eq!(planned, ["clock"], "a plan in a pause");
    let twice = after(&played, |entries| {
        put_in(entries, place, sys("pause", 0));
        put_in(entries, place + 1, sys("pause", 0));
    });
    assert_eq!(twice, ["clock"]);
    assert_eq!(after(&played, |entries| put_in(entries, place, sys("continue", 0))), ["clock"]);
    assert_eq!(after(&played, |entries| put_in(entries, place, sys("pause", 0))), Vec::<&str>::new());
}

/// A bot's seat cannot keep those from pausing who are persons.
#[test]
fn a_bot_that_keeps_others_from_pausing_fails_clock_alone() {
    let played = unsigned(terms(), Played::move_once);
    let place = first_move(&entries(&played));
    let with_bot = |then: &[Value]| {
        after(&played, |entries| {
            then.iter().rev().for_each(|body| put_in(entries, place, body.clone()));
            let bot =
                json!({"type": "hand", "seat": 1, "player": "b", "keys": [], "bot": "easy", "signed": null});
            put_in(entries, place, bot);
        })
    };
    assert_eq!(with_bot(&[]), Vec::<&str>::new());
    assert_eq!(with_bot(&[sys("pause", 0)]), ["clock"]);
    assert_eq!(with_bot(&[sys("pause", 0), sys("continue", 0)]), ["clock"]);
    assert_eq!(with_bot(&[sys("pause", 0), sys("pause", 1), sys("continue", 0)]), Vec::<&str>::new());
}

#[test]
fn a_game_without_a_clock_has_none_to_check() {
    let timed = unsigned(terms(), Played::move_once);
    assert_eq!(outcome(&check(&timed.document()), "clock"), Outcome::Pass);
    let untimed = unsigned(Terms { clock: None, ..terms() }, Played::move_once);
    assert_eq!(outcome(&check(&untimed.document()), "clock"), Outcome::NotRun);
}
