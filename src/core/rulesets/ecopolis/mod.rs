//! Ecopolis: territories of the province of Modena that their owners bring to a better CO2 balance.

mod actions;
mod board;
mod bot;
mod cards;
mod catalogue;
mod command;
mod debt;
mod deck;
mod event;
mod event_cards;
mod evolve;
mod fields;
mod options;
mod outcome;
mod phase;
mod picture;
mod rejection;
mod rows;
mod rules;
mod state;
mod tables;
mod trade;
mod turn;
mod view;
mod words;

#[cfg(test)]
mod tests;

pub use cards::Action;
pub use command::Command;
pub use event::EventView;
pub use options::Options;
pub use outcome::{Outcome, Score};
pub use rejection::Rejection;
pub use tables::{EventCard, Territory};
pub use trade::{Offer, Side};
pub use view::View;

/// The game, version 1 of its rules.
pub struct Ecopolis;

/// The game while a command is carried out.
type Game<'t> = crate::engine::Step<'t, Ecopolis>;
