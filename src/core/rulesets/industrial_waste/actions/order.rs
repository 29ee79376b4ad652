//! Completing an order (IW-7.6).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::industrial_waste::{company::MOST_WASTE, event::EventView, round::after_turn};

/// Additional income of an order with an advisor (IW-7.6).
pub const ADVISOR_BONUS: u64 = 5;

pub fn check(state: &State, seat: Seat) -> Verdict {
    let company = &state.companies[seat];
    let needs = company.needs;
    ensure(
        company.row >= needs.rationalization,
        Rejection::TooFewCoWorkers { need: needs.rationalization, row: company.row },
    )?;
    ensure(
        company.materials >= needs.raw_materials,
        Rejection::TooFewMaterials { need: needs.raw_materials, held: company.materials },
    )?;
    ensure(
        company.waste + needs.waste_reduction <= MOST_WASTE,
        Rejection::NoRoomForWaste { waste: company.waste, more: needs.waste_reduction },
    )
}

pub fn play(step: &mut Game, seat: Seat, advisor: bool) {
    let company = &step.state().companies[seat];
    let income = u64::from(company.column) + if advisor { ADVISOR_BONUS } else { 0 };
    let materials = company.needs.raw_materials;
    let waste = company.waste + company.needs.waste_reduction;
    step.emit(EventView::OrderCompleted { seat, advisor, materials, income, waste }.into());
    after_turn(step, seat);
}
