//! How many games and players there are, counted at most once a minute.

use std::sync::{Mutex, PoisonError};

use super::{DAY, Service, ServiceError};

/// Milliseconds for which a count is good.
const GOOD_FOR: u64 = 60 * 1_000;

/// Numbers of games and players.
#[derive(Clone, Default, Debug)]
pub struct Census {
    /// Games by status.
    pub games: Vec<(String, u64)>,
    pub players: u64,
    /// Players who used a token within a day.
    pub active_players: u64,
    pub open_reports: u64,
}

/// The last count, and its time.
#[derive(Default)]
pub struct CensusCache(Mutex<Option<(u64, Census)>>);

impl Service {
    /// Counts games and players, or returns the count of a moment ago.
    pub async fn census(&self) -> Result<Census, ServiceError> {
        let (store, now) = (&self.base.store, self.base.clock.now());
        let last = self.counted.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, census)) = last.filter(|(at, _)| now.abs_diff(*at) < GOOD_FOR) {
            return Ok(census);
        }
        let census = Census {
            games: store.count_games().await?,
            players: store.count_players().await?,
            active_players: store.count_active_players(now.saturating_sub(DAY)).await?,
            open_reports: store.count_open_reports().await?,
        };
        *self.counted.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, census.clone()));
        Ok(census)
    }
}
