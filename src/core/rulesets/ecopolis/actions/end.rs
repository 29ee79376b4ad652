//! The end of the turn (CO-6.8, 6.10).

use super::{Game, Seat, State};
use crate::rulesets::ecopolis::{actions::implement::is_credit_due, board::Square, event::EventView, turn};

pub fn play(step: &mut Game, seat: Seat) {
    if brings_a_credit(step.state(), seat) {
        step.emit(EventView::CreditTaken { seat }.into());
    }
    turn::end(step, seat);
}

/// Returns whether the end of the turn gives the credit of the square.
pub fn brings_a_credit(state: &State, seat: Seat) -> bool {
    stood_still(state, seat) || is_credit_due(state, seat)
}

/// Returns whether the pawn is on a territory and the seat bought and implemented nothing.
fn stood_still(state: &State, seat: Seat) -> bool {
    let on_territory = matches!(Square::at(state.players[seat].square), Square::Territory(_));
    on_territory && state.turn.bought.is_none() && state.turn.implemented == 0
}
