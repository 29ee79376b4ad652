//! Changes of a game: done in memory, and on disk before anybody is told.

use std::sync::Arc;

use serde::Serialize;

use super::{
    Service, ServiceError, Written, draft::Draft, game::Game, lives::Locked, news::Bulletin, once::Turn,
};
use crate::store::Write;

impl Service {
    pub(super) fn draft<'g>(&self, game: &'g mut Game) -> Draft<'g> {
        let watched = self.news.is_watched(game.row.uuid);
        Draft::new(game, self.clock.now(), self.limits.reveal_for, watched)
    }

    /// Changes a game: in memory, then on disk. The answer is written before the commit, so that it can be kept with it
    /// under an idempotency key, and leaves only after.
    pub(super) async fn commit<A, T: Serialize>(
        &self,
        mut locked: Locked,
        turn: Option<&Turn<'_>>,
        act: impl FnOnce(&mut Draft) -> Result<A, ServiceError>,
        answer: impl FnOnce(&Game, A) -> T,
    ) -> Result<Written, ServiceError> {
        let mut game = locked.take()?;
        let mut draft = self.draft(&mut game);
        let done = act(&mut draft)?;
        let (write, bulletin) = draft.finish();
        let answer = Written::of(&answer(&game, done))?;
        self.publish(answer.kept_with(write, turn), bulletin, locked, game).await?;
        Ok(answer)
    }

    /// Writes, and as soon as it is on disk puts the game back and tells of it: also if nobody waits for the answer any
    /// more. Until then the game is locked, so that nobody meets what the disk does not hold, or no longer.
    pub(super) async fn publish(
        &self,
        write: Write,
        bulletin: Bulletin,
        mut locked: Locked,
        game: Box<Game>,
    ) -> Result<(), ServiceError> {
        let news = Arc::clone(&self.news);
        let then = move |row| {
            locked.put_back(game);
            news.tell(bulletin, row);
        };
        Ok(self.store.write_and(write, then).await?)
    }
}
