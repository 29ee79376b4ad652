//! Replay of a log by the rules that it names.

use serde::Serialize;
use serde_json::Value;

use super::{
    entry::By,
    finding::{Finding, finding},
    places,
    standing::Standing,
    terms::Terms,
};
use crate::{
    engine::{Chance, Divergence, Draw, Malformed, Refusal, Seat, Seats, Text, table::ReplayError},
    rulesets::{AnyCommand, AnyOptions, AnyStatus, AnyTable, Refused, RulesetId},
};

/// The agreement in the first entry of a log.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    pub ruleset: RulesetId,
    pub options: AnyOptions,
    pub seats: Seats,
}

/// A log that cannot be replayed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum Fault {
    #[error("{}", self.finding())]
    UnknownRules(String, u64),
    #[error("{0}")]
    Malformed(#[from] Malformed),
    #[error("{}", self.finding())]
    WrongSeats,
    #[error("{}", self.finding())]
    OptionsNotWrittenOut,
    #[error("{}", self.finding())]
    CommandNotWrittenOut,
    #[error("{}", self.finding())]
    NoSuchSeat(u64),
    #[error("{}", self.finding())]
    Refused(Refusal),
    #[error("{0}")]
    Diverged(#[from] Divergence),
    #[error("{}", self.finding())]
    NotTheAutopilots,
    #[error("{}", self.finding())]
    NotFinished,
    #[error("{}", self.finding())]
    WrongResult,
    #[error("{0}")]
    Misplaced(Finding),
    #[error("{0}")]
    OffTime(Finding),
    #[error("{}", self.finding())]
    NothingToTakeBack,
    #[error("{}", self.finding())]
    NotThePlans,
    #[error("{}", self.finding())]
    NoSeed,
}

impl Fault {
    /// Returns the finding, with texts in both languages.
    pub fn finding(&self) -> Finding {
        match self {
            Self::UnknownRules(name, version) => finding!("unknown_rules", name = name, version = version),
            Self::Malformed(malformed) => malformed.clone().into(),
            Self::WrongSeats => finding!("wrong_seats"),
            Self::OptionsNotWrittenOut => finding!("options_not_complete"),
            Self::CommandNotWrittenOut => finding!("command_not_complete"),
            Self::NoSuchSeat(seat) => finding!("no_such_seat", seat = seat),
            Self::Refused(refusal) => {
                let text = Text::new(refusal.text.en.clone(), refusal.text.it.clone());
                finding!("rules_refuse", rule = refusal.rule).with_text("text", text)
            }
            Self::Diverged(_) => finding!("draws_diverge"),
            Self::NotTheAutopilots => finding!("autopilot_differs"),
            Self::NotFinished => finding!("game_goes_on"),
            Self::WrongResult => finding!("wrong_result"),
            Self::Misplaced(finding) | Self::OffTime(finding) => finding.clone(),
            Self::NothingToTakeBack => finding!("cannot_take_back"),
            Self::NotThePlans => finding!("plan_differs"),
            Self::NoSeed => finding!("no_seed"),
        }
    }
}

impl Setting {
    pub fn read(terms: &Terms) -> Result<Self, Fault> {
        let ruleset = RulesetId::of(&terms.ruleset, terms.version).ok_or_else(|| {
            Fault::UnknownRules(crate::engine::malformed::clip(&terms.ruleset), terms.version)
        })?;
        let seats = Seats::new(terms.seats)
            .filter(|seats| ruleset.seats().contains(&seats.count()))
            .ok_or(Fault::WrongSeats)?;
        let options = ruleset.read_options(&terms.options, seats)?;
        if serde_json::to_value(&options).ok().as_ref() != Some(&terms.options) {
            return Err(Fault::OptionsNotWrittenOut);
        }
        Ok(Self { ruleset, options, seats })
    }

    /// Returns the table at the log's `start`.
    pub fn start(&self, chance: Chance, draws: Vec<Draw>) -> Result<AnyTable, Fault> {
        Ok(AnyTable::restart(&self.options, self.seats, chance, draws)?)
    }
}

/// Replays a command. The log must have its complete form and exactly its draws.
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

/// Returns a value in the form of the log.
pub fn written(value: &impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(value).map_err(|error| Malformed::new("log", error.to_string()).into())
}

fn is_autopilots(table: &AnyTable, seat: Seat, command: &AnyCommand) -> bool {
    table.autopilot(seat).as_ref() == Some(command)
}

/// Checks whether the game is over with this result.
pub fn ends_in(table: &AnyTable, standing: &Standing, result: &Value) -> Result<(), Fault> {
    let AnyStatus::Finished(outcome) = table.status() else {
        return Err(Fault::NotFinished);
    };
    if places::behind(written(&outcome)?, standing) != *result {
        return Err(Fault::WrongResult);
    }
    Ok(())
}
