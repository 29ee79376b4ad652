//! `playledger` hosts turn-based board games that anyone can replay and check.
//!
//! A game is a seed and a log of validated commands. Its state is rebuilt by replaying a pure engine, so
//! that the log is the game.
//!
//! The rooms of the house, from the ground up; each uses only those before it:
//!
//! - [`words`]: a few words that stand alike in rows and answers.
//! - [`engine`]: the contract that every game keeps, chance, and everything generic about a game in progress.
//! - [`bots`]: how a machine thinks about a game, whatever the game.
//! - [`rulesets`]: the games, and typed enums over all of them made from one table.
//! - [`tree`]: signed notes, and the mathematics of the public tree over all games.
//! - [`ledger`]: the log and what it means, the seed, receipts, the replay document and its verifier.
//! - [`arena`]: games without a server, machines and programs against each other.
//! - `store`: what is on disk, behind a trait; `SQLite` keeps it, or a PostgreSQL database that servers share.
//! - `service`: the use cases, from a new player to an audit; clocks, and news for those who wait.
//! - `outbound`: what leaves the house, to addresses that users have named.
//! - `web`: the page on which people play, a client of the API like any other.
//! - `http`: the API and its document. Nothing else knows actix.
//!
//! The last five, with `config`, `id`, `keys`, `logging` and `network` beside them, are there with the feature `server`, which is on
//! by default. Without it this crate is the games, the machines and the verifier, for a program that checks or replays games:
//! [`ledger::verify::verify`] is where to begin. `docs/ARCHITECTURE.md` walks through the whole.
//!
//! What holds everywhere:
//!
//! - The core has no clock, no I/O, no entropy and no floating point: the same log gives the same views for
//!   ever and on every platform. Golden games in each ruleset's folder hold it to that.
//! - `check` may refuse a command; it cannot change a state or draw. `play` changes and draws; it cannot refuse.
//! - Secrets stay behind types that cannot be serialized; a view is built up field by field, and the tests
//!   of every ruleset show that no viewer can tell two states apart that differ only in what it may not know.

pub mod arena;
pub mod bots;
#[cfg(feature = "server")]
pub mod config;
pub mod engine;
#[cfg(feature = "server")]
pub mod http;
#[cfg(feature = "server")]
pub mod id;
#[cfg(feature = "server")]
pub mod keys;
pub mod ledger;
#[cfg(feature = "server")]
pub mod logging;
#[cfg(feature = "server")]
pub mod network;
#[cfg(feature = "server")]
pub mod outbound;
#[cfg(feature = "server")]
mod private_file;
pub mod rulesets;
#[cfg(feature = "server")]
pub mod service;
#[cfg(feature = "server")]
pub mod store;
pub mod tree;
#[cfg(feature = "server")]
pub mod watermark;
#[cfg(feature = "server")]
mod web;
pub mod words;

#[cfg(test)]
mod architecture_test;
#[cfg(test)]
mod tidy_test;
