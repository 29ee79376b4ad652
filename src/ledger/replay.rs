//! A log played again through the rules that it names.

use serde::Serialize;
use serde_json::Value;

use super::{
    entry::{By, Genesis},
    places,
    standing::Standing,
};
use crate::{
    engine::{Chance, Divergence, Draw, Malformed, Refusal, Seat, Seats, table::ReplayError},
    rulesets::{AnyCommand, AnyOptions, AnyStatus, AnyTable, Refused, RulesetId},
};

/// What the first entry of a log agrees on.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    pub ruleset: RulesetId,
    pub options: AnyOptions,
    pub seats: Seats,
}

/// Why a log cannot be played.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Fault {
    #[error("no rules are known here by the name `{0}` and version {1}")]
    UnknownRules(String, u64),
    #[error("{0}")]
    Malformed(#[from] Malformed),
    #[error("the game is not for that many seats")]
    WrongSeats,
    #[error("the options are not written out as the rules write them")]
    OptionsNotWrittenOut,
    #[error("the command is not written out as the rules write it")]
    CommandNotWrittenOut,
    #[error("seat {0} is not at this table")]
    NoSuchSeat(u64),
    #[error("the rules refuse this command ({}): {}", .0.rule, .0.text.en)]
    Refused(Refusal),
    #[error("{0}")]
    Diverged(#[from] Divergence),
    #[error("the autopilot of these rules decides otherwise")]
    NotTheAutopilots,
    #[error("the rules go on here")]
    NotFinished,
    #[error("the result is not that of the rules")]
    WrongResult,
    #[error("{0}")]
    Misplaced(String),
    #[error("{0}")]
    WrongHands(String),
    #[error("{0}")]
    OffTime(String),
    #[error("this cannot be taken back")]
    NothingToTakeBack,
    #[error("the plan decides otherwise, or not at all")]
    NotThePlans,
    #[error("a game without its seed does not go on")]
    NoSeed,
}

impl Setting {
    pub fn read(genesis: &Genesis) -> Result<Self, Fault> {
        let ruleset = RulesetId::of(&genesis.ruleset, genesis.version).ok_or_else(|| {
            Fault::UnknownRules(crate::engine::fields::clip(&genesis.ruleset), genesis.version)
        })?;
        let seats = Seats::new(genesis.seats)
            .filter(|seats| ruleset.seats().contains(&seats.count()))
            .ok_or(Fault::WrongSeats)?;
        let options = ruleset.read_options(&genesis.options, seats)?;
        if serde_json::to_value(&options).ok().as_ref() != Some(&genesis.options) {
            return Err(Fault::OptionsNotWrittenOut);
        }
        Ok(Self { ruleset, options, seats })
    }

    /// The table as it stood when the log's `start` was written.
    pub fn start(&self, chance: Chance, draws: Vec<Draw>) -> Result<AnyTable, Fault> {
        Ok(AnyTable::restart(&self.options, self.seats, chance, draws)?)
    }
}

/// Plays one command of a log, which must be written out in full and draw just what the log holds.
pub fn replay(
    table: &mut AnyTable,
    seat: Seat,
    by: &By,
    cmd: &Value,
    draws: Vec<Draw>,
) -> Result<AnyCommand, Fault> {
    let command = table.ruleset().read_command(cmd)?;
    if serde_json::to_value(&command).ok().as_ref() != Some(cmd) {
        return Err(Fault::CommandNotWrittenOut);
    }
    if *by == By::Autopilot && !is_autopilots(table, seat, &command) {
        return Err(Fault::NotTheAutopilots);
    }
    table.replay(seat, &command, draws).map_err(|error| match error {
        ReplayError::Rejected(Refused::Rule(refusal)) => Fault::Refused(refusal),
        ReplayError::Rejected(Refused::OtherGame) => Fault::CommandNotWrittenOut,
        ReplayError::Diverged(divergence) => Fault::Diverged(divergence),
    })?;
    Ok(command)
}

/// A value as the log holds it.
pub fn written(value: &impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(value).map_err(|error| Malformed::new("log", error.to_string()).into())
}

fn is_autopilots(table: &AnyTable, seat: Seat, command: &AnyCommand) -> bool {
    table.autopilot(seat).as_ref() == Some(command)
}

/// Whether the game is over, and this its result.
pub fn ends_in(table: &AnyTable, standing: &Standing, result: &Value) -> Result<(), Fault> {
    let AnyStatus::Finished(outcome) = table.status() else {
        return Err(Fault::NotFinished);
    };
    if places::behind(written(&outcome)?, standing) != *result {
        return Err(Fault::WrongResult);
    }
    Ok(())
}
