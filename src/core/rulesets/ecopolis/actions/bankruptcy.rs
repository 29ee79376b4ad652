//! Bankruptcy in a debt that a seat cannot pay by its own means (CO-7.5).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::{debt::Owed, turn};

pub fn check(state: &State, seat: Seat) -> Verdict {
    let owed = state.phase.debt().ok_or(Rejection::NoDebt)?;
    ensure(!could_pay(state, seat, owed), Rejection::DebtCanBePaid)
}

/// Returns whether euros, credits and land together pay a debt.
pub fn could_pay(state: &State, seat: Seat, owed: Owed) -> bool {
    state.land_price(seat) >= owed.lacking(&state.players[seat])
}

pub fn play(step: &mut Game, seat: Seat) {
    let creditor = step.state().phase.debt().and_then(Owed::creditor);
    turn::take_out(step, seat, creditor);
}
