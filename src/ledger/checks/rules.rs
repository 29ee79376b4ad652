//! Check 9: the engine plays every command again, and comes to this result. On the way check 10 holds the times against who
//! had to decide.

use super::chain::History;
use crate::{
    engine::Format,
    ledger::{
        document::Document,
        game::{Dealer, Game},
        replay::Fault,
        report::Verdict,
    },
};

/// What the rules and the clocks say.
pub fn check(document: &Document, history: &History) -> (Verdict, Verdict) {
    let mut off_time = None;
    let rules = play(document, history, &mut off_time);
    let clock = match (&rules, off_time) {
        _ if history.genesis.terms.clock.is_none() => {
            Verdict::NotRun("the game has no clock, or its log does not say so".into())
        }
        (Verdict::Pass(_), Some((seq, detail))) => Verdict::fail(seq, detail),
        (Verdict::Pass(_), None) => Verdict::Pass("every decision stands on its side of its deadline".into()),
        _ => Verdict::NotRun("it cannot be reached, because `rules` did not pass".into()),
    };
    (rules, clock)
}

/// Plays the log, and notes the first entry that stands at a wrong time.
fn play(document: &Document, history: &History, off_time: &mut Option<(u64, String)>) -> Verdict {
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
    }
    let (name, version) = (game.setting.ruleset.name(), game.setting.ruleset.version());
    Verdict::Pass(format!("played again under {name} version {version}, to the same result"))
}
