//! Somebody to play with: how a machine thinks about a game, whatever the game.
//!
//! A thinker is fair by its type. It is given a table that was dealt anew for its seat ([`Table::redealt`]), so that it cannot
//! know more than its seat does, whatever its code does with it; and the seed of its thought is its own, never the game's.
//! Its numbers are whole, so that the same thought is the same on every machine.

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

/// What a game says beside its rules so that a machine can play it.
pub trait Playable: Ruleset {
    /// By how much a seat must be ahead in [`worth`](Playable::worth) to be three times as likely to win as
    /// to lose.
    const LEAD: i64;

    /// The commands that deserve a thought. Each is legal; a seat that must act has one at least.
    fn candidates(state: &Self::State, seat: Seat) -> Vec<Self::Command>;
    /// How well a seat stands, by rule of thumb.
    fn worth(state: &Self::State, seat: Seat) -> i64;
    /// What a net looks at to say who will come in ahead of whom; nothing, where there is none.
    fn sense(state: &Self::State, seat: Seat, other: Seat, senses: &mut Senses);
    /// How each level plays this game.
    fn style(level: Level) -> Style<'static>;
    /// What was learned about this game, if anything was.
    fn net() -> Option<&'static Net>;
}

/// What a net sees of a table, for the program that teaches it.
pub fn senses<R: Playable>(table: &Table<R>, seat: Seat, other: Seat) -> Vec<i16> {
    let mut senses = Senses::default();
    R::sense(table.state(), seat, other, &mut senses);
    senses.row().to_vec()
}
