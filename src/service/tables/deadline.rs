//! Deadlines: what the server does when a time has run out.

use futures_util::{StreamExt as _, stream};
use uuid::Uuid;

use crate::{
    ledger::{consequence::Consequence, entry::Body, replay::Fault},
    service::{
        ServiceError, Tables,
        games::{LiveGame, Locked, access::open},
    },
    words::Status,
};

/// Games of one round, and at the same time.
const BATCH: u32 = 4_096;
const AT_ONCE: usize = 64;
/// Forgotten tables that are closed in one round.
const TABLES: u32 = 100;

impl Tables {
    /// Acts on every game whose deadline has passed, and returns their number. A failed game is retried in
    /// the next round; the first failure is returned.
    pub async fn act_on_deadlines(&self) -> Result<usize, ServiceError> {
        if self.clock.unsteady().is_some() {
            return Ok(0);
        }
        self.feed.warn().await;
        let due = self.store.due(self.clock.now(), BATCH).await?;
        let done: Vec<Result<(), ServiceError>> = stream::iter(&due)
            .map(|game| self.act_on_deadline(*game))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        done.into_iter().collect::<Result<(), _>>().map(|()| due.len())
    }

    async fn act_on_deadline(&self, game: Uuid) -> Result<(), ServiceError> {
        self.act_if_due(self.games.lock(game).await?).await.map(|_| ())
    }

    /// Acts on a game if its time has run out. Each act of a player calls this first, so a late command is
    /// refused however soon it comes after the deadline.
    pub(in crate::service) async fn act_if_due(&self, locked: Locked) -> Result<Locked, ServiceError> {
        let (now, live) = (self.clock.now(), locked.game()?);
        if live.noted_deadline.is_none_or(|noted| noted > now) || self.clock.unsteady().is_some() {
            return Ok(locked);
        }
        Box::pin(self.act_on_what_is_noted(locked, now)).await
    }

    async fn act_on_what_is_noted(&self, locked: Locked, now: u64) -> Result<Locked, ServiceError> {
        let live = locked.game()?;
        let uuid = live.facts.uuid;
        let is_due = live.deadline(self.limits.reveal_ms).is_some_and(|deadline| deadline <= now);
        let mut change = self.begin(locked)?;
        // If an earlier version noted another deadline, only the true one is stored now.
        if let Some(next) = is_due.then(|| when_due(&change.live)).transpose()?.flatten() {
            change.follow(&next)?;
            change = self.with_consequences(change).await?;
        }
        self.commit(change, None, |_| || ()).await?;
        self.games.lock(uuid).await
    }

    /// Makes forgotten tables void, and returns their number. A failed table is retried in the next round;
    /// the last failure is returned.
    pub async fn close_forgotten(&self) -> Result<u32, ServiceError> {
        if self.clock.unsteady().is_some() {
            return Ok(0);
        }
        let before = self.clock.now().saturating_sub(self.limits.open_ms);
        let mut done = Ok(0);
        for uuid in self.store.open_since_before(before, TABLES).await? {
            match self.close(uuid).await {
                Ok(closed) => done = done.map(|count| count + u32::from(closed)),
                Err(error) => done = Err(error),
            }
        }
        done
    }

    /// Makes a game void, if it is still open.
    async fn close(&self, uuid: Uuid) -> Result<bool, ServiceError> {
        let locked = self.games.lock(uuid).await?;
        if open(locked.game()?).is_err() {
            return Ok(false);
        }
        let mut change = self.begin(locked)?;
        change.add(&Body::void())?;
        self.commit(change, None, |_| || ()).await.map(|_| true)
    }
}

/// Returns the consequence of a passed deadline: unrevealed promises make the game void, and the autopilot
/// decides for the seat to act.
fn when_due(live: &LiveGame) -> Result<Option<Consequence>, Fault> {
    match (live.game.status(), live.game.to_act()) {
        (Status::Sealed, _) => Ok(Some(Consequence::Entry(Body::void()))),
        (Status::Running, Some(seat)) => live.game.time_out(seat),
        _ => Ok(None),
    }
}
