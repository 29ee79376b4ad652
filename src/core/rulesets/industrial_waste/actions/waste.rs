//! Disposal (IW-7.10) and removal (IW-7.11) of waste.

use super::{Game, Seat, steps};
use crate::rulesets::industrial_waste::{event::EventView, round::after_turn};

const STORED: u8 = 3;

pub fn dispose(step: &mut Game, seat: Seat, advisor: bool) {
    let waste = step.state().companies[seat].waste.saturating_sub(STORED * steps(advisor));
    step.emit(EventView::WasteDisposed { seat, advisor, waste }.into());
    after_turn(step, seat);
}

pub fn remove(step: &mut Game, seat: Seat, advisor: bool) {
    step.emit(EventView::WasteRemoved { seat, advisor }.into());
    after_turn(step, seat);
}
