//! The value of action cards to a seat, in thousandths of the card that it needs most.

use super::super::{actions::exchange, cards::Action, command::Command, state::State, tables::Territory};
use crate::engine::{Seat, id::Id};

/// A card of less value is useless.
const USELESS: i64 = 450;
/// Value that each further copy in a hand loses.
pub const COPY: i64 = 800;
/// Value of the kinds of the next slots of a territory.
const SLOTS: [i64; 4] = [1_000, 600, 350, 200];
/// Weight of an area by the number of the seat's territories in it, in thousandths.
const WEIGHTS: [i64; 4] = [0, 500, 750, 1_000];

type Marks = [i64; Action::ALL.len()];

/// Returns how much the territories of a seat need each kind.
pub fn marks(state: &State, seat: Seat) -> Marks {
    let mut marks = [0; Action::ALL.len()];
    for (territory, holding) in state.owned(seat) {
        let weight = WEIGHTS[held_in(state, seat, territory)];
        let open = territory.deed().slots.iter().skip(holding.done.into());
        for (action, value) in open.zip(SLOTS) {
            marks[action.index()] += value * weight / 1_000;
        }
    }
    marks
}

/// Returns the number of the seat's territories in the area of a territory.
pub fn held_in(state: &State, seat: Seat, territory: Territory) -> usize {
    territory.area().territories().filter(|other| state.owner(*other) == Some(seat)).count()
}

/// Returns the cards of a hand with their values, the least useful first.
pub fn ranked(state: &State, seat: Seat) -> Vec<(i64, Action)> {
    let marks = marks(state, seat);
    let hand = &state.players[seat].hand;
    let copies = |kind: Action| (0..i64::from(hand.count(kind))).map(move |copy| (copy, kind));
    let mut ranked: Vec<(i64, Action)> =
        hand.kinds().flat_map(copies).map(|(copy, kind)| (marks[kind.index()] - COPY * copy, kind)).collect();
    ranked.sort_by_key(|(value, kind)| (*value, kind.index()));
    ranked
}

/// Returns the exchange of the two least useful cards, if at least this number is useless.
pub fn exchange(state: &State, seat: Seat, useless: usize) -> Option<Command> {
    let ranked = ranked(state, seat);
    let few = ranked.iter().filter(|(value, _)| *value < USELESS).count() < useless;
    let actions: Vec<Action> = ranked.iter().take(2).map(|(_, kind)| *kind).collect();
    let is_legal = !few && exchange::check(state, seat, &actions).is_ok();
    is_legal.then_some(Command::ExchangeActions { actions })
}

/// Returns a useless card of the hand.
pub fn spare(state: &State, seat: Seat) -> Option<Action> {
    ranked(state, seat).first().filter(|(value, _)| *value < USELESS).map(|(_, kind)| *kind)
}
