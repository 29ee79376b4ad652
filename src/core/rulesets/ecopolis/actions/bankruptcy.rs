//! Bankruptcy in a debt that cannot be paid (CO-7.5).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::turn;

pub fn check(state: &State, seat: Seat) -> Verdict {
    let owed = state.phase.debt().ok_or(Rejection::NoDebt)?;
    ensure(!owed.could_be_paid_by(&state.players[seat]), Rejection::DebtCanBePaid)
}

pub fn play(step: &mut Game, seat: Seat) {
    let creditor = step.state().phase.debt().and_then(super::super::debt::Owed::creditor);
    turn::eliminate(step, seat, creditor);
}
