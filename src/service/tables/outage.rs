//! Outages: times without a server. No clock runs in them, and the log of each running game records it.

use futures_util::{StreamExt as _, stream};
use uuid::Uuid;

use crate::{
    ledger::entry::Body,
    service::{ServiceError, Tables},
    store::{Change, Write},
    words::Status,
};

/// A shorter time is no outage, in milliseconds.
const SHORTEST: u64 = 30_000;
/// Games that are changed at the same time.
const AT_ONCE: usize = 64;

impl Tables {
    /// Notes that a server is running.
    pub async fn beat(&self) -> Result<(), ServiceError> {
        Ok(self.store.write(Write::of(Change::Beat { at: self.clock.now() })).await?)
    }

    /// Returns the time since the last server to every running game with a clock, and returns their number.
    /// Called at the start, before any deadline is decided.
    pub async fn give_back_outage(&self) -> Result<usize, ServiceError> {
        let now = self.clock.now();
        let since = self.store.pulse().await?.unwrap_or(now);
        let mut given = Ok(0);
        if now.saturating_sub(since) >= SHORTEST {
            let games = self.store.due(u64::MAX >> 1, u32::MAX >> 1).await?;
            let done: Vec<Result<bool, ServiceError>> = stream::iter(games)
                .map(|game| self.give_back(game, since))
                .buffer_unordered(AT_ONCE)
                .collect()
                .await;
            given = done.into_iter().try_fold(0, |count, done| done.map(|given| count + usize::from(given)));
        }
        self.beat().await?;
        given
    }

    /// Writes the outage into one game, from its newest entry on.
    async fn give_back(&self, game: Uuid, since: u64) -> Result<bool, ServiceError> {
        let Some(locked) = self.games.unless_damaged(game, self.games.lock(game).await)? else {
            return Ok(false);
        };
        let live = &locked.game()?.game;
        let ms = self.clock.now().saturating_sub(since.max(live.chain.at()));
        let has_clock = live.standing.terms.clock.is_some() && !live.clocks.is_paused();
        if live.status() != Status::Running || !has_clock || ms < SHORTEST {
            return Ok(false);
        }
        let mut change = self.begin(locked)?;
        change.add(&Body::Outage { ms })?;
        self.commit(change, None, |_| || ()).await.map(|_| true)
    }
}
