//! Implementing an action on an own territory (CO-6.7).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::{
    cards::Action,
    event::EventView,
    tables::{EventCard, Territory},
    turn,
};

pub fn check(state: &State, seat: Seat, territory: Territory) -> Verdict {
    ensure(state.event.is_none_or(|event| event == EventCard::OpenSite), Rejection::NoActionsAfterEvent)?;
    ensure(state.owner(territory) == Some(seat), Rejection::NotYours { territory, rule: "CO-6.7" })?;
    ensure(state.turn.bought != Some(territory), Rejection::BoughtThisTurn { territory })?;
    let action = next_action(state, territory).ok_or(Rejection::AllDone { territory })?;
    let player = &state.players[seat];
    ensure(player.hand.holds(action), Rejection::CardNotHeld { action, rule: "CO-6.7" })?;
    ensure(player.credits > 0 || is_credit_due(state, seat), Rejection::NoCredit)
}

/// Returns the kind of the next open slot.
fn next_action(state: &State, territory: Territory) -> Option<Action> {
    territory.deed().slots.get(usize::from(state.done(territory))).copied()
}

/// Returns whether the credit of the CO2 square is still available (CO-6.8).
pub fn is_credit_due(state: &State, seat: Seat) -> bool {
    seat == state.turn_seat && state.is_on_co2() && !state.turn.credit_taken
}

pub fn play(step: &mut Game, seat: Seat, territory: Territory) {
    let Some(action) = next_action(step.state(), territory) else {
        return;
    };
    if is_credit_due(step.state(), seat) {
        step.emit(EventView::CreditTaken { seat }.into());
    }
    step.emit(EventView::ActionImplemented { seat, territory, action }.into());
    if next_action(step.state(), territory).is_none() {
        step.emit(EventView::TerritoryFinished { seat, territory }.into());
    }
    turn::fill_hands(step);
    turn::finish_if_won(step, seat);
}
