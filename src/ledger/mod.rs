#![doc = include_str!("fairlog.md")]

pub mod chain;
mod checks;
pub mod consequence;
pub mod document;
pub mod encoding;
pub mod entry;
pub mod evidence;
pub mod game;
pub mod pieces;
pub mod receipt;
pub mod replay;
pub mod report;
pub mod restore;
mod secret_key;
pub mod seed;
pub mod standing;
pub mod verify;

#[cfg(test)]
mod tests;

/// The description of the format, for somebody who writes a verifier.
pub const FORMAT: &str = include_str!("fairlog.md");
/// The name of the format, as documents carry it.
pub const NAME: &str = "fairlog/1";
