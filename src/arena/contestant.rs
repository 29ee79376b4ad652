//! Contestants: a built-in level, a simple player for comparison, or a program.

use std::{fmt, io, str::FromStr, time::Duration};

use super::{Foul, program::Program};
use crate::{
    bots::Level,
    engine::{Refusal, Seat, Viewer},
    ledger::game::Game,
    rulesets::{AnyCommand, Refused},
};

/// A contestant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    Level(Level),
    /// A random candidate.
    Random,
    Autopilot,
    /// A program with its arguments.
    Program(Vec<String>),
}

/// An unknown level, or an empty program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is not a level (level:easy, level:middle, level:hard, level:hardest), random, autopilot or a program"
)]
pub struct NoContestant(String);

impl FromStr for Contestant {
    type Err = NoContestant;

    fn from_str(text: &str) -> Result<Self, NoContestant> {
        let unknown = || NoContestant(text.to_owned());
        match (text, text.strip_prefix("level:")) {
            (_, Some(level)) => Level::from_word(level).map(Self::Level).ok_or_else(unknown),
            ("random", _) => Ok(Self::Random),
            ("autopilot", _) => Ok(Self::Autopilot),
            _ => {
                let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
                if words.is_empty() { Err(unknown()) } else { Ok(Self::Program(words)) }
            }
        }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => f.write_str(level.word()),
            Self::Random => f.write_str("random"),
            Self::Autopilot => f.write_str("autopilot"),
            Self::Program(words) => f.write_str(&words.join(" ")),
        }
    }
}

impl Contestant {
    /// Returns a player of this kind.
    pub fn begin(&self, patience: Duration) -> io::Result<Player> {
        Ok(match self {
            Self::Level(level) => Player::Level(*level),
            Self::Random => Player::Random,
            Self::Autopilot => Player::Autopilot,
            Self::Program(words) => Player::Program(Program::begin(words, patience)?),
        })
    }
}

/// A contestant at a seat.
pub enum Player {
    Level(Level),
    Random,
    Autopilot,
    Program(Program),
}

impl Player {
    /// Returns the command of its seat, which must act.
    pub fn decide(&mut self, name: &str, game: &Game, seat: Seat, seed: u64) -> Result<AnyCommand, Foul> {
        let table = game.table.as_ref().ok_or(Foul::Silent)?;
        let thought = || table.thought(seat, seed);
        let decided = match self {
            Self::Level(level) => thought().decide(*level, 1),
            Self::Random => thought().random(),
            Self::Autopilot => table.autopilot(seat),
            Self::Program(program) => {
                let (view, legal) = (table.view(Viewer::Seat(seat)), table.legal(seat));
                let asked = serde_json::json!({
                    "game": name, "ruleset": table.ruleset().name(), "seat": seat, "seq": game.seq(), "view": view, "legal": legal,
                });
                let answer = program.ask(&asked)?;
                let command = table.ruleset().read_command(&answer);
                Some(command.map_err(|malformed| Foul::Illegal(malformed.to_string()))?)
            }
        };
        let command = decided.ok_or(Foul::Silent)?;
        match table.check(seat, &command) {
            Ok(()) => Ok(command),
            Err(Refused::Rule(Refusal { rule, text, .. })) => {
                Err(Foul::Illegal(format!("{} ({rule})", text.en)))
            }
            Err(Refused::OtherGame) => Err(Foul::Illegal("the command belongs to another game".to_owned())),
        }
    }
}
