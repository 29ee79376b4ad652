//! Views, lists, events and the log, at present and in the past.

pub mod audit;
pub mod context;
pub mod devices;
pub mod event_item;
pub mod events;
pub mod game_view;
pub mod inspect;
mod invite;
pub mod list;
pub mod page;
mod past;
pub mod preview;
pub mod profile;
pub mod prompt;
pub mod proof;
pub mod table_event;
mod time;
pub mod trial;
mod trials;
pub mod view;

use std::sync::Arc;

pub use past::PastEntry;
pub use time::time;

use super::{Base, Limits, games::Games, ports::Clock, public_tree::PublicTree};
use crate::{store::Store, tree::signer::Signer};
use audit::Trust;
use past::Past;
use trials::Trials;

/// Everything that can be read of games.
pub struct Reading {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    signer: Arc<Signer>,
    limits: Arc<Limits>,
    games: Arc<Games>,
    tree: Arc<PublicTree>,
    past: Arc<Past>,
    trials: Trials,
    trust: Arc<Trust>,
}

impl Reading {
    /// `trust` has the keys that verification accepts as those of this server.
    pub fn new(base: &Base, games: &Arc<Games>, tree: &Arc<PublicTree>, trust: Trust) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            signer: Arc::clone(&base.signer),
            limits: Arc::clone(&base.limits),
            games: Arc::clone(games),
            tree: Arc::clone(tree),
            past: Arc::default(),
            trials: Trials::default(),
            trust: Arc::new(trust),
        }
    }
}
