//! Check 9: the engine plays every command again, and comes to this result.

use std::collections::BTreeMap;

use super::chain::History;
use crate::{
    engine::Chance,
    ledger::{
        document::Document,
        entry::{Body, By, Op},
        replay::{Fault, Setting, ends_in, replay as play},
        report::Verdict,
    },
};

pub fn check(replay: &Document, history: &History) -> Verdict {
    let setting = match Setting::read(history.genesis) {
        Ok(setting) => setting,
        Err(unknown @ Fault::UnknownRules(..)) => return Verdict::NotRun(unknown.to_string()),
        Err(fault) => return Verdict::fail(0, fault.to_string()),
    };
    let mut table = None;
    let mut controls = BTreeMap::new();
    for recorded in &replay.entries {
        let entry = &recorded.entry;
        if let Err(detail) = control(&mut controls, &entry.body) {
            return Verdict::fail(entry.seq, detail);
        }
        let played = match (&entry.body, &mut table) {
            (Body::Start, _) => {
                setting.start(Chance::recorded(), entry.draws.clone()).map(|started| table = Some(started))
            }
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

/// Who may decide for a seat. A seat that is not listed is its player's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Control {
    Autopilot,
    Resigned,
}

/// A seat that resigned stays with the autopilot; one that went to it is its player's again after a `resume`.
fn control(controls: &mut BTreeMap<u64, Control>, body: &Body) -> Result<(), String> {
    let (seat, op) = match body {
        Body::Sys { seat, op } => (*seat, Some(*op)),
        Body::Cmd { seat, by: By::Player, .. } => (*seat, None),
        _ => return Ok(()),
    };
    let next = match (controls.get(&seat), op) {
        (None, None) => return Ok(()),
        (None, Some(Op::Autopilot)) => Some(Control::Autopilot),
        (None | Some(Control::Autopilot), Some(Op::Resign)) => Some(Control::Resigned),
        (Some(Control::Autopilot), Some(Op::Resume)) => None,
        (Some(Control::Resigned), _) => return Err(format!("seat {seat} has resigned")),
        (Some(Control::Autopilot), _) => {
            return Err(format!("seat {seat} is the autopilot's until it resumes"));
        }
        (None, Some(Op::Resume)) => return Err(format!("seat {seat} is its player's already")),
    };
    match next {
        Some(control) => controls.insert(seat, control),
        None => controls.remove(&seat),
    };
    Ok(())
}
