//! What may be taken back, and what time it leaves.

use serde_json::json;

use super::{
    forged::{after, entries, first_move, put_in, unsigned},
    played::{Played, terms},
};
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
