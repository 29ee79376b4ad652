//! Cards that are discarded (IW-7.3) or saved (IW-7.4).

use super::{Game, Rejection, Seat, State, Verdict};
use crate::rulesets::industrial_waste::{cards::Kind, event::EventView, round::after_turn};

pub fn check(card: Kind) -> Verdict {
    match card {
        Kind::RawMaterials => Err(Rejection::MaterialsMustBeSold),
        _ => Ok(()),
    }
}

pub fn play(step: &mut Game, seat: Seat, card: Kind) {
    step.emit(EventView::CardDiscarded { seat, card }.into());
    after_turn(step, seat);
}

pub fn check_save(state: &State, seat: Seat) -> Verdict {
    match state.companies[seat].cards.total() {
        1 => Ok(()),
        _ => Err(Rejection::NotTheLastCard),
    }
}

pub fn save(step: &mut Game, seat: Seat) {
    let last = step.state().companies[seat].cards.kinds().next();
    if let Some(card) = last {
        step.emit(EventView::CardSaved { seat, card }.into());
    }
    after_turn(step, seat);
}
