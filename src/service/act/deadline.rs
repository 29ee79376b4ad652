//! What the server does by itself when a time has run out.

use futures_util::{StreamExt as _, stream};
use uuid::Uuid;

use crate::{
    ledger::{consequence::Consequence, entry::Body, replay::Fault},
    service::{
        Service, ServiceError,
        feed::{Note, Warning},
        game::{LiveGame, Locked, Session, access::open},
        work,
    },
    store::Keeper as _,
    words::Status,
};

/// How many games are looked at in one go, and how many at once.
const BATCH: u32 = 4_096;
const AT_ONCE: usize = 64;
/// How many forgotten tables are closed in one go.
const TABLES: u32 = 100;

impl Service {
    /// Acts on every game whose deadline has come, and says on how many. What fails is met again the next
    /// time, and the first failure is told.
    pub async fn act_on_deadlines(&self) -> Result<usize, ServiceError> {
        if self.clock.unsteady().is_some() {
            return Ok(0);
        }
        self.warn().await;
        let due = self.store.due(self.clock.now(), BATCH).await?;
        let done: Vec<Result<(), ServiceError>> = stream::iter(&due)
            .map(|game| self.act_on_deadline(*game))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        done.into_iter().collect::<Result<(), _>>().map(|()| due.len())
    }

    /// Tells those of whose time a quarter is left, and who listen here: each server tells its own.
    async fn warn(&self) {
        // By a clock that was set all would be warned too early.
        if self.store.ready().await.is_err() {
            return;
        }
        let now = self.clock.now();
        while let Some((game, warning)) = self.hub.take_warning(now) {
            let Warning { player, seq, deadline, .. } = warning;
            if deadline > now && self.hub.is_heard_by(player) && self.still_runs(game, warning).await {
                self.hub.hear_note(player, Note::deadline(game, seq, deadline));
            }
        }
    }

    /// Notes of what a player must be warned who begins to listen here: after a restart nothing is noted, and
    /// of what another server wrote before, this one may not have heard. Of what should have been told by now
    /// it has been told.
    pub(in crate::service) async fn note_warnings(&self, session: &Session) -> Result<(), ServiceError> {
        for uuid in self.games_on_time(session).await? {
            let Some(locked) = self.unless_damaged(uuid, work::free(self.lock(uuid)).await)? else {
                continue;
            };
            let live = locked.game()?;
            let warning = Warning::of(live, live.noted_deadline);
            if warning.is_some_and(|warning| warning.at > self.clock.now()) {
                self.hub.note_warning(uuid, warning);
            }
        }
        Ok(())
    }

    /// Whether what was noted here is still so: another server may have moved, and nobody here have heard of
    /// it.
    async fn still_runs(&self, game: Uuid, warning: Warning) -> bool {
        if !self.store.is_shared() {
            return true;
        }
        let Ok(locked) = self.lock(game).await else { return false };
        let is_so = |now: Warning| now.is_as(&warning);
        locked.game().is_ok_and(|live| Warning::of(live, live.noted_deadline).is_some_and(is_so))
    }

    async fn act_on_deadline(&self, game: Uuid) -> Result<(), ServiceError> {
        self.act_if_due(self.lock(game).await?).await.map(|_| ())
    }

    /// Acts on a game if its time has run out. An act of a player calls this first, so that what comes too
    /// late is told so, however soon after the deadline it comes.
    pub(super) async fn act_if_due(&self, locked: Locked) -> Result<Locked, ServiceError> {
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
        let mut draft = self.draft(locked)?;
        // Where the deadline was noted by an earlier version, only the true one is noted now.
        if let Some(next) = is_due.then(|| when_due(&draft.live)).transpose()?.flatten() {
            draft.follow(&next)?;
            draft = self.settled(draft).await?;
        }
        self.commit(draft, None, |_| || ()).await?;
        self.lock(uuid).await
    }

    /// Makes games void that have waited for players too long, and says how many. What fails is met again the
    /// next time, and the last failure is told.
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
        let locked = self.lock(uuid).await?;
        if open(locked.game()?).is_err() {
            return Ok(false);
        }
        let mut draft = self.draft(locked)?;
        draft.add(&Body::void())?;
        self.commit(draft, None, |_| || ()).await.map(|_| true)
    }
}

/// What happens when the time of a game has run out: what was promised and not revealed voids it, and for the
/// seat that must decide the autopilot does.
fn when_due(live: &LiveGame) -> Result<Option<Consequence>, Fault> {
    match (live.game.status(), live.game.to_act()) {
        (Status::Sealed, _) => Ok(Some(Consequence::Entry(Body::void()))),
        (Status::Running, Some(seat)) => live.game.time_out(seat),
        _ => Ok(None),
    }
}
