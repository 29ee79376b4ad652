//! The four disputes: which check speaks, and what stays open.

use serde_json::json;

use super::hosted::{Hosted, check, failed, outcome, short_game};
use crate::ledger::{entry::By, report::Outcome};

/// The same opening, then seat 0 takes this column and the autopilots play to the end.
fn game(column: u64) -> Hosted {
    game_by(By::Player, column)
}

/// The game, with this column taken in the name of the seat's player or of its autopilot.
fn game_by(by: By, column: u64) -> Hosted {
    let entropy = [Some([0x11; 32]), None];
    let mut hosted = Hosted::open(2, &json!({"max_rounds": 1, "first_seat": 0}), 7);
    hosted.fill(&entropy);
    hosted.reveal_and_start(&entropy);
    let command = json!({"type": "choose_combination", "column": column});
    let table = hosted.table.as_ref().unwrap();
    let command = table.ruleset().read_command(&command).unwrap();
    hosted.submit(hosted.seats.first(), by, &command);
    while hosted.autopilot() {}
    hosted.end();
    hosted
}

const MOVE: u64 = 6;

/// The operator rewrites a move, plays on from there, and signs the new end. Every check of the document
/// alone passes; the receipt that the player kept convicts it.
#[test]
fn a_rewritten_move_is_convicted_by_the_players_receipt() {
    let (true_game, rewritten) = (game(1), game(2));
    let kept = true_game.receipt(MOVE);
    assert!(!check(&rewritten.document(), &[]).failed(), "nothing inside the document tells");
    let report = check(&rewritten.document(), std::slice::from_ref(&kept));
    assert_eq!(failed(&report), ["receipts"]);
    assert_eq!(report.checks[3].seq, Some(MOVE));
    assert!(!check(&true_game.document(), &[kept]).failed());
}

/// A doubted shuffle: the seed follows from bytes of the server, fixed at the genesis, and of a seat, promised
/// before the seal. Another server seed, another contribution, another order of the cards: each is found.
#[test]
fn a_doubted_shuffle_is_settled_by_commitment_entropy_and_draws() {
    let honest = check(&game(1).document(), &[]);
    for name in ["commitment", "entropy", "draws"] {
        assert_eq!(outcome(&honest, name), Outcome::Pass);
    }
    assert_eq!(honest.independent_seats, 1);

    let mut stacked = game(1);
    let start = stacked.links.iter().position(|link| link.secret.is_some()).unwrap();
    let secret = String::from_utf8(stacked.links[start].secret.clone().unwrap()).unwrap();
    let mut value: serde_json::Value = serde_json::from_str(&secret).unwrap();
    value["draws"][0]["out"].as_array_mut().unwrap().reverse();
    stacked.links[start].secret = Some(value.to_string().into_bytes());
    assert!(failed(&check(&stacked.document(), &[])).contains(&"draws"));
}

/// A denied command: the player has a receipt for an entry, and the log shows another one in its place.
#[test]
fn a_denied_command_is_proved_by_its_receipt() {
    let acknowledged = game(1).receipt(MOVE);
    let mut denied = Hosted::open(2, &json!({"max_rounds": 1, "first_seat": 0}), 7);
    denied.fill(&[Some([0x11; 32]), None]);
    // The operator claims that the promised bytes never came.
    denied.call_off();
    let report = check(&denied.document(), &[acknowledged]);
    assert_eq!(failed(&report), ["receipts"]);
    assert!(report.checks[3].detail.contains("does not have"), "{report}");
}

/// A doubted timeout: the log says that the autopilot decided and when, and it must have decided as the rules
/// say. Whether a command was on its way at that moment stays open, and the report says so.
#[test]
fn of_a_doubted_timeout_the_moment_stays_open() {
    let hosted = short_game();
    assert!(!check(&hosted.document(), &[]).failed());
    let text = String::from_utf8(hosted.document()).unwrap();
    assert!(text.contains(r#""by":"autopilot""#), "whose decision it was can be read");

    // This game is right but for one thing: what it calls the autopilot's is not what the autopilot would do.
    assert_eq!(failed(&check(&game_by(By::Autopilot, 0).document(), &[])), Vec::<&str>::new());
    assert_eq!(failed(&check(&game_by(By::Autopilot, 2).document(), &[])), ["rules"]);
}

#[test]
fn a_receipt_of_another_game_or_signer_is_no_evidence() {
    let hosted = short_game();
    let foreign = hosted.receipt(3).replace("0199a000", "0199b000");
    assert_eq!(failed(&check(&hosted.document(), &[foreign])), ["receipts"]);
    assert_eq!(failed(&check(&hosted.document(), &["no receipt".into()])), ["receipts"]);
}
