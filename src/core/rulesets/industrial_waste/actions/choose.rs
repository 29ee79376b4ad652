//! Taking a combination (IW-6.1).

use super::{Game, Rejection, Seat, State, Verdict};
use crate::rulesets::industrial_waste::{event::EventView, round::after_choice};

pub fn check(state: &State, column: u64) -> Verdict {
    let Some(offer) = state.phase.offer() else {
        return Err(Rejection::ColumnTaken);
    };
    let columns = offer.len();
    match usize::try_from(column) {
        Ok(column) if column < columns => offer.get(column).map(|_| ()).ok_or(Rejection::ColumnTaken),
        _ => Err(Rejection::NoSuchColumn { columns }),
    }
}

pub fn play(step: &mut Game, seat: Seat, column: u64) {
    let index = usize::try_from(column).unwrap_or(usize::MAX);
    let Some(cards) = step.state().phase.offer().and_then(|offer| offer.get(index)).cloned() else {
        return;
    };
    let column = u8::try_from(column).unwrap_or(u8::MAX);
    step.emit(EventView::CombinationChosen { seat, column, cards }.into());
    after_choice(step);
}
