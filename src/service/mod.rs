//! The use cases: what players, spectators and operators can ask for. It knows no HTTP and no SQL.

pub mod access;
pub mod audit;
mod commit;
mod control;
mod deadline;
mod draft;
pub mod error;
pub mod following;
pub mod game;
pub mod happening;
mod history;
pub mod listing;
mod lives;
mod lobby;
pub mod new_table;
pub mod news;
pub mod notice;
mod once;
pub mod page;
pub mod play;
pub mod players;
pub mod ports;
pub mod resource;
mod tokens;
pub mod watch;
mod written;

use std::sync::Arc;

pub use error::ServiceError;
pub use once::{Kept, Key, Turn};
pub use players::Player;
pub use written::Written;

use crate::{
    ledger::receipt::{Signer, VerifierKey},
    store::Store,
};
use lives::Lives;
use news::News;
use once::InFlight;
use ports::{Clock, Entropy};
use tokens::Tokens;

/// Milliseconds.
pub const DAY: u64 = 24 * 60 * 60 * 1_000;

/// What the operator may set.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many games that are not over a player may sit at.
    pub games_of_player: u32,
    /// For how many milliseconds a game may wait for players.
    pub open_for: u64,
    /// For how many milliseconds a full game may wait for bytes that were promised.
    pub reveal_for: u64,
    /// How many games are kept in memory.
    pub live_games: usize,
    /// How many entries a game that has not started may have: people come and go, but not for ever.
    pub lobby_entries: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            games_of_player: 200,
            open_for: 30 * DAY,
            reveal_for: DAY,
            live_games: 10_000,
            lobby_entries: 500,
        }
    }
}

/// How busy the service is.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Writes that wait.
    pub waiting: usize,
    /// Games in memory.
    pub live: usize,
    /// Streams and long polls.
    pub listeners: usize,
}

/// The service. One for all threads.
pub struct Service {
    store: Arc<Store>,
    signer: Signer,
    clock: Box<dyn Clock>,
    entropy: Box<dyn Entropy>,
    lives: Lives,
    pub news: Arc<News>,
    in_flight: InFlight,
    tokens: Arc<Tokens>,
    limits: Limits,
}

impl Service {
    pub fn new(
        store: Arc<Store>,
        signer: Signer,
        clock: Box<dyn Clock>,
        entropy: Box<dyn Entropy>,
        limits: Limits,
    ) -> Result<Self, ServiceError> {
        let lives = Lives::new(limits.live_games);
        let news = Arc::new(News::after(store.newest_row()?));
        let (in_flight, tokens) = (InFlight::default(), Arc::<Tokens>::default());
        Ok(Self { store, signer, clock, entropy, lives, news, in_flight, tokens, limits })
    }

    /// What receipts are checked against.
    pub fn verifier_key(&self) -> VerifierKey {
        self.signer.verifier_key()
    }

    /// Whether the store answers.
    pub fn ready(&self) -> bool {
        self.store.player_by_token(&[0; 32]).is_ok()
    }

    pub fn load(&self) -> Load {
        let (waiting, live, listeners) = (self.store.waiting(), self.lives.len(), self.news.listeners());
        Load { waiting, live, listeners }
    }
}
