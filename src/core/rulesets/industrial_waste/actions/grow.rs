//! Growth (IW-7.7), and the final round after it (IW-11.1).

use super::{Game, Rejection, Seat, State, Verdict, ensure, steps};
use crate::rulesets::industrial_waste::{company::LAST_COLUMN, event::EventView, round::after_turn};

pub fn check(state: &State, seat: Seat, advisor: bool) -> Verdict {
    let steps = steps(advisor);
    ensure(state.companies[seat].column + steps <= LAST_COLUMN, Rejection::EndOfGrowthTrack { steps })
}

pub fn play(step: &mut Game, seat: Seat, advisor: bool) {
    let column = step.state().companies[seat].column + steps(advisor);
    step.emit(EventView::FactoryGrew { seat, advisor, column }.into());
    if column == LAST_COLUMN && !step.state().final_round {
        step.emit(EventView::FinalRoundReached { seat }.into());
    }
    after_turn(step, seat);
}
