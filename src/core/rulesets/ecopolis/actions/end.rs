//! The end of the turn (CO-6.8, 6.10).

use super::{Game, Seat, State};
use crate::rulesets::ecopolis::{actions::implement::is_credit_due, board::Square, event::EventView, turn};

pub fn play(step: &mut Game, seat: Seat) {
    if brings_a_credit(step.state(), seat) {
        step.emit(EventView::CreditTaken { seat }.into());
    }
    turn::end(step, seat);
}

/// Whether the end of the turn brings the credit of the square.
pub fn brings_a_credit(state: &State, seat: Seat) -> bool {
    stood_still(state, seat) || is_credit_due(state, seat)
}

/// On a territory, in a turn in which nothing was bought or implemented.
fn stood_still(state: &State, seat: Seat) -> bool {
    let on_territory = matches!(Square::at(state.players[seat].square), Square::Territory(_));
    on_territory && state.turn.bought.is_none() && state.turn.implemented == 0
}
