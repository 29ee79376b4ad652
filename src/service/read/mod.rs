//! What can be looked at: views, lists, what happened, and the log, now and as it was.

pub mod audit;
pub mod event_item;
pub mod events;
pub mod game_view;
pub mod inspect;
mod invite;
pub mod list;
pub mod page;
mod past;
pub mod profile;
pub mod prompt;
pub mod sight;
mod time;
pub mod trial;
mod trials;
pub mod view;

pub use past::{Past, Step};
pub use time::time;
pub use trials::Trials;
