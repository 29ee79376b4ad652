//! Disputes about a game: the check that decides each, and the questions that stay open.

use serde_json::{Value, json};

use super::{
    forged::{after, entries, place_of, report},
    played::{Played, check, failed, key, terms},
};
use crate::ledger::{
    entry::PlainAct,
    evidence::{Evidence, KeptReceipt},
    plan::PlanRule,
    report::{Outcome, Report},
    tenures::Proved,
    verify::verify,
};

/// A game with a signing seat and a seat without a key.
fn game(play: impl FnOnce(&mut Played)) -> Played {
    let options = json!({"first_seat": 0, "max_rounds": 1});
    let mut played = Played::start("industrial-waste", &[Some(1), None], &options, terms());
    play(&mut played);
    played.act(PlainAct::Resign, 1);
    played
}

fn choose(column: u64) -> Value {
    json!({"type": "choose_combination", "column": column})
}

fn against(played: &Played, receipt: String) -> Report {
    let (document, receipts) = (played.document(), [KeptReceipt::from(receipt)]);
    verify(&Evidence { document: &document, keys: &[key()], receipts: &receipts, ..Evidence::default() })
}

/// "My move was different." The operator changes a move of a seat without a key, continues, and signs the new
/// end. The document alone passes every check; the player's receipt convicts the operator.
#[test]
fn a_rewritten_move_is_convicted_by_the_players_receipt() {
    let one = |column| {
        game(|played| {
            played.send(&choose(0));
            played.send(&choose(column));
        })
    };
    let (true_game, rewritten) = (one(1), one(2));
    let place = entries(&true_game).iter().rposition(|entry| entry["body"]["type"] == "cmd").unwrap();
    let kept = true_game.receipt(place as u64);
    assert_eq!(failed(&check(&rewritten.document())), Vec::<&str>::new());
    let report = against(&rewritten, kept.clone());
    assert_eq!((failed(&report), report.checks[3].seq), (vec!["receipts"], Some(place as u64)));
    assert_eq!(failed(&against(&true_game, kept)), Vec::<&str>::new());
    assert_eq!(failed(&against(&true_game, "no receipt".into())), ["receipts"]);
}

/// "The shuffle was not fair." The seed follows from bytes of the server, fixed in the genesis, and of a
/// player, promised in the join. Another server seed, another contribution, another order of the cards: each
/// is found.
#[test]
fn a_doubted_shuffle_is_settled_by_commitment_entropy_and_draws() {
    let played = game(|played| played.send(&choose(1)));
    assert_eq!(check(&played.document()).independent_seats, 1);
    let start = place_of(&entries(&played), "type", "start");
    let stacked = after(&played, |entries| {
        entries[start]["secret"]["draws"][0]["out"].as_array_mut().unwrap().reverse();
    });
    assert_eq!(stacked[0], "draws");
    let other = |entries: &mut Vec<Value>| entries[start - 1]["body"]["entropy"] = json!("33".repeat(32));
    assert_eq!(after(&played, other)[0], "entropy");
    let seedless = |entries: &mut Vec<Value>| entries[0]["body"]["commit"] = json!("00".repeat(32));
    assert!(after(&played, seedless).contains(&"commitment"));
}

/// "I never played that." The server cannot play for a seat with a key, and its player cannot deny a
/// signature. For a seat without a key the report says that the question stays open.
#[test]
fn an_invented_move_is_found_by_its_signature() {
    let played = game(|played| {
        played.send(&choose(1));
        played.send(&choose(0));
    });
    let moves: Vec<usize> =
        (0..played.links.len()).filter(|place| entries(&played)[*place]["body"]["type"] == "cmd").collect();
    let invent = |place: usize| report(&played, |entries| entries[place]["body"]["cmd"]["column"] = json!(2));
    assert_eq!(failed(&invent(moves[0])), ["signatures"]);
    let unsigned = invent(moves[1]);
    assert_eq!((failed(&unsigned), unsigned.tenures[1].proved), (vec![], Proved::None), "{unsigned}");
}

/// "I never joined like that." A changed key, promise or changed terms fail. A join without a key proves
/// nothing about its player.
#[test]
fn a_changed_join_is_found_by_the_signature_of_the_player() {
    let played = game(|played| played.send(&choose(1)));
    let renamed = report(&played, |entries| entries[1]["body"]["player"] = json!("mallory"));
    let rated = report(&played, |entries| entries[0]["body"]["rated"] = json!(true));
    for report in [renamed, rated] {
        assert_eq!((report.checks[6].outcome, report.checks[6].seq), (Outcome::Fail, Some(1)), "{report}");
    }
}

/// "The server cut me off too early." In the log a timeout is at its deadline or later. Whether the server's
/// clock was right stays open.
#[test]
fn a_timeout_is_held_against_the_times_of_the_log() {
    let played = game(Played::time_out);
    let place = place_of(&entries(&played), "by", "autopilot");
    let early = after(&played, |entries| {
        let at = entries[place]["body"]["at"].as_u64().unwrap();
        entries[place]["body"]["at"] = (at - 1).into();
    });
    assert_eq!(early, ["clock"]);
}

/// "The seat had another player." A seat with a key changes hands only by a signature, and the report names
/// the tenures.
#[test]
fn a_seat_that_was_given_away_unasked_is_found_by_the_missing_consent() {
    let played = game(|played| played.hand(0, Some(9)));
    let report = check(&played.document());
    let of_seat = report.tenures.iter().filter(|tenure| tenure.seat == 0);
    assert_eq!((failed(&report), of_seat.map(|tenure| tenure.from).collect()), (vec![], vec![1, 5]));
    let place = place_of(&entries(&played), "type", "hand");
    assert_eq!(after(&played, |entries| entries[place]["body"]["signed"] = Value::Null), ["signatures"]);
}

/// "The server ignored my plan." A plan is sealed and signed beside each entry that it decided. A different
/// move contradicts its rules.
#[test]
fn a_plan_that_was_not_followed_is_found_by_the_rules() {
    let rule = |column: u64| PlanRule { phase: "choosing".into(), command: choose(column), up_to: None };
    let played = game(|played| played.plan(played.game.waits_for().unwrap(), vec![rule(1), rule(2)]));
    assert_eq!(failed(&check(&played.document())), Vec::<&str>::new());
    let place = place_of(&entries(&played), "by", "plan");
    let other = |entries: &mut Vec<Value>| entries[place]["body"]["cmd"]["column"] = json!(2);
    assert_eq!(after(&played, other), ["rules"]);
    let another_plan = after(&played, |entries| {
        other(entries);
        entries[place]["secret"]["plan"]["rules"][0]["command"]["column"] = json!(2);
    });
    assert_eq!(another_plan, ["signatures"]);
}
