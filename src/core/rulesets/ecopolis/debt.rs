//! Debts (section 7).

use serde::Serialize;

use super::state::Player;
use crate::engine::Seat;

/// Price of a credit.
pub const CREDIT: u64 = 100;

/// A debt, which is paid as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// Credits, owed to the bank.
    Credits(u64),
    /// Euros, to a seat or to the bank.
    Euros { amount: u64, to: Option<Seat> },
}

impl Owed {
    pub const fn can_be_paid_by(self, player: &Player) -> bool {
        match self {
            Self::Credits(amount) => player.credits >= amount,
            Self::Euros { amount, .. } => player.euros >= amount,
        }
    }

    /// Returns whether the seat could pay after buying all credits that it can afford (CO-7.5).
    pub const fn could_be_paid_by(self, player: &Player) -> bool {
        match self {
            Self::Credits(amount) => player.credits + player.euros / CREDIT >= amount,
            Self::Euros { .. } => self.can_be_paid_by(player),
        }
    }

    /// Returns the number of missing credits.
    pub const fn missing(self, player: &Player) -> u64 {
        match self {
            Self::Credits(amount) => amount.saturating_sub(player.credits),
            Self::Euros { .. } => 0,
        }
    }

    pub const fn creditor(self) -> Option<Seat> {
        match self {
            Self::Credits(_) => None,
            Self::Euros { to, .. } => to,
        }
    }
}

/// A debt of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Debt)]
pub struct Debt {
    pub seat: Seat,
    /// Creditor. `null` for the bank.
    pub to: Option<Seat>,
    pub euros: u64,
    pub credits: u64,
}

impl Debt {
    pub const fn of(seat: Seat, owed: Owed) -> Self {
        match owed {
            Owed::Credits(credits) => Self { seat, to: None, euros: 0, credits },
            Owed::Euros { amount, to } => Self { seat, to, euros: amount, credits: 0 },
        }
    }
}
