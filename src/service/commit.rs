//! Changes of a game: done in memory, and on disk before anybody is told.

use serde::Serialize;

use super::{
    Service, ServiceError,
    game::{Draft, Game},
    lives::Locked,
    once::Turn,
};

impl Service {
    /// Changes a game: in memory, then on disk. The answer is made before the commit, so that it can be kept with it
    /// under an idempotency key, and leaves only after.
    pub(super) async fn commit<A, T: Serialize>(
        &self,
        locked: &mut Locked,
        turn: Option<&Turn<'_>>,
        act: impl FnOnce(&mut Draft) -> Result<A, ServiceError>,
        answer: impl FnOnce(&Game, A) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        let mut game = locked.take()?;
        let mut draft = Draft::new(&mut game, self.clock.now());
        let done = act(&mut draft)?;
        let write = draft.into_write();
        let answer = answer(&game, done)?;
        self.store.write(kept(write, turn, &answer)?).await?;
        locked.put_back(game);
        Ok(answer)
    }
}

/// The write, with its answer kept if it came under a key.
pub fn kept<T: Serialize>(
    write: crate::store::Write,
    turn: Option<&Turn<'_>>,
    answer: &T,
) -> Result<crate::store::Write, ServiceError> {
    let Some(turn) = turn else { return Ok(write) };
    let bytes = serde_json::to_vec(answer).map_err(|error| ServiceError::Internal(error.to_string()))?;
    Ok(write.and(turn.keep(bytes)))
}
