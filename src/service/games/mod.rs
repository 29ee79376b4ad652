//! Games in memory, who may see them, and their rows.

pub mod access;
mod faults;
mod live_game;
mod live_games;
mod people;
mod player;
mod projection;
mod stored_entry;

pub use faults::Faults;
pub use live_game::{EntryRef, LiveGame, deadline, follow, server_seed};
pub use live_games::{Games, Locked, TakeIn};
pub use people::{People, Person};
pub use player::{Player, Session};
pub use projection::project;
pub use stored_entry::StoredEntry;
