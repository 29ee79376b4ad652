//! Check 9: the engine plays every command again, and comes to this result. On the way check 10 holds the times against who
//! had to decide.

use super::chain::History;
use crate::{
    engine::{Format, Seat},
    ledger::{
        document::Document,
        game::{Dealer, Game},
        replay::Fault,
        report::{TurnReport, Verdict},
    },
};

/// What the rules and the clocks say, and whose turn it was.
pub struct Played {
    pub rules: Verdict,
    pub clock: Verdict,
    pub turns: Vec<TurnReport>,
}

pub fn check(document: &Document, history: &History) -> Played {
    let (mut off_time, mut turns) = (None, Vec::new());
    let rules = play(document, history, &mut off_time, &mut turns);
    let clock = match (&rules, off_time) {
        _ if history.genesis.terms.clock.is_none() => {
            Verdict::NotRun("the game has no clock, or its log does not say so".into())
        }
        (Verdict::Pass(_), Some((seq, detail))) => Verdict::fail(seq, detail),
        (Verdict::Pass(_), None) => Verdict::Pass("every decision stands on its side of its deadline".into()),
        _ => Verdict::NotRun("it cannot be reached, because `rules` did not pass".into()),
    };
    if !rules.passed() {
        turns.clear();
    }
    Played { rules, clock, turns }
}

/// Plays the log, and notes the first entry that stands at a wrong time, and each that changes whose turn it
/// is.
fn play(
    document: &Document,
    history: &History,
    off_time: &mut Option<(u64, String)>,
    turns: &mut Vec<TurnReport>,
) -> Verdict {
    let mut game = match Game::open(&history.genesis, Dealer::Log) {
        Ok(game) => game,
        Err(unknown @ Fault::UnknownRules(..)) => return Verdict::NotRun(unknown.to_string()),
        Err(fault) => return Verdict::fail(0, fault.to_string()),
    };
    for (recorded, head) in document.entries().zip(&history.heads) {
        let entry = &recorded.entry;
        if document.format != Format::One
            && let Err(detail) = game.judge(&entry.body, entry.at)
        {
            off_time.get_or_insert((entry.seq, detail));
        }
        if let Err(fault) = game.follow(entry, *head) {
            return Verdict::fail(entry.seq, fault.to_string());
        }
        let turn = turn(&game, entry.seq);
        let is_new =
            turns.last().is_none_or(|last| (last.to_act, &last.in_game) != (turn.to_act, &turn.in_game));
        if is_new {
            turns.push(turn);
        }
    }
    let (name, version) = (game.setting.ruleset.name(), game.setting.ruleset.version());
    Verdict::Pass(format!("played again under {name} version {version}, to the same result"))
}

fn turn(game: &Game, seq: u64) -> TurnReport {
    let takes_part = |seat: &Seat| game.table.as_ref().is_some_and(|table| table.is_in(*seat));
    let in_game = game.setting.seats.iter().filter(takes_part).map(|seat| seat.number().into());
    TurnReport { seq, to_act: game.to_act().map(|seat| seat.number().into()), in_game: in_game.collect() }
}
