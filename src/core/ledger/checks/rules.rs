//! Check 9: the engine replays every command and reaches the same end. Check 10 runs with it, since the
//! clocks depend on turns.

use super::chain::History;
use crate::{
    engine::Seat,
    ledger::{
        document::Document,
        finding::{Finding, finding},
        game::{Dealer, Game},
        replay::Fault,
        report::TurnReport,
        verdict::Verdict,
    },
};

/// The verdicts of checks 9 and 10, and the turns.
pub struct RulesVerdicts {
    pub rules: Verdict,
    pub clock: Verdict,
    pub turns: Vec<TurnReport>,
}

pub fn check(document: &Document, history: &History) -> RulesVerdicts {
    let (mut off_time, mut turns) = (None, Vec::new());
    let rules = play(document, history, &mut off_time, &mut turns);
    let clock = match (&rules, off_time) {
        _ if history.genesis.terms.clock.is_none() => Verdict::NotRun(finding!("no_clock")),
        (Verdict::Pass(_), Some((seq, why))) => Verdict::fail(seq, why),
        (Verdict::Pass(_), None) => Verdict::Pass(finding!("clock_holds")),
        _ => Verdict::needs("rules"),
    };
    if !rules.passed() {
        turns.clear();
    }
    RulesVerdicts { rules, clock, turns }
}

/// Replays the log. Collects the first entry at a wrong time, and each change of turn.
fn play(
    document: &Document,
    history: &History,
    off_time: &mut Option<(u64, Finding)>,
    turns: &mut Vec<TurnReport>,
) -> Verdict {
    let mut game = match Game::open(&history.genesis, Dealer::Log) {
        Ok(game) => game,
        Err(unknown @ Fault::UnknownRules(..)) => return Verdict::NotRun(unknown.finding()),
        Err(fault) => return Verdict::fail(0, fault.finding()),
    };
    for (recorded, head) in document.entries().zip(&history.heads) {
        let entry = &recorded.entry;
        if let Err(why) = game.judge(&entry.body, entry.at) {
            off_time.get_or_insert((entry.seq, why));
        }
        if let Err(fault) = game.follow(entry, *head) {
            return Verdict::fail(entry.seq, fault.finding());
        }
        let turn = turn(&game, entry.seq);
        let is_new =
            turns.last().is_none_or(|last| (last.to_act, &last.in_game) != (turn.to_act, &turn.in_game));
        if is_new {
            turns.push(turn);
        }
    }
    let (name, version) = (game.setting.ruleset.name(), game.setting.ruleset.version());
    Verdict::Pass(finding!("rules_hold", name = name, version = version))
}

fn turn(game: &Game, seq: u64) -> TurnReport {
    let takes_part = |seat: &Seat| game.table.as_ref().is_some_and(|table| table.is_in(*seat));
    let in_game = game.setting.seats.iter().filter(takes_part).map(|seat| seat.number().into());
    TurnReport { seq, to_act: game.to_act().map(|seat| seat.number().into()), in_game: in_game.collect() }
}
