//! How machines play: by habit, or by a search over the habits of all.
//!
//! A habit is a rule of thumb: what to buy, which cards to swap, what to offer and accept, how to pay. It
//! uses only what the seat sees.

mod cards;
mod dealing;
mod debts;
mod land;
mod moves;
mod senses;

use std::sync::LazyLock;

use super::{
    Ecopolis,
    command::Command,
    phase::{Moment, Phase},
    state::State,
};
use crate::{
    bots::{Level, Net, Playable, Senses, Style},
    engine::{Ruleset, Seat},
};

/// The network, trained by `examples/learn.rs`.
static NET: LazyLock<Option<Net>> = LazyLock::new(|| Net::read(include_str!("../net.txt")));

/// Offers that a search compares.
const OFFERS: usize = 6;

impl Playable for Ecopolis {
    const LEAD: i64 = 1_500;
    const HABITS: bool = true;

    fn candidates(state: &State, seat: Seat) -> Vec<Command> {
        match &state.phase {
            Phase::Trade { offer, .. } if offer.to == seat => dealing::answers(state, offer),
            Phase::Turn(Moment::Square) if state.turn_seat == seat => moves::all(state, seat),
            Phase::Turn(Moment::Roll) if state.turn_seat == seat => {
                let (mut commands, is_worth_it) = dealing::proposals(state, seat, OFFERS);
                commands.insert(if is_worth_it { commands.len() } else { 0 }, Command::Roll {});
                commands
            }
            Phase::Turn(Moment::Debt(owed)) if state.turn_seat == seat => {
                debts::settle(state, seat, *owed, true).into_iter().collect()
            }
            _ => Self::autopilot(state, seat).into_iter().collect(),
        }
    }

    /// Makes no offers, which would take most of the time of a search.
    fn habit(state: &State, seat: Seat) -> Option<Command> {
        match &state.phase {
            Phase::Trade { offer, .. } if offer.to == seat => Some(dealing::answer(state, offer)),
            Phase::Turn(Moment::Square) if state.turn_seat == seat => Some(moves::habit(state, seat)),
            Phase::Turn(Moment::Debt(owed)) if state.turn_seat == seat => {
                debts::settle(state, seat, *owed, false)
            }
            _ => Self::autopilot(state, seat),
        }
    }

    fn worth(state: &State, seat: Seat) -> i64 {
        senses::worth(state, seat)
    }

    fn sense(state: &State, seat: Seat, other: Seat, senses: &mut Senses) {
        senses::sense(state, seat, other, senses);
    }

    fn style(level: Level) -> Style<'static> {
        let judge = NET.as_ref();
        // Habits are quick, so that a simulated game lasts some rounds.
        let imagined = Style { depth: 40, judge, ..Style::THUMB };
        match level {
            Level::Easy => Style { slips: Some(2), ..Style::THUMB },
            Level::Middle => Style::THUMB,
            Level::Hard => Style { playouts: 300, ..imagined },
            Level::Hardest => Style { playouts: 1_000, ..imagined },
        }
    }

    fn net() -> Option<&'static Net> {
        NET.as_ref()
    }
}
