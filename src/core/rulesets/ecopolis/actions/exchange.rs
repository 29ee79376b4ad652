//! Exchanging two action cards (CO-6.9, 6.11).

use super::{Game, Rejection, Seat, State, Verdict, ensure};
use crate::rulesets::ecopolis::{
    board::Square, cards::Action, cards::Actions, event::EventView, state::Exchange, turn,
};

const CARDS: u8 = 2;

pub fn check(state: &State, seat: Seat, actions: &[Action]) -> Verdict {
    let rule = match state.exchange() {
        Some(Exchange::Passing) => "CO-6.11",
        Some(Exchange::Square) => "CO-6.9",
        None => return Err(no_exchange(state, seat)),
    };
    let hand = &state.players[seat].hand;
    ensure(actions.len() == usize::from(CARDS), Rejection::NotTwoCards { rule })?;
    let missing = |action: &Action| {
        let named = actions.iter().copied().collect::<Actions>().count(*action);
        named > hand.count(*action)
    };
    if let Some(action) = actions.iter().copied().find(missing) {
        return Err(Rejection::CardNotHeld { action, rule });
    }
    ensure(state.bag.total() >= CARDS, Rejection::BagTooSmall { rule })
}

fn no_exchange(state: &State, seat: Seat) -> Rejection {
    if Square::at(state.players[seat].square) != Square::Co2 {
        Rejection::NotOnCo2Square
    } else if state.event.is_some() {
        Rejection::NotResolved
    } else {
        Rejection::AlreadyImplemented
    }
}

/// Exchanges, and ends the turn unless the pawn only passed the square.
pub fn play(step: &mut Game, seat: Seat, actions: &[Action]) {
    let passing = step.state().exchange() == Some(Exchange::Passing);
    turn::draw_actions(step, seat, CARDS);
    step.emit(EventView::ActionsExchanged { seat, actions: actions.to_vec(), passing }.into());
    if !passing {
        turn::end(step, seat);
    }
}

/// Returns all pairs of kinds in the hand, in both orders. [`check`] requires two cards for a double.
pub fn pairs(hand: &Actions) -> impl Iterator<Item = Vec<Action>> {
    hand.kinds().flat_map(|first| hand.kinds().map(move |second| vec![first, second]))
}
