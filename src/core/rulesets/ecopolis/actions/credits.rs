//! Buying credits from the bank: for a debt (CO-7.2), or when the event says so.

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::{
    debt::CREDIT,
    event::EventView,
    phase::{Moment, Phase},
    turn,
};

pub fn check(state: &State, seat: Seat, count: u64) -> Verdict {
    let most = on_sale(state, seat);
    ensure(most > 0, Rejection::NoCreditsOnSale)?;
    ensure((1..=most).contains(&count), Rejection::WrongNumberOfCredits { most })?;
    let euros = state.players[seat].euros;
    ensure(euros / CREDIT >= count, Rejection::TooFewEurosForCredits { euros })
}

/// Returns the number of credits that the bank sells to the seat now.
fn on_sale(state: &State, seat: Seat) -> u64 {
    match state.phase {
        Phase::Turn(Moment::Debt(owed)) => owed.missing(&state.players[seat]),
        Phase::Turn(Moment::Square) => state.turn.market_left,
        _ => 0,
    }
}

/// Returns the number of credits that the seat can buy now.
pub fn most(state: &State, seat: Seat) -> u64 {
    on_sale(state, seat).min(state.players[seat].euros / CREDIT)
}

pub fn play(step: &mut Game, seat: Seat, count: u64) {
    step.emit(EventView::CreditsBought { seat, count, euros: CREDIT * count }.into());
    turn::pay_debt(step, seat);
}
