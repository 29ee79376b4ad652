//! The games, the log and the verifier: a log in, the same views and the same verdict out, for ever.
//!
//! Each module uses only those above it in this list:
//!
//! - [`mod@words`]: enums that rows and answers share.
//! - [`engine`]: the contract of a game, chance, and a running game of any ruleset.
//! - [`bots`]: search for any game.
//! - [`rulesets`]: the games, and typed enums over all of them.
//! - [`tree`]: signed notes, and the mathematics of the public tree.
//! - [`ledger`]: the log and its meaning, receipts, the replay document and its verifier.
//!
//! These rules hold everywhere:
//!
//! - No clock, I/O, entropy or floats: the same log gives the same views on every platform. Golden games
//!   check this.
//! - `check` may refuse a command; it cannot change a state or draw. `play` changes and draws; it cannot
//!   refuse.
//! - Secrets are in types that cannot be serialized. A view is built field by field. The tests of every
//!   ruleset show that no viewer can tell two states apart that differ only in what it may not know.

/// `#[wire]` needs no import, like `#[derive]`.
#[macro_use]
extern crate playledger_macros;

pub mod bots;
pub mod engine;
pub mod ledger;
pub mod rulesets;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod tree;
pub mod words;
