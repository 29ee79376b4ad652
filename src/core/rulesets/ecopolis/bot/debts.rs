//! Settlement of debts.

use super::{
    super::{
        actions::{bankruptcy, give_back},
        command::Command,
        debt::Owed,
        state::State,
        tables::Territory,
    },
    dealing, land,
};
use crate::engine::{Ruleset as _, Seat};

/// Returns how a seat pays: by money, by a trade, with credits, or with land.
pub fn settle(state: &State, seat: Seat, owed: Owed, may_offer: bool) -> Option<Command> {
    let player = &state.players[seat];
    if matches!(owed, Owed::Credits(_)) && owed.lacking(player) == 0 {
        return super::Ecopolis::autopilot(state, seat);
    }
    let offer = may_offer.then(|| dealing::offer_for_debt(state, seat, owed)).flatten();
    if let Some(offer) = offer {
        return Some(dealing::propose(offer));
    }
    if owed.lacking(player) > 0
        && bankruptcy::could_pay(state, seat, owed)
        && let Some(territory) = returnable(state, seat, owed.lacking(player))
    {
        return Some(Command::ReturnTerritory { territory });
    }
    super::Ecopolis::autopilot(state, seat)
}

/// Returns the least loss of the territories that suffice alone, or else of all.
fn returnable(state: &State, seat: Seat, lacking: u64) -> Option<Territory> {
    let legal = |territory: &Territory| give_back::check(state, seat, *territory).is_ok();
    let all = by_loss(state, seat);
    let mut can = all.iter().map(|(_, territory)| *territory).filter(legal);
    let alone = can.clone().find(|territory| territory.return_price() >= lacking);
    alone.or_else(|| can.next())
}

/// Returns the territories of a seat, the one with the least loss first.
pub fn by_loss(state: &State, seat: Seat) -> Vec<(i64, Territory)> {
    let mut all: Vec<(i64, Territory)> = state
        .owned(seat)
        .map(|(territory, _)| (-land::gain_by(state, seat, territory, None), territory))
        .collect();
    all.sort_by_key(|(loss, _)| *loss);
    all
}
