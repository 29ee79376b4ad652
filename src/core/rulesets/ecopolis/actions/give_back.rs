//! Return of a territory to the bank, in a debt (CO-7.7).

use std::cmp::Reverse;

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::{
    engine::id::Id,
    rulesets::ecopolis::{event::EventView, state::WORST, tables::Territory, turn},
};

pub fn check(state: &State, seat: Seat, territory: Territory) -> Verdict {
    let owed = state.phase.debt().ok_or(Rejection::NothingToReturnFor)?;
    ensure(owed.lacking(&state.players[seat]) > 0, Rejection::MoneySuffices)?;
    ensure(state.owner(territory) == Some(seat), Rejection::NotYours { territory, rule: "CO-7.7" })?;
    let balance = state.balance_if(seat, |other| state.owner(other).filter(|_| other != territory));
    ensure(balance > WORST, Rejection::BalanceTooLow { seat, balance })
}

/// Returns what the autopilot returns first (section 14).
pub fn least(state: &State, seat: Seat) -> Option<Territory> {
    let order = |territory: &Territory, done| (done, Reverse(territory.deed().co2_cost), territory.index());
    let least = state.owned(seat).min_by_key(|(territory, holding)| order(territory, holding.done));
    least.map(|(territory, _)| territory)
}

pub fn play(step: &mut Game, seat: Seat, territory: Territory) {
    step.emit(EventView::TerritoryReturned { seat, territory, euros: territory.return_price() }.into());
    turn::fill_hands(step);
    turn::finish_if_won(step, seat);
    turn::pay_debt(step, seat);
}
