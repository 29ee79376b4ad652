//! A game for tests, at two versions of its rules.
//!
//! The seats add to a sum in turn, and the first at 10 wins. A seat adds 1 to 3 in version 1, and 1 to 2 in
//! version 2.

mod rules;
mod words;

use serde::Serialize;

use crate::engine::{Placement, Refusal, Seat, Seats};

/// The sum that wins.
const GOAL: u64 = 10;

/// The game at a version of its rules.
pub struct Count<const VERSION: u32>;

/// The first version, as the registry names it.
pub mod count_1 {
    pub use super::{Command, EventView, Options, Outcome, View};
    pub type Count1 = super::Count<1>;
}

/// The second version.
pub mod count_2 {
    pub use super::{Command, EventView, Options, Outcome, View};
    pub type Count2 = super::Count<2>;
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = count::Options)]
pub struct Options {}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[wire]
#[schema(as = count::Command)]
pub enum Command {
    Add { amount: u64 },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    seats: Seats,
    sum: u64,
    to_act: Seat,
    outcome: Option<Outcome>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = count::State)]
pub struct View {
    phase: &'static str,
    to_act: Option<Seat>,
    sum: u64,
    result: Option<Outcome>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[wire]
#[schema(as = count::Event)]
pub enum EventView {
    Started { seat: Seat },
    Added { seat: Seat, amount: u64 },
    Finished { winner: Seat },
}

/// An event. It has no secrets, but events are never serialized.
#[derive(Clone)]
pub struct Event(EventView);

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = count::Result)]
pub struct Outcome(Vec<Placement>);

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejection {
    NotYourTurn,
    WrongAmount,
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::NotYourTurn => Self {
                is_out_of_turn: true,
                ..Self::new("CT-1.1", "It is not your turn.", "Non è il tuo turno.")
            },
            Rejection::WrongAmount => {
                Self::new("CT-1.2", "The amount is too large or 0.", "Il numero è troppo grande o 0.")
            }
        }
    }
}
