//! Check 9: the engine plays every command again, and comes to this result.

use super::chain::History;
use crate::{
    engine::Chance,
    ledger::{
        body::Body,
        playback::{Fault, Setting, ends_in, replay as play},
        replay::Replay,
        report::Verdict,
    },
    rulesets::AnyTable,
};

pub fn check(replay: &Replay, history: &History) -> Verdict {
    let setting = match Setting::read(history.genesis) {
        Ok(setting) => setting,
        Err(unknown @ Fault::UnknownRules(..)) => return Verdict::NotRun(unknown.to_string()),
        Err(fault) => return Verdict::fail(0, fault.to_string()),
    };
    let mut table = None;
    for recorded in &replay.entries {
        let entry = &recorded.entry;
        let played = match (&entry.body, &mut table) {
            (Body::Start, _) => start(&setting, entry.draws.clone()).map(|started| table = Some(started)),
            (Body::Cmd { seat, by, cmd }, Some(table)) => play(table, *seat, *by, cmd, entry.draws.clone()),
            (Body::End { result, .. }, Some(table)) => ends_in(table, result),
            _ => Ok(()),
        };
        if let Err(fault) = played {
            return Verdict::fail(entry.seq, fault.to_string());
        }
    }
    let (name, version) = (setting.ruleset.name(), setting.ruleset.version());
    Verdict::Pass(format!("played again under {name} version {version}, to the same result"))
}

fn start(setting: &Setting, draws: Vec<crate::engine::Draw>) -> Result<AnyTable, Fault> {
    setting.start(Chance::recorded(), draws)
}
