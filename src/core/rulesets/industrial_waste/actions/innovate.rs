//! Innovation (IW-7.9).

use super::{Game, Rejection, Seat, State, Verdict, ensure, steps};
use crate::rulesets::industrial_waste::{company::Area, event::EventView, round::after_turn};

const PRICE: u64 = 5;

pub fn check(state: &State, seat: Seat, areas: &[Area], advisor: bool) -> Verdict {
    let want = steps(advisor).into();
    ensure(areas.len() == want, Rejection::WrongNumberOfAreas { want })?;
    let company = &state.companies[seat];
    for area in areas {
        let holes = areas.iter().filter(|other| *other == area).count();
        ensure(usize::from(company.needs.of(*area)) > holes, Rejection::EndOfArea { area: *area })?;
    }
    let price = price(areas);
    ensure(company.cash >= price, Rejection::TooLittleCash { price })
}

pub fn play(step: &mut Game, seat: Seat, areas: &[Area], advisor: bool) {
    let cost = price(areas);
    step.emit(EventView::AreasImproved { seat, advisor, areas: areas.to_vec(), cost }.into());
    after_turn(step, seat);
}

const fn price(areas: &[Area]) -> u64 {
    PRICE * areas.len() as u64
}
