//! Hiring and firing (IW-7.8).

use super::{Game, Rejection, Seat, State, Verdict, steps};
use crate::rulesets::industrial_waste::{
    company::{BOTTOM_ROW, Direction, TOP_ROW},
    event::EventView,
    round::after_turn,
};

pub fn check(state: &State, seat: Seat, direction: Direction, advisor: bool) -> Verdict {
    match row_after(state, seat, direction, advisor) {
        Some(_) => Ok(()),
        None => Err(Rejection::EndOfCoWorkerTrack { direction, steps: steps(advisor) }),
    }
}

pub fn play(step: &mut Game, seat: Seat, direction: Direction, advisor: bool) {
    if let Some(row) = row_after(step.state(), seat, direction, advisor) {
        step.emit(EventView::WorkforceAdjusted { seat, advisor, row }.into());
    }
    after_turn(step, seat);
}

fn row_after(state: &State, seat: Seat, direction: Direction, advisor: bool) -> Option<u8> {
    let row = state.companies[seat].row;
    let moved = match direction {
        Direction::Hire => row.checked_add(steps(advisor)),
        Direction::Fire => row.checked_sub(steps(advisor)),
    };
    moved.filter(|row| (BOTTOM_ROW..=TOP_ROW).contains(row))
}
