//! Loans: taken at any time (IW-3.1, 3.4), repaid with an advisor (IW-7.13).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::industrial_waste::{
    company::{LOAN, MOST_LOANS},
    event::EventView,
    round::after_turn,
};

pub fn check_take(state: &State, seat: Seat, count: u64) -> Verdict {
    ensure(count > 0, Rejection::NoLoanCounted)?;
    let held = state.companies[seat].loans;
    ensure(count <= room(state, seat), Rejection::TooManyLoans { held })
}

/// Returns the number of loans that the seat may still take.
pub fn room(state: &State, seat: Seat) -> u64 {
    MOST_LOANS.saturating_sub(state.companies[seat].loans)
}

pub fn take(step: &mut Game, seat: Seat, count: u64) {
    step.emit(EventView::LoansTaken { seat, count, forced: false }.into());
}

pub fn check_repay(state: &State, seat: Seat) -> Verdict {
    let company = &state.companies[seat];
    ensure(company.loans > 0, Rejection::NoLoanToRepay)?;
    ensure(company.cash >= LOAN, Rejection::TooLittleCashToRepay)
}

pub fn repay(step: &mut Game, seat: Seat) {
    step.emit(EventView::LoanRepaid { seat }.into());
    after_turn(step, seat);
}
