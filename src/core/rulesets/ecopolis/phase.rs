//! Phases of a turn, each with its own data.

use super::{debt::Owed, outcome::Outcome, trade::Offer};
use crate::engine::{Seat, id::ids};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The seat of the turn decides.
    Turn(Moment),
    /// An open offer. The turn continues at `then`.
    Trade {
        offer: Box<Offer>,
        then: Moment,
    },
    Finished(Outcome),
}

/// A point of a turn at which its seat decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    Roll,
    /// The pawn stands.
    Square,
    Debt(Owed),
}

ids! {
    /// Phase, as in views.
    #[schema(as = ecopolis::Phase)]
    pub enum PhaseName {
        Roll = "roll",
        Square = "square",
        Debt = "debt",
        Trade = "trade",
        Finished = "finished",
    }
}

impl Moment {
    pub const fn name(self) -> PhaseName {
        match self {
            Self::Roll => PhaseName::Roll,
            Self::Square => PhaseName::Square,
            Self::Debt(_) => PhaseName::Debt,
        }
    }
}

impl Phase {
    pub const fn name(&self) -> PhaseName {
        match self {
            Self::Turn(moment) => moment.name(),
            Self::Trade { .. } => PhaseName::Trade,
            Self::Finished(_) => PhaseName::Finished,
        }
    }

    pub const fn offer(&self) -> Option<&Offer> {
        match self {
            Self::Trade { offer, .. } => Some(offer),
            _ => None,
        }
    }

    /// Returns the debt of the turn's seat, also during an offer.
    pub const fn debt(&self) -> Option<Owed> {
        match self {
            Self::Turn(Moment::Debt(owed)) | Self::Trade { then: Moment::Debt(owed), .. } => Some(*owed),
            _ => None,
        }
    }

    /// Returns the seat that must decide. `turn` is the seat of the turn.
    pub const fn to_act(&self, turn: Seat) -> Option<Seat> {
        match self {
            Self::Turn(_) => Some(turn),
            Self::Trade { offer, .. } => Some(offer.to),
            Self::Finished(_) => None,
        }
    }
}
