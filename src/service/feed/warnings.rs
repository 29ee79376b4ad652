//! Deadline warnings of players listening at this server.

use uuid::Uuid;

use super::{Feed, Note, Warning};
use crate::service::{ServiceError, cost, games::Session};

impl Feed {
    /// Warns the players who listen here and have a quarter of their time left.
    pub(in crate::service) async fn warn(&self) {
        // A clock that was set would warn all players too early.
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

    /// Schedules the pending deadline warnings of a player who starts listening here. The schedule is in
    /// memory: it is empty after a restart and lacks games written by other servers. Warnings already due
    /// were sent.
    pub(in crate::service) async fn note_warnings(&self, session: &Session) -> Result<(), ServiceError> {
        for uuid in self.reading.games_on_time(session).await? {
            let Some(locked) = self.games.unless_damaged(uuid, cost::free(self.games.lock(uuid)).await)?
            else {
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

    /// Returns whether a scheduled warning still applies: another server may have written an entry since.
    async fn still_runs(&self, game: Uuid, warning: Warning) -> bool {
        if self.store.peers().is_none() {
            return true;
        }
        let Ok(locked) = self.games.lock(game).await else { return false };
        let is_so = |now: Warning| now.is_as(&warning);
        locked.game().is_ok_and(|live| Warning::of(live, live.noted_deadline).is_some_and(is_so))
    }
}
