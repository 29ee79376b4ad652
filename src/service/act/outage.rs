//! Times in which no server was there. Nobody's clock runs in them: each running game says so in its log.

use futures_util::{StreamExt as _, stream};
use uuid::Uuid;

use crate::{
    ledger::entry::Body,
    service::{Service, ServiceError},
    store::{Change, Keeper as _, Write},
    words::Status,
};

/// A shorter time is no outage, in milliseconds.
const SHORTEST: u64 = 30_000;
/// How many games are changed at once.
const AT_ONCE: usize = 64;

impl Service {
    /// Notes that a server is there.
    pub async fn beat(&self) -> Result<(), ServiceError> {
        Ok(self.store.write(Write::of(Change::Beat { at: self.clock.now() })).await?)
    }

    /// Gives the time since a server was last there back to every running game with a clock, and returns to
    /// how many. Called at the start, before any deadline is decided.
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

    /// Writes the outage into one game, as far as it is newer than the newest entry.
    async fn give_back(&self, game: Uuid, since: u64) -> Result<bool, ServiceError> {
        let Some(locked) = self.unless_damaged(game, self.lock(game).await)? else { return Ok(false) };
        let live = &locked.game()?.game;
        let ms = self.clock.now().saturating_sub(since.max(live.chain.at()));
        let has_clock = live.standing.terms.clock.is_some() && !live.clocks.is_paused();
        if live.status() != Status::Running || !has_clock || ms < SHORTEST {
            return Ok(false);
        }
        let mut draft = self.draft(locked)?;
        draft.add(&Body::Outage { ms })?;
        self.commit(draft, None, |_| || ()).await.map(|_| true)
    }
}
