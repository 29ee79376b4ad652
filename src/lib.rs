//! `playledger` hosts turn-based board games that anyone can replay and verify.
//!
//! A game is a seed and a log of validated commands. A pure engine replays the log, so the log is the game.
//!
//! The crate `playledger-core` has the games, the log and the verifier, and is exported here. Each module
//! uses only modules above it:
//!
//! - [`arena`]: games without a server: bots and programs against each other.
//! - `store`: the database, a `SQLite` file or a shared PostgreSQL database.
//! - `service`: the use cases, from a new player to an audit.
//! - `outbound`: messages to addresses named by users.
//! - `picture`: pictures of positions, as PNG.
//! - `web`: the page, a client of the API like any other.
//! - `http`: the API and its document, by actix.
//!
//! All but [`arena`] need the feature `server`, which is on by default. A program that checks or replays
//! games needs only the core: start with [`ledger::verify::verify`]. `docs/ARCHITECTURE.md` explains the
//! whole.

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
mod picture;
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
