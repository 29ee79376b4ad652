//! `playledger` hosts turn-based board games that anyone can replay and check.
//!
//! A game is a seed and a log of validated commands. Its state is rebuilt by replaying a pure engine, so
//! that whoever holds the log holds the game.
//!
//! The rooms of the house, from the ground up; each uses only those before it:
//!
//! - [`engine`]: the contract that every game keeps, chance, and everything generic about a game in progress.
//! - [`rulesets`]: the games, and typed enums over all of them made from one table.
//! - [`ledger`]: the log, the seed, receipts, the replay document and its verifier.
//! - [`store`]: what is on disk. Nothing else knows that it is `SQLite`.
//! - [`service`]: the use cases, from a new player to an audit; clocks, and news for those who wait.
//! - [`http`]: the API and its document. Nothing else knows actix.
//!
//! Beside them stand [`config`] (flags and environment), [`keys`] (the signing key on disk) and [`logging`] (what the server
//! says of itself), which the command line in `main.rs` puts together.
//!
//! What holds everywhere:
//!
//! - The core has no clock, no I/O, no entropy and no floating point: the same log gives the same views for
//!   ever and on every platform. Golden games in each ruleset's folder hold it to that.
//! - A command is first checked, which can change and draw nothing, and then played, which cannot refuse.
//! - Secrets stay behind types that cannot be serialized; a view is built up field by field, and the tests
//!   of every ruleset show that no viewer can tell two states apart that differ only in what it may not know.

pub mod config;
pub mod engine;
pub mod http;
pub mod keys;
pub mod ledger;
pub mod logging;
pub mod rulesets;
pub mod service;
pub mod store;
pub mod words;

#[cfg(test)]
mod architecture_test;
