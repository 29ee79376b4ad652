//! The other servers of a shared database.

use std::{
    sync::{PoisonError, atomic::Ordering},
    time::Duration,
};

use tokio::sync::mpsc::UnboundedReceiver;
use uuid::Uuid;

use super::{
    Postgres,
    columns::{get, whole},
    entries::LATELY_MS,
};
use crate::store::{
    CachedVersion, ChangedGame, Freshness, GameKey, LogPosition, PeerEvent, PlayerKey, StoreError,
};

impl Postgres {
    /// Returns the news of a game since the last read.
    pub async fn look(&self, known: CachedVersion) -> Result<Freshness, StoreError> {
        let (seen, hooks) = self.news.ask(known).await?;
        self.note_hooks(hooks);
        Ok(seen)
    }

    /// Returns the newest hook revision seen so far. Other answers carry it.
    pub fn hooks_changed(&self) -> i64 {
        self.hooks_changed.load(Ordering::Relaxed)
    }

    /// Sends a message to the other servers. It may be lost.
    pub fn ring(&self, line: String) {
        let _ = self.ring.send(line);
    }

    /// Returns the messages of the other servers, to the first caller only.
    pub fn bells(&self) -> Option<UnboundedReceiver<PeerEvent>> {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the positions of these entries of a game.
    pub async fn places(&self, game: GameKey, first: u64, last: u64) -> Result<Vec<LogPosition>, StoreError> {
        let query = "SELECT at FROM log WHERE game = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq";
        self.all(query, &[&game, &whole(first), &whole(last)], |row| Ok(LogPosition::Moment(get(row, 0)?)))
            .await
    }

    /// Returns the games with entries of the last moments.
    pub async fn moved_lately(&self) -> Result<Vec<ChangedGame>, StoreError> {
        self.moved_since(self.at() - LATELY_MS).await
    }

    /// Returns running games with built-in bots that were quiet for some seconds: their server may be gone.
    pub async fn standing_games_of_machines(&self) -> Result<Vec<(Uuid, PlayerKey)>, StoreError> {
        let query = "SELECT DISTINCT game.uuid, game.creator
            FROM player JOIN seat ON seat.player = player.id JOIN game ON game.id = seat.game
            CROSS JOIN LATERAL (SELECT at FROM log WHERE log.game = game.id ORDER BY seq DESC LIMIT 1) AS newest
            WHERE level IS NOT NULL AND seat.status = 'running' AND newest.at BETWEEN $1 AND $2";
        let now = self.at();
        self.all(query, &[&(now - 10 * 60_000), &(now - 10_000)], |row| Ok((get(row, 0)?, get(row, 1)?)))
            .await
    }

    /// Returns for how long the database has not answered.
    pub fn silent_for(&self) -> Duration {
        self.health.silence()
    }
}
