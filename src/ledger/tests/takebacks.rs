//! What may be taken back, and what time it leaves.

use serde_json::json;

use super::{
    forged::{after, entries, put_in, unsigned},
    played::{Played, terms},
};
use crate::rulesets::AnyCommand;

fn command(played: &Played, kind: &str) -> AnyCommand {
    let listed = played.game.table.as_ref().unwrap().legal(played.game.waits_for().unwrap()).commands;
    listed.into_iter().map(|listed| listed.command).find(|command| json!(command)["type"] == kind).unwrap()
}

fn play(played: &mut Played, kind: &str) {
    let (seat, command) = (played.game.waits_for().unwrap(), command(played, kind));
    played.play(seat, &[command]);
}

#[test]
fn what_has_passed_the_turn_on_is_not_taken_back() {
    let played = unsigned(terms(), |played| play(played, "choose_combination"));
    let place = entries(&played).iter().position(|entry| entry["body"]["type"] == "cmd").unwrap();
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
            play(played, "take_loan");
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
