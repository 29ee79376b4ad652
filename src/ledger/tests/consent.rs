//! Which signatures are demanded, and why one does not do.

use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{
    hosted::GAME,
    played::{Played, terms},
};
use crate::{
    engine::hash::Bytes32,
    ledger::{
        consent::{Demand, Unsigned, Why, demand},
        encoding::hex,
        entry::{Body, Holder, Op},
        plan::{Plan, PlanRule},
        player_secret::PlayerSecret,
        signed::{Message, SeatKey, Signed, Spot},
        standing::{Control, Sitting},
    },
};

/// What is demanded, and by whose keys.
fn told(body: &Body, keys: &[SeatKey], control: Control, left: u8) -> String {
    let holder = Holder { keys: keys.to_vec(), ..Holder::person("ada") };
    let sitting = Sitting { left, ..Sitting::new(holder, None, control) };
    match demand(body, &sitting) {
        Demand::Nothing => "nothing".to_owned(),
        Demand::May(keys) => format!("may {keys:?}"),
        Demand::Must(keys) => format!("must {keys:?}"),
        Demand::Show(keys) => format!("show {keys:?}"),
    }
}

#[test]
fn what_is_demanded_hangs_on_the_act_the_keys_and_whose_hands_the_seat_is_in() {
    let (own, new) = ([SeatKey::new([1; 32])], vec![SeatKey::new([2; 32])]);
    let (must, may) = (format!("must {own:?}"), format!("may {own:?}"));
    let hand = Body::Hand { seat: 0, holder: Holder::person("bob"), signed: None };
    let keys = Body::Keys { seat: 0, keys: new.clone(), signed: None };
    let takeback = Body::Takeback { seat: 0, to: 7, signed: None };
    let sys = |op| Body::sys(op, 0);
    for (body, control, left, with_keys) in [
        (&sys(Op::Resign), Control::Player, 0, must.as_str()),
        (&sys(Op::Pause), Control::Player, 0, &must),
        (&sys(Op::Continue), Control::Player, 0, &must),
        (&takeback, Control::Player, 0, &must),
        (&keys, Control::Player, 0, &must),
        (&sys(Op::Resume), Control::Autopilot, 9, &may),
        (&sys(Op::Autopilot), Control::Player, 0, "nothing"),
        (&sys(Op::Unkey), Control::Player, 0, "nothing"),
        (&hand, Control::Player, 9, &must),
        (&hand, Control::Autopilot, 3, &must),
        (&hand, Control::Autopilot, 4, &may),
        (&hand, Control::Resigned, 0, "nothing"),
    ] {
        assert_eq!(told(body, &own, control, left), with_keys, "{body:?} {control:?}");
        let without = if *body == keys { format!("show {new:?}") } else { "nothing".to_owned() };
        assert_eq!(told(body, &[], control, left), without, "{body:?} {control:?}");
    }
}

/// A game whose first seat signs.
fn game() -> Played {
    Played::start("industrial-waste", &[Some(1), None], &json!({}), terms())
}

/// Signatures that a seat with keys may come with, and what is said of each; what was expected is told with
/// each that does not do.
fn tried(game: &Played, message: &Message) -> Vec<(Option<Signed>, Result<(), Unsigned>)> {
    let (good, seq) = (game.sign(0, message).unwrap(), game.game.seq());
    let spot = Spot { game: GAME, seat: 0, seen: seq, head: game.game.chain.head() };
    let expected = Some(hex(&Sha256::digest(message.at(spot))));
    let because = |why| Err(Unsigned { why, expected: expected.clone() });
    let by_another = PlayerSecret::new(&[2; 32]).sign(message, spot);
    let of_another = Message::sys(Op::Resign);
    vec![
        (Some(good.clone()), Ok(())),
        (None, because(Why::Missing)),
        (Some(Signed { seen: seq + 1, ..good.clone() }), because(Why::Stale { seq })),
        (Some(by_another), because(Why::OtherKey)),
        (Some(Signed { sig: game.sign(0, &of_another).unwrap().sig, ..good }), because(Why::OtherMessage)),
    ]
}

#[test]
fn moves_and_acts_of_a_seat_with_keys_are_signed_by_who_has_seen_the_newest_entry() {
    let game = game();
    let play = Message::play(&[&json!({"type": "pass_bid"})]).unwrap();
    for (signed, expected) in tried(&game, &play) {
        assert_eq!(game.game.consent_to_play(GAME, 0, signed.as_ref(), &play), expected);
    }
    let back = Message::takeback(3);
    for (signed, expected) in tried(&game, &back) {
        let body = Body::Takeback { seat: 0, to: 3, signed };
        assert_eq!(game.game.consent(GAME, &body).unwrap(), expected);
    }
}

#[test]
fn a_plan_is_signed_by_who_has_seen_what_ended_the_plans_before_it() {
    let mut game = game();
    let rules = vec![PlanRule { phase: "auction".into(), command: json!({"type": "pass_bid"}), up_to: None }];
    let message = Message::plan(&rules).unwrap();
    let consent = |game: &Played, signed: Option<Signed>, head: &Bytes32| {
        game.game.consent_to_plan(GAME, 0, &Plan { rules: rules.clone(), signed }, head).unwrap()
    };
    for (signed, expected) in tried(&game, &message) {
        assert_eq!(consent(&game, signed, game.game.chain.head()), expected);
    }
    let (early, head) = (game.sign(0, &message), *game.game.chain.head());
    game.sys(Op::Pause, 1);
    assert_eq!(consent(&game, early.clone(), &head), Ok(()), "what came since ends no plans");
    game.change_keys(0, 1);
    let stale = consent(&game, early, &head).map_err(|unsigned| unsigned.why);
    assert_eq!(stale, Err(Why::Stale { seq: game.game.seq() }));
    let renewed = game.sign(0, &message);
    assert_eq!(consent(&game, renewed, game.game.chain.head()), Ok(()), "who has seen just that entry");
}

#[test]
fn a_seat_without_keys_signs_nothing() {
    let game = game();
    let message = Message::play(&[&json!({"type": "pass_bid"})]).unwrap();
    let signed = game.sign(0, &message);
    let unwanted = Err(Unsigned { why: Why::Unwanted, expected: None });
    assert_eq!(game.game.consent_to_play(GAME, 1, None, &message), Ok(()));
    assert_eq!(game.game.consent_to_play(GAME, 1, signed.as_ref(), &message), unwanted);
    let body = Body::Sys { op: Op::Pause, seat: 1, signed: signed.clone() };
    assert_eq!(game.game.consent(GAME, &body).unwrap(), unwanted);
    let plan = Plan { rules: Vec::new(), signed };
    assert_eq!(game.game.consent_to_plan(GAME, 1, &plan, game.game.chain.head()).unwrap(), unwanted);
}
