#![doc = include_str!("fairlog.md")]

pub mod chain;
mod checks;
pub mod clocks;
pub mod conduct;
pub mod consent;
pub mod consequence;
pub mod document;
pub mod encoding;
pub mod entry;
pub mod evidence;
pub mod game;
pub mod landmark;
pub mod pieces;
mod places;
pub mod plan;
pub mod player_secret;
pub mod receipt;
pub mod replay;
pub mod report;
pub mod restore;
mod run;
pub mod seats;
pub mod seed;
pub mod signed;
pub mod standing;
pub mod terms;
pub mod verify;

#[cfg(test)]
mod tests;

/// The description of the format, for somebody who writes a verifier.
pub const FORMAT: &str = include_str!("fairlog.md");
