//! What may be taken back, and what time it leaves.

use serde_json::json;

use super::{
    forged::{after, entries, first_move, put_in, unsigned},
    played::{Played, terms},
};
use crate::engine::Viewer;

#[test]
fn what_has_passed_the_turn_on_is_not_taken_back() {
    let played = unsigned(terms(), |played| played.send(&json!({"type": "choose_combination", "column": 0})));
    let place = first_move(&entries(&played));
    let taken_back = after(&played, |entries| {
        put_in(entries, place + 1, json!({"type": "takeback", "seat": 0, "to": place - 1, "signed": null}));
    });
    assert_eq!(taken_back, ["rules"]);
}

/// Who takes back has the time that there was after the entry to which the game goes back, and no more.
#[test]
fn a_takeback_gains_no_time() {
    let mut deadlines = Vec::new();
    let played = unsigned(terms(), |played| {
        let mut note = |played: &Played| deadlines.push(played.game.clocks.deadline().unwrap());
        note(played);
        let seat = played.game.waits_for().unwrap();
        for _ in 0..2 {
            played.now += 10_000;
            played.send(&json!({"type": "take_loan", "count": 1}));
            note(played);
        }
        let reached = played.game.takebacks(seat);
        for to in [reached.start + 1, reached.start] {
            played.now += 10_000;
            played.take_back(seat, to);
            note(played);
        }
    });
    let first = deadlines[0];
    assert_eq!(deadlines, [first, first + 10_000, first + 20_000, first + 10_000, first]);
    assert_eq!(after(&played, |_| {}), Vec::<&str>::new());
}

/// However long a seat goes to and fro, it comes to where it was.
#[test]
fn a_long_run_is_taken_back_to_any_of_its_entries() {
    let played = unsigned(terms(), |played| {
        let loans = |played: &Played| {
            let view = json!(played.game.table.as_ref().unwrap().view(Viewer::Spectator));
            view["companies"][0]["loans"].as_u64().unwrap()
        };
        let seat = played.game.waits_for().unwrap();
        // Where each entry led, takebacks among them, of which each goes back to any.
        let mut reached = vec![(played.game.seq(), 0)];
        for round in 0..200 {
            let (_, now) = reached[reached.len() - 1];
            if reached.len() == 1 || (now < 16 && round % 7 > 0) {
                played.send(&json!({"type": "take_loan", "count": 1}));
                assert_eq!(loans(played), now + 1);
            } else {
                let (to, before) = reached[round * 37 % (reached.len() - 1)];
                played.take_back(seat, to);
                assert_eq!(loans(played), before, "{round}: back to {to}");
            }
            reached.push((played.game.seq(), loans(played)));
        }
    });
    assert_eq!(after(&played, |_| {}), Vec::<&str>::new());
}
