//! What the server does by itself when a time has run out.

use futures_util::{StreamExt as _, stream};
use uuid::Uuid;

use super::{Service, ServiceError, lives::Locked};
use crate::store::Status;

/// How many games are looked at in one go, and how many at once.
const BATCH: u32 = 4_096;
const AT_ONCE: usize = 64;

impl Service {
    /// Acts on every game whose deadline has come, and says on how many. What fails is met again the next time, and the
    /// first failure is told.
    pub async fn act_on_deadlines(&self) -> Result<usize, ServiceError> {
        let due = self.store.due(self.clock.now(), BATCH)?;
        let done: Vec<Result<(), ServiceError>> = stream::iter(&due)
            .map(|game| self.act_on_deadline(*game))
            .buffer_unordered(AT_ONCE)
            .collect()
            .await;
        done.into_iter().collect::<Result<(), _>>().map(|()| due.len())
    }

    async fn act_on_deadline(&self, game: Uuid) -> Result<(), ServiceError> {
        self.act_if_due(self.lock(game).await?).await.map(|_| ())
    }

    /// Acts on a game if its time has run out. Whoever wants to change a game calls this first, so that what comes too
    /// late is told so, however soon after the deadline it comes.
    pub(super) async fn act_if_due(&self, locked: Locked) -> Result<Locked, ServiceError> {
        let (now, game) = (self.clock.now(), locked.game()?);
        if game.row.deadline.is_none_or(|noted| noted > now) {
            return Ok(locked);
        }
        let uuid = game.row.uuid;
        let due = game.deadline(self.limits.reveal_for).is_some_and(|deadline| deadline <= now);
        let (status, to_act) = (game.row.status, game.to_act());
        self.commit(
            locked,
            None,
            |draft| match (status, to_act) {
                (Status::Sealed, _) if due => draft.make_void().map(|_| ()),
                (Status::Running, Some(seat)) if due => draft.time_out(seat),
                // The deadline was noted by an earlier version; the true one is noted now.
                _ => Ok(()),
            },
            |_, ()| (),
        )
        .await?;
        self.lock(uuid).await
    }
}
