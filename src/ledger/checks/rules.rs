//! Check 9: the engine plays every command again, and comes to this result.

use super::chain::History;
use crate::ledger::{
    document::Document,
    game::{Dealer, Game},
    replay::Fault,
    report::Verdict,
};

pub fn check(document: &Document, history: &History) -> Verdict {
    let mut game = match Game::open(&history.genesis, Dealer::Log) {
        Ok(game) => game,
        Err(unknown @ Fault::UnknownRules(..)) => return Verdict::NotRun(unknown.to_string()),
        Err(fault) => return Verdict::fail(0, fault.to_string()),
    };
    for (recorded, head) in document.entries().zip(&history.heads) {
        if let Err(fault) = game.follow(&recorded.entry, *head) {
            return Verdict::fail(recorded.entry.seq, fault.to_string());
        }
    }
    let (name, version) = (game.setting.ruleset.name(), game.setting.ruleset.version());
    Verdict::Pass(format!("played again under {name} version {version}, to the same result"))
}
