//! Exchanging two action cards on a CO2 square (CO-6.9).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::{board::Square, cards::Action, cards::Actions, event::EventView, turn};

const CARDS: u8 = 2;

pub fn check(state: &State, seat: Seat, actions: &[Action]) -> Verdict {
    let player = &state.players[seat];
    ensure(Square::at(player.square) == Square::Co2, Rejection::NotOnCo2Square)?;
    ensure(state.event.is_none(), Rejection::NotResolved)?;
    ensure(state.turn.implemented == 0, Rejection::AlreadyImplemented)?;
    ensure(actions.len() == usize::from(CARDS), Rejection::NotTwoCards)?;
    let missing = |action: &Action| {
        let named = actions.iter().copied().collect::<Actions>().count(*action);
        named > player.hand.count(*action)
    };
    if let Some(action) = actions.iter().copied().find(missing) {
        return Err(Rejection::CardNotHeld { action, rule: "CO-6.9" });
    }
    ensure(state.bag.total() >= CARDS, Rejection::BagTooSmall)
}

pub fn play(step: &mut Game, seat: Seat, actions: &[Action]) {
    turn::draw_actions(step, seat, CARDS);
    step.emit(EventView::ActionsExchanged { seat, actions: actions.to_vec() }.into());
    turn::end(step, seat);
}

/// Returns all pairs of kinds in the hand, in both orders. [`check`] requires two cards for a double.
pub fn pairs(hand: &Actions) -> impl Iterator<Item = Vec<Action>> {
    hand.kinds().flat_map(|first| hand.kinds().map(move |second| vec![first, second]))
}
