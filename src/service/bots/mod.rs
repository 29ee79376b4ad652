//! The bots of the server at work: decisions in games, and explorations.

mod decision;
pub mod exploration;
mod pool;

use std::sync::Arc;

pub use decision::Decided;

use super::{
    Base, Limits,
    games::Games,
    ports::{Clock, Entropy},
    reading::Reading,
    tables::{BotQueue, Tables},
};
use crate::store::Store;
use pool::BotPool;

/// Lets bots decide, in games and in explorations.
pub struct Bots {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    limits: Arc<Limits>,
    games: Arc<Games>,
    reading: Arc<Reading>,
    tables: Arc<Tables>,
    bot_queue: Arc<BotQueue>,
    pool: BotPool,
}

impl Bots {
    /// Games in which a bot must act are taken from `bot_queue`.
    pub fn new(
        base: &Base,
        games: &Arc<Games>,
        reading: &Arc<Reading>,
        tables: &Arc<Tables>,
        bot_queue: Arc<BotQueue>,
    ) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            entropy: Arc::clone(&base.entropy),
            limits: Arc::clone(&base.limits),
            games: Arc::clone(games),
            reading: Arc::clone(reading),
            tables: Arc::clone(tables),
            bot_queue,
            pool: BotPool::default(),
        }
    }

    /// Returns how many games wait for a decision.
    pub fn waiting(&self) -> usize {
        self.bot_queue.count()
    }

    /// Drops waiting decisions, so that the server can stop at once.
    pub fn stop(&self) {
        self.pool.close();
    }
}
