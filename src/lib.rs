//! `playledger` hosts turn-based board games that anyone can replay and verify.
//!
//! A game is a seed and a log of validated commands. A pure engine replays the log, so the log is the game.
//!
//! Each module uses only those above it in this list:
//!
//! - [`words`]: enums that rows and answers share.
//! - [`engine`]: the contract of a game, chance, and a running game of any ruleset.
//! - [`bots`]: search for any game.
//! - [`rulesets`]: the games, and typed enums over all of them.
//! - [`tree`]: signed notes, and the mathematics of the public tree.
//! - [`ledger`]: the log and its meaning, receipts, the replay document and its verifier.
//! - [`arena`]: games without a server: bots and programs against each other.
//! - `store`: the database, a `SQLite` file or a shared PostgreSQL database.
//! - `service`: the use cases, from a new player to an audit.
//! - `outbound`: messages to addresses that users named.
//! - `web`: the page, a client of the API like any other.
//! - `http`: the API and its document, by actix.
//!
//! The last five need the feature `server`, which is on by default. Without it, this crate is the games, the
//! bots and the verifier, for a program that checks or replays games: start with
//! [`ledger::verify::verify`]. `docs/ARCHITECTURE.md` explains the whole.
//!
//! These rules hold everywhere:
//!
//! - The core has no clock, I/O, entropy or floats: the same log gives the same views for ever and on every
//!   platform. Golden games check it.
//! - `check` may refuse a command; it cannot change a state or draw. `play` changes and draws; it cannot
//!   refuse.
//! - Secrets are in types that cannot be serialized. A view is built field by field. The tests of every
//!   ruleset show that no viewer can tell two states apart that differ only in what it may not know.

/// `#[wire]` and `#[endpoint]` need no import, like `#[derive]`.
#[macro_use]
extern crate playledger_macros;

#[cfg(test)]
use playledger_core::testing;
pub use playledger_core::{bots, engine, ledger, rulesets, tree};

pub mod arena;
#[cfg(feature = "server")]
mod clock_cache;
#[cfg(feature = "server")]
pub mod config;
#[cfg(feature = "server")]
pub mod http;
#[cfg(feature = "server")]
pub mod id;
#[cfg(feature = "server")]
pub mod keys;
#[cfg(feature = "server")]
pub mod logging;
#[cfg(feature = "server")]
pub mod network;
#[cfg(feature = "server")]
pub mod outbound;
#[cfg(feature = "server")]
mod private_file;
#[cfg(feature = "server")]
pub mod service;
#[cfg(feature = "server")]
pub mod store;
#[cfg(feature = "server")]
pub mod watermark;
#[cfg(feature = "server")]
mod web;
pub mod words;

#[cfg(test)]
mod architecture_test;
#[cfg(test)]
mod tidy_test;
