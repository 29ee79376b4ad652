#![doc = include_str!("fairlog.md")]

pub mod chain;
mod checks;
pub mod clocks;
pub mod conduct;
pub mod consent;
pub mod consequence;
pub mod device;
pub mod document;
pub mod encoding;
pub mod entry;
pub mod evidence;
pub mod finding;
pub mod game;
pub mod keys;
pub mod message;
pub mod pieces;
mod places;
pub mod plan;
pub mod player_id;
pub mod player_secret;
pub mod receipt;
pub mod replay;
pub mod report;
pub mod restore;
mod run;
pub mod seat_key;
pub mod seed;
pub mod signed;
mod small_order;
pub mod standing;
pub mod tenures;
pub mod terms;
pub mod verdict;
pub mod verify;

#[cfg(test)]
mod tests;

/// The description of the format, for the author of a verifier.
pub const FORMAT: &str = include_str!("fairlog.md");
