//! The contract of a game, and a running game of any ruleset.
//!
//! This module knows no particular game and has no clock, I/O or entropy: a table is a pure function of its
//! options, seats, seed and commands.

pub mod catalogue;
pub mod chance;
pub mod fields;
pub mod hash;
pub mod id;
pub mod json;
pub mod lang;
pub mod legal;
pub mod malformed;
pub mod picture;
pub mod random_words;
pub mod ruleset;
pub mod seat;
pub mod step;
pub mod table;
pub mod tally;
pub mod voice;

#[cfg(test)]
pub mod cases;
#[cfg(test)]
pub mod conformance;
#[cfg(test)]
pub mod golden;

pub use chance::{Chance, Divergence, Draw, DrawShape, Seed};
pub use fields::Fields;
pub use hash::Format;
pub use lang::{Lang, Text};
pub use legal::{Legal, LegalCommand, Vary};
pub use malformed::Malformed;
pub use picture::{Caption, Pictured};
pub use ruleset::{HiddenCards, Placement, Refusal, Ruleset, Status, places};
pub use seat::{BySeat, Seat, Seats, Viewer};
pub use step::Step;
pub use table::Table;
pub use tally::Tally;
pub use voice::{Voice, Wording};
