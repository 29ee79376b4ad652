//! How long a plan goes on without its player.

use serde_json::{Value, json};

use super::{
    forged::{after, entries, make_plans},
    played::{Played, terms},
};
use crate::{
    engine::Seat,
    ledger::{entry::Op, plan::PlanRule},
    words::Status,
};

/// How often a plan may decide before its player must act again (fairlog-2, section 4).
const MOST: usize = 64;

/// A plan that makes the game long: cards are thrown away.
fn some_rule(played: &Played, seat: Seat) -> PlanRule {
    let table = played.game.table.as_ref().unwrap();
    let listed: Vec<Value> = table.legal(seat).commands.iter().map(|listed| json!(listed.command)).collect();
    let command = listed.iter().find(|command| command["type"] == "discard").unwrap_or(&listed[0]).clone();
    PlanRule { phase: table.phase().to_owned(), command, up_to: None }
}

/// A game that both seats leave to their plans as long as these decide, and what each plan said last.
fn left_to_plans() -> (Played, PlanRule) {
    let mut played = Played::start("industrial-waste", &[None, None], &json!({"first_seat": 0}), terms());
    loop {
        let seat = played.game.waits_for().unwrap();
        let (rule, before) = (some_rule(&played, seat), played.links.len());
        played.plan(seat, vec![rule.clone()]);
        if played.links.len() == before {
            return (played, rule);
        }
    }
}

/// Whoever is waited for does by itself what its plan would do.
fn move_once(played: &mut Played) {
    let seat = played.game.waits_for().unwrap();
    played.send(&some_rule(played, seat).command);
}

/// The entries in which a plan of this seat decided.
fn by_plan(entries: &[Value], seat: u64) -> Vec<usize> {
    let is_planned = |body: &Value| body["by"] == "plan" && body["seat"] == seat;
    (0..entries.len()).filter(|place| is_planned(&entries[*place]["body"])).collect()
}

#[test]
fn a_plan_decides_64_times_and_then_waits_for_its_player() {
    let (mut played, rule) = left_to_plans();
    assert_eq!(played.game.status(), Status::Running);
    let seat = played.game.waits_for().unwrap();
    let number = u64::from(seat.number());
    assert_eq!(by_plan(&entries(&played), number).len(), MOST);
    let once_more = played.links.len();
    move_once(&mut played);
    while played.game.waits_for() != Some(seat) {
        move_once(&mut played);
    }
    let again = some_rule(&played, seat);
    played.plan(seat, vec![again]);
    assert_eq!(by_plan(&entries(&played), number).len(), MOST + 1, "its player has acted");
    played.sys(Op::Resign, number);
    assert_eq!(after(&played, |_| {}), Vec::<&str>::new());
    let too_often = after(&played, |entries| {
        make_plans(&mut entries[once_more], &rule.phase);
    });
    assert_eq!(too_often, ["rules"]);
}
