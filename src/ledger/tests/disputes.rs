//! The disputes about a game: which check speaks, and what stays open.

use serde_json::{Value, json};

use super::{
    forged::anew,
    hosted::{Hosted, check, failed, outcome, short_game},
    played::{Played, check as check_two, terms},
};
use crate::ledger::{
    entry::{By, Op},
    plan::PlanRule,
    report::Outcome,
};

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

/// A doubted shuffle: the seed follows from bytes of the server, fixed at the genesis, and of a seat,
/// promised before the seal. Another server seed, another contribution, another order of the cards: each is
/// found.
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
    let mut value: Value = serde_json::from_str(&secret).unwrap();
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

/// A game of fairlog/2 with a seat that signs and one that does not.
fn signed_game(play: impl FnOnce(&mut Played)) -> Played {
    let options = json!({"first_seat": 0, "max_rounds": 1});
    let mut played = Played::start("industrial-waste", &[Some(1), None], &options, terms());
    play(&mut played);
    played.sys(Op::Resign, 1);
    played
}

fn choose(played: &mut Played, column: u64) {
    let seat = played.game.waits_for().unwrap();
    let command = json!({"type": "choose_combination", "column": column});
    let command = played.game.table.as_ref().unwrap().ruleset().read_command(&command).unwrap();
    played.play(seat, &[command]);
}

fn entries(played: &Played) -> Vec<Value> {
    let whole: Value = serde_json::from_slice(&played.document()).unwrap();
    whole["entries"].as_array().unwrap().clone()
}

fn place_of(entries: &[Value], field: &str, value: &str) -> usize {
    entries.iter().position(|entry| entry["body"][field] == value).unwrap()
}

/// "I never played that." The seat has a key, so that the server cannot play for it: whatever it writes in
/// the name of the seat, the signature is missing or fits something else. And what is signed its player
/// cannot deny.
#[test]
fn an_invented_move_is_found_by_its_signature() {
    let played = signed_game(|played| choose(played, 1));
    assert_eq!(failed(&check_two(&played.document())), Vec::<&str>::new());
    let mut invented = entries(&played);
    let place = place_of(&invented, "type", "cmd");
    invented[place]["body"]["cmd"]["column"] = json!(2);
    assert_eq!(failed(&check_two(&anew(&played, &invented).unwrap())), ["signatures"]);
    // For a seat without a key the server alone vouches, and nothing tells.
    let mut second = signed_game(|played| {
        choose(played, 1);
        choose(played, 0);
    });
    second.now += 1;
    let mut invented = entries(&second);
    let place = invented.iter().rposition(|entry| entry["body"]["type"] == "cmd").unwrap();
    invented[place]["body"]["cmd"]["column"] = json!(2);
    let report = check_two(&anew(&second, &invented).unwrap());
    assert_eq!((failed(&report), report.seats[1].unsigned), (vec![], 1), "{report}");
}

/// "It cut me off too early." By the times of the log a timeout stands at its deadline or later. Whether the
/// server's clock was right stays open.
#[test]
fn a_timeout_is_held_against_the_times_of_the_log() {
    let played = signed_game(Played::time_out);
    let mut early = entries(&played);
    let place = place_of(&early, "by", "autopilot");
    let at = early[place]["body"]["at"].as_u64().unwrap();
    early[place]["body"]["at"] = (at - 1).into();
    assert_eq!(failed(&check_two(&anew(&played, &early).unwrap())), ["clock"]);
    let report = check_two(&played.document()).to_string();
    assert!(report.contains("that its clock was right"), "{report}");
}

/// "Somebody else sat there." A seat with a key is handed on by its signature alone, and the report says from
/// when on who had it.
#[test]
fn a_seat_that_was_given_away_unasked_is_found_by_the_missing_consent() {
    let played = signed_game(|played| played.hand(0, None));
    let report = check_two(&played.document());
    let from: Vec<u64> = report.seats[0].holders.iter().map(|holder| holder.from_seq).collect();
    assert_eq!((failed(&report), from), (vec![], vec![1, 5]));
    let mut unasked = entries(&played);
    let place = place_of(&unasked, "type", "hand");
    unasked[place]["body"]["signed"] = Value::Null;
    assert_eq!(failed(&check_two(&anew(&played, &unasked).unwrap())), ["signatures"]);
}

/// "It did not do what I had planned." The plan stands sealed beside each entry that it caused, signed;
/// another move is not what its rules say. That it had not been withdrawn, or was used wherever it could have
/// been, stays open.
#[test]
fn a_plan_that_was_not_followed_is_found_by_the_rules() {
    let rule = |column: u64| PlanRule {
        phase: "choosing".into(),
        command: json!({"type": "choose_combination", "column": column}),
        up_to: None,
    };
    let played = signed_game(|played| played.plan(played.game.waits_for().unwrap(), vec![rule(1), rule(2)]));
    assert_eq!(failed(&check_two(&played.document())), Vec::<&str>::new());
    let mut other = entries(&played);
    let place = place_of(&other, "by", "plan");
    other[place]["body"]["cmd"]["column"] = json!(2);
    assert_eq!(failed(&check_two(&anew(&played, &other).unwrap())), ["rules"]);
    other[place]["secret"]["plan"]["rules"][0]["command"]["column"] = json!(2);
    assert_eq!(
        failed(&check_two(&anew(&played, &other).unwrap())),
        ["signatures"],
        "nor is the plan another"
    );
    assert!(check_two(&played.document()).to_string().contains("that a plan had not been withdrawn"));
}
