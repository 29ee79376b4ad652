//! Industrial Waste: companies that grow, modernise and try not to drown in their waste.

mod actions;
mod bot;
mod cards;
mod catalogue;
mod command;
mod company;
mod event;
mod evolve;
mod fields;
mod options;
mod phase;
mod picture;
mod rejection;
mod round;
mod rules;
mod scoring;
mod state;
mod view;
mod words;

#[cfg(test)]
mod tests;

pub use cards::Kind;
pub use command::Command;
pub use company::{Area, Direction, Needs, Zone};
pub use event::EventView;
pub use options::Options;
pub use rejection::Rejection;
pub use scoring::{Outcome, Parts, Score};
pub use view::View;

/// The game, version 1 of its rules.
pub struct IndustrialWaste;

/// The game while a command is carried out.
type Game<'t> = crate::engine::Step<'t, IndustrialWaste>;
