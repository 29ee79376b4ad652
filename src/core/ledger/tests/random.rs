//! Random games with every kind of entry. The same number gives the same game.

use serde_json::json;

use super::played::{Played, terms};
use crate::{
    engine::{LegalCommand, Seat, Seats, Vary},
    ledger::{
        entry::{Body, PlainAct},
        plan::PlanRule,
        standing::Control,
    },
    rulesets::{AnyCommand, RulesetId},
    testing::{TestDice, short_options},
    words::Status,
};

/// Plays a random game in which every kind of entry occurs now and then.
pub fn random_game(ruleset: &str, number: u64) -> Played {
    let mut dice = TestDice::new(number);
    let seats = 2 + dice.below(3);
    let signers: Vec<Option<u8>> = (0..seats)
        .map(|seat| (number.is_multiple_of(2) || dice.often()).then(|| 10 + u8::try_from(seat).unwrap()))
        .collect();
    let options = short_options(RulesetId::current(ruleset).unwrap(), Seats::new(seats).unwrap(), 4);
    let mut played = Played::start(ruleset, &signers, &options, terms());
    while played.game.status() == Status::Running {
        played.now += dice.below(20_000);
        step(&mut played, &mut dice);
    }
    played
}

/// Plays a game in which all players run out of time.
pub fn abandoned_game() -> Played {
    let mut played = Played::start("ecopolis", &[Some(10), None], &json!({"first_seat": 1}), terms());
    while played.game.status() == Status::Running {
        played.time_out();
    }
    played
}

/// Opens a table with a player who leaves and joins again. The table is called off, because a promise is not
/// revealed.
pub fn void_game() -> Played {
    let options = json!({"open_cash": true, "first_seat": 2});
    let mut played = Played::open("industrial-waste", &[Some(1), None, Some(3)], &options, terms());
    (0..2).for_each(|seat| played.join(seat));
    played.write(&Body::Leave { seat: 1 });
    (1..3).for_each(|seat| played.join(seat));
    played.reveal(2);
    played.add(&Body::void());
    played
}

/// Plays a game from which the operator removes a player and which it then halts.
pub fn halted_game() -> Played {
    let signers = [Some(1), Some(2), None];
    let mut played = Played::start("industrial-waste", &signers, &json!({"first_seat": 0}), terms());
    played.move_once();
    played.now += 600_000;
    played.add(&Body::Outage { ms: 540_000 });
    played.add(&Body::Remove { seat: 1, text: Some("It played for two seats.".into()) });
    played.add(&Body::halted("The rules of this table were wrong.".into()));
    played
}

fn step(played: &mut Played, dice: &mut TestDice) {
    if played.game.clocks.is_paused() {
        let asking = played.game.setting.seats.iter().find(|seat| played.game.clocks.asks(*seat)).unwrap();
        played.now += 3_600_000;
        return played.act(PlainAct::Continue, asking.number().into());
    }
    let Some(seat) = played.game.waits_for() else { return };
    if played.game.clocks.deadline().is_some_and(|deadline| deadline <= played.now) {
        return played.time_out();
    }
    // Now and then a player is away for a while.
    let is_away = (played.links.len() / 24).is_multiple_of(3) && seat == played.game.setting.seats.first();
    match dice.below(40) {
        0 => played.time_out(),
        20.. if is_away => played.time_out(),
        choice @ 1..9 => around(played, dice, choice),
        9..13 => step_back(played, dice, seat),
        13..17 => by_plan(played, seat),
        _ => decide(played, dice, seat),
    }
}

/// Adds an entry other than a move.
fn around(played: &mut Played, dice: &mut TestDice, choice: u64) {
    let seat = dice.below(played.game.setting.seats.count().into());
    let new = 20 + u8::try_from(dice.below(200)).unwrap();
    let sitting = played.sitting(seat);
    let (control, is_quiet, keys) = (sitting.control, sitting.others < 6, sitting.keys.in_force().len());
    let (plays, is_signer) = (control == Control::Player, played.signer(seat).is_some());
    match choice {
        1 if control == Control::Autopilot => played.act(PlainAct::Resume, seat),
        2 if is_quiet && plays && is_signer && keys < 5 => played.link(seat, new),
        3 if is_quiet && plays && is_signer && keys > 1 => played.revoke(seat),
        4 if is_quiet && plays && dice.below(3) == 0 => played.rekey(seat, dice.often().then_some(new)),
        5 if is_quiet && plays => pause(played),
        6 if is_quiet && !plays || dice.below(20) == 0 => played.hand(seat, Some(new)),
        7 if plays && dice.below(6) == 0 => played.act(PlainAct::Resign, seat),
        8 => {
            played.now += 30_000;
            let before = played.links.last().unwrap().at;
            played.add(&Body::Outage { ms: 30_000.min(played.now - before) });
        }
        _ => {}
    }
}

/// Everyone asks for a pause.
fn pause(played: &mut Played) {
    for seat in played.game.setting.seats.iter().collect::<Vec<_>>() {
        let plays = played.game.sitting(seat).unwrap().control == Control::Player;
        if plays && !played.game.clocks.asks(seat) && !played.game.clocks.is_paused() {
            played.act(PlainAct::Pause, seat.number().into());
        }
    }
}

fn step_back(played: &mut Played, dice: &mut TestDice, seat: Seat) {
    let reached = played.game.takebacks(seat);
    if reached.is_empty() || played.game.sitting(seat).unwrap().others >= 6 {
        return decide(played, dice, seat);
    }
    let to = reached.start + dice.below(reached.end - reached.start);
    let body = Body::Takeback { seat: seat.number().into(), to, signed: None };
    if played.game.judge(&body, played.now).is_ok() {
        played.take_back(seat, to);
    }
}

fn by_plan(played: &mut Played, seat: Seat) {
    let table = played.game.table.as_ref().unwrap();
    let phase = table.phase().to_owned();
    let mut rules: Vec<PlanRule> =
        table.legal(seat).commands.iter().take(3).map(|listed| rule(&phase, listed)).collect();
    let idle = PlanRule { phase: "nowhere".into(), command: json!({"type": "nothing"}), up_to: None };
    rules.insert(0, idle);
    played.plan(seat, rules);
}

/// Plays a move, or two loans in one request.
fn decide(played: &mut Played, dice: &mut TestDice, seat: Seat) {
    let command = some_command(played, dice, seat);
    let loan = played.game.setting.ruleset.read_command(&json!({"type": "take_loan", "count": 1}));
    let mut table = played.game.table.as_ref().unwrap().clone();
    match loan {
        Ok(loan) if dice.below(6) == 0 && (0..2).all(|_| table.submit(seat, &loan).is_ok()) => {
            played.play(seat, &[loan.clone(), loan]);
        }
        _ => played.play(seat, &[command]),
    }
}

/// Returns a plan rule for a listed command, with an open number if possible.
fn rule(phase: &str, listed: &LegalCommand<AnyCommand>) -> PlanRule {
    let mut command = json!(listed.command);
    let field =
        listed.vary.as_ref().map(|vary| vary.field).filter(|field| ["amount", "count"].contains(field));
    let up_to = field.and_then(|field| command.as_object_mut().unwrap().remove(field)).map(|_| 40);
    PlanRule { phase: phase.to_owned(), command, up_to }
}

fn some_command(played: &Played, dice: &mut TestDice, seat: Seat) -> AnyCommand {
    let table = played.game.table.as_ref().unwrap();
    let listed = table.legal(seat).commands;
    let choice = dice.pick(&listed).clone();
    choice.vary.map_or(choice.command.clone(), |Vary { field, min, max }| {
        let mut varied = json!(choice.command);
        varied[field] = (min + dice.below(max - min + 1)).into();
        table.ruleset().read_command(&varied).unwrap()
    })
}
