//! What a dishonest server could write of an offer that stands: another decides than its own player or who is asked.

use serde_json::{Value, json};

use super::{
    forged::{after, entries},
    played::{Played, terms},
};
use crate::{ledger::entry::Op, words::Status};

const OFFER: &str = "propose_trade";

/// A table of three, at which seat 0 offers seat 1 a trade; what comes of it, until a resignation has ended
/// it.
fn offered(then: impl FnOnce(&mut Played)) -> Played {
    let mut played = Played::start("ecopolis", &[None, None, None], &json!({"first_seat": 0}), terms());
    played.send(&json!({"type": OFFER, "to": 1, "give": {"euros": 300}, "take": {"credits": 2}}));
    then(&mut played);
    for seat in [1, 2] {
        if played.game.status() == Status::Running {
            played.sys(Op::Resign, seat);
        }
    }
    played
}

/// The checks that fail if the answer to the offer is the autopilot's, of this seat.
fn answered(played: &Played, seat: u64, kind: &str) -> Vec<&'static str> {
    after(played, |entries| {
        let answer = entries.iter().position(|entry| entry["body"]["cmd"]["type"] == OFFER).unwrap() + 1;
        let body = &mut entries[answer]["body"];
        (body["seat"], body["by"], body["cmd"]) = (seat.into(), "autopilot".into(), json!({"type": kind}));
    })
}

#[test]
fn an_offer_is_withdrawn_by_nobody_but_its_player_while_that_is_there() {
    let resigned = offered(|played| played.sys(Op::Resign, 0));
    let withdrawn = entries(&resigned);
    let by_autopilot = |entry: &&Value| {
        entry["body"]["by"] == "autopilot" && entry["body"]["cmd"]["type"] == "withdraw_trade"
    };
    assert_eq!(withdrawn.iter().filter(by_autopilot).count(), 1, "of a seat that has resigned it is");
    assert_eq!(after(&resigned, |_| {}), Vec::<&str>::new());
    let rejected = offered(|played| played.send(&json!({"type": "reject_trade"})));
    assert_eq!(after(&rejected, |_| {}), Vec::<&str>::new());
    assert_eq!(answered(&rejected, 0, "withdraw_trade"), ["rules"], "its player is there");
    assert_eq!(answered(&rejected, 1, "reject_trade"), ["clock"], "who is asked has time left");
    assert_eq!(answered(&rejected, 1, "accept_trade"), ["rules"], "the autopilot accepts nothing");
}
