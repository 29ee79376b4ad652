//! Built-in bots: search for any game.
//!
//! A bot is fair by its type. It gets a table that was dealt again for its seat ([`Table::redealt`]), so it
//! cannot know more than its seat does. Its random numbers have a seed of their own. All numbers are whole,
//! so a decision is the same on every machine.

mod net;
mod search;
mod senses;
mod style;
mod thought;

pub use net::Net;
pub use senses::Senses;
pub use style::Style;
pub use thought::Thought;

pub use crate::words::Level;

use crate::engine::{Ruleset, Seat, Table};

/// The knowledge of a game that its bots need.
pub trait Playable: Ruleset {
    /// Lead in [`worth`](Playable::worth) at which a seat wins three of four games.
    const LEAD: i64;
    /// Whether machines without a network play by habit, and searches simulate habits. Otherwise both compare
    /// the direct effects of all candidates.
    const HABITS: bool = false;

    /// Returns commands worth a search, all legal. A seat that must act has at least one. With
    /// [`HABITS`](Playable::HABITS), the first is what the seat does by habit.
    fn candidates(state: &Self::State, seat: Seat) -> Vec<Self::Command>;
    /// Returns the command of a seat in a simulated game.
    fn habit(state: &Self::State, seat: Seat) -> Option<Self::Command> {
        Self::candidates(state, seat).into_iter().next()
    }
    /// Value of a position for a seat, by rule of thumb.
    fn worth(state: &Self::State, seat: Seat) -> i64;
    /// Adds the inputs of the network, which predicts which of two seats finishes ahead.
    fn sense(state: &Self::State, seat: Seat, other: Seat, senses: &mut Senses);
    /// Returns the playing style of a level.
    fn style(level: Level) -> Style<'static>;
    /// Returns the trained network of the game.
    fn net() -> Option<&'static Net>;
}

/// Returns the inputs of the network for a table, for the training program.
pub fn senses<R: Playable>(table: &Table<R>, seat: Seat, other: Seat) -> Vec<i16> {
    let mut senses = Senses::default();
    R::sense(table.state(), seat, other, &mut senses);
    senses.row().to_vec()
}
