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

    /// Returns the debt in euros. A credit is worth 100 (CO-7.5).
    pub const fn worth(self) -> u64 {
        match self {
            Self::Credits(amount) => amount * CREDIT,
            Self::Euros { amount, .. } => amount,
        }
    }

    /// Returns the euros that are missing if the seat uses all its euros and credits.
    pub const fn lacking(self, player: &Player) -> u64 {
        self.worth().saturating_sub(player.euros + player.credits * CREDIT)
    }

    /// Returns the number of missing credits.
    pub const fn missing(self, player: &Player) -> u64 {
        match self {
            Self::Credits(amount) => amount.saturating_sub(player.credits),
            Self::Euros { .. } => 0,
        }
    }

    /// Returns all euros and the fewest credits that pay a debt in euros together (CO-7.6).
    pub const fn in_kind(self, player: &Player) -> Option<Payment> {
        match self {
            Self::Euros { amount, to } if self.lacking(player) == 0 => {
                let credits = amount.saturating_sub(player.euros) / CREDIT;
                Some(Payment { to, euros: player.euros, credits })
            }
            _ => None,
        }
    }

    /// Returns the payment of exactly what is owed.
    pub const fn payment(self) -> Payment {
        match self {
            Self::Credits(credits) => Payment { to: None, euros: 0, credits },
            Self::Euros { amount, to } => Payment { to, euros: amount, credits: 0 },
        }
    }

    pub const fn creditor(self) -> Option<Seat> {
        match self {
            Self::Credits(_) => None,
            Self::Euros { to, .. } => to,
        }
    }
}

/// Money that pays a debt. `to` is none for the bank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payment {
    pub to: Option<Seat>,
    pub euros: u64,
    pub credits: u64,
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
        let Payment { to, euros, credits } = owed.payment();
        Self { seat, to, euros, credits }
    }
}
