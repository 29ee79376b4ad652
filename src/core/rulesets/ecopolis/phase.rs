//! Where in the turn the game is. Each phase holds what only it needs.

use super::{debt::Owed, outcome::Outcome, trade::Offer};
use crate::engine::{Seat, id::ids};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The seat whose turn it is decides.
    Turn(Moment),
    /// An offer stands; the turn goes on at `then` after it.
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

    /// What the seat whose turn it is owes, also while an offer stands.
    pub const fn debt(&self) -> Option<Owed> {
        match self {
            Self::Turn(Moment::Debt(owed)) | Self::Trade { then: Moment::Debt(owed), .. } => Some(*owed),
            _ => None,
        }
    }

    /// The seat that must decide, `turn` being the seat whose turn it is.
    pub const fn to_act(&self, turn: Seat) -> Option<Seat> {
        match self {
            Self::Turn(_) => Some(turn),
            Self::Trade { offer, .. } => Some(offer.to),
            Self::Finished(_) => None,
        }
    }
}
