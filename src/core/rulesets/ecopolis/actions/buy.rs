//! Purchase of the pawn's territory (CO-6.6).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::{board::Square, event::EventView, state::WORST, tables::Territory};

pub fn check(state: &State, seat: Seat) -> Verdict {
    let territory = on_sale(state, seat).ok_or(Rejection::NothingOnSale)?;
    let (deed, euros) = (territory.deed(), state.players[seat].euros);
    ensure(euros >= deed.price, Rejection::TooFewEuros { price: deed.price, euros })?;
    let balance = state.balance(seat) - deed.co2_cost;
    ensure(balance > WORST, Rejection::BalanceTooLow { seat, balance })
}

/// Returns the free territory of the pawn's square.
fn on_sale(state: &State, seat: Seat) -> Option<Territory> {
    match Square::at(state.players[seat].square) {
        Square::Territory(territory) if state.holding(territory).is_none() => Some(territory),
        _ => None,
    }
}

pub fn play(step: &mut Game, seat: Seat) {
    if let Some(territory) = on_sale(step.state(), seat) {
        let price = territory.deed().price;
        step.emit(EventView::TerritoryBought { seat, territory, price }.into());
    }
}
