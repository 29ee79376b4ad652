//! Past positions: the log is replayed from the nearest known position, outside the serving threads.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::{
    clock_cache::ClockCache,
    engine::Seat,
    ledger::{
        entry::Entry,
        game::{Dealer, Game},
    },
    service::{
        Reading, ServiceError, aside,
        cost::{self, Work},
        games::follow,
    },
    store::{self, GameKey},
};

/// Entries between the positions of a game that are kept.
const STEP: u64 = 128;
/// Games of which positions are kept.
const GAMES: NonZeroUsize = NonZeroUsize::new(64).unwrap();
/// Replays at the same time, so that processors stay free for moves.
const AT_ONCE: usize = 2;

pub struct Past {
    points: Mutex<ClockCache<Uuid, BTreeMap<u64, Arc<Game>>>>,
    /// Permits to read whole logs or replay them.
    pub room: Arc<Semaphore>,
}

/// An applied entry, and the game after it.
pub struct PastEntry<'s> {
    pub entry: &'s Entry,
    /// The seat that had to decide before the entry.
    pub waited: Option<Seat>,
    pub game: &'s Game,
}

impl Default for Past {
    fn default() -> Self {
        Self { points: Mutex::new(ClockCache::new(GAMES)), room: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Past {
    /// Returns the newest kept position before `first`.
    fn before(&self, game: Uuid, first: u64) -> Option<Arc<Game>> {
        let points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        points.get(&game)?.range(..first).next_back().map(|(_, game)| Arc::clone(game))
    }

    fn keep(&self, uuid: Uuid, game: &Game) {
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_game) = points.get_mut(&uuid) {
            of_game.entry(game.seq()).or_insert_with(|| Arc::new(game.clone()));
        } else {
            points.put(uuid, BTreeMap::from([(game.seq(), Arc::new(game.clone()))]), |_| false);
        }
    }

    /// Replays entries, and maps those from `first` on.
    fn play<T>(
        &self,
        uuid: Uuid,
        known: Option<&Game>,
        entries: &[store::Entry],
        first: u64,
        mut make: impl FnMut(PastEntry) -> Result<T, ServiceError>,
    ) -> Result<Vec<T>, ServiceError> {
        let (mut game, mut made) = (known.cloned(), Vec::new());
        for stored in entries {
            let waited = game.as_ref().and_then(|game| game.turn().seat);
            let entry = follow(&mut game, stored, &Dealer::Log)?;
            let Some(game) = &game else { continue };
            if (game.seq() + 1).is_multiple_of(STEP) {
                self.keep(uuid, game);
            }
            if game.seq() >= first {
                made.push(make(PastEntry { entry: &entry, waited, game })?);
            }
        }
        Ok(made)
    }
}

impl Reading {
    /// Maps a range of entries, each with the game after it.
    pub(in crate::service) async fn walk<T: Send + 'static>(
        &self,
        (uuid, key): (Uuid, GameKey),
        first: u64,
        count: u64,
        make: impl FnMut(PastEntry) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<Vec<T>, ServiceError> {
        let known = self.past.before(uuid, first);
        let from = known.as_ref().map_or(0, |game| game.seq() + 1);
        let most = first.saturating_add(count).saturating_sub(from);
        // The permit moves into the work, which continues if the caller gives up.
        let room = cost::admitted(&self.past.room).await?;
        let entries = self.store.entries(key, from, most).await?;
        cost::charge(Work::Replay { entries: entries.len() as u64 });
        let past = Arc::clone(&self.past);
        aside(move || {
            let _room = room;
            past.play(uuid, known.as_deref(), &entries, first, make)
        })
        .await
    }
}
