//! Selling raw materials (IW-7.5): the lot is put up for auction.

use super::{Game, Seat, State, steps};
use crate::rulesets::industrial_waste::{event::EventView, round::after_turn};

pub fn play(step: &mut Game, seat: Seat, advisor: bool) {
    match lot(step.state(), seat, advisor) {
        0 => {
            step.emit(EventView::NothingSold { seat, advisor }.into());
            after_turn(step, seat);
        }
        lot => step.emit(EventView::LotOffered { seat, advisor, lot }.into()),
    }
}

fn lot(state: &State, seat: Seat, advisor: bool) -> u8 {
    let wanted = state.companies[seat].needs.raw_materials * steps(advisor);
    wanted.min(state.common_materials)
}
