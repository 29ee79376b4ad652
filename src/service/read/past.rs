//! Games as they were: a log played again from the nearest point that is known, away from the threads that serve.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::{
    engine::Seat,
    ledger::{
        entry::Entry,
        game::{Dealer, Game},
    },
    service::{
        Service, ServiceError,
        game::follow,
        work::{self, Work},
    },
    store::{self, GameKey, Keeper as _},
};

/// Every this many entries a game is kept as it was then, so that nothing further back is played again.
const STEP: u64 = 128;
/// Of how many games such points are kept.
const GAMES: NonZeroUsize = NonZeroUsize::new(64).unwrap();
/// How many logs are played again at once: as many as leave the processors room for those who play.
const AT_ONCE: usize = 2;

pub struct Past {
    points: Mutex<LruCache<Uuid, BTreeMap<u64, Arc<Game>>>>,
    /// Room in which logs are read whole or played again.
    pub room: Arc<Semaphore>,
}

/// An entry that was taken in, and the game after it.
pub struct Step<'s> {
    pub entry: &'s Entry,
    /// The seat that had to decide before it.
    pub waited: Option<Seat>,
    pub game: &'s Game,
}

impl Default for Past {
    fn default() -> Self {
        Self { points: Mutex::new(LruCache::new(GAMES)), room: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Past {
    /// The newest point that has no entry from `first` on.
    fn before(&self, game: Uuid, first: u64) -> Option<Arc<Game>> {
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        points.get(&game)?.range(..first).next_back().map(|(_, game)| Arc::clone(game))
    }

    fn keep(&self, uuid: Uuid, game: &Game) {
        let mut points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        let of_game = points.get_or_insert_mut(uuid, BTreeMap::new);
        of_game.entry(game.seq()).or_insert_with(|| Arc::new(game.clone()));
    }

    /// Plays entries again, and collects what is made of those from `first` on.
    fn play<T>(
        &self,
        uuid: Uuid,
        known: Option<&Game>,
        entries: &[store::Entry],
        first: u64,
        mut make: impl FnMut(Step) -> Result<T, ServiceError>,
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
                made.push(make(Step { entry: &entry, waited, game })?);
            }
        }
        Ok(made)
    }
}

impl Service {
    /// Makes something of each entry of a stretch of a game's log, with the game as it was after it.
    pub(in crate::service) async fn walk<T: Send + 'static>(
        &self,
        (uuid, key): (Uuid, GameKey),
        first: u64,
        count: u64,
        make: impl FnMut(Step) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<Vec<T>, ServiceError> {
        let known = self.past.before(uuid, first);
        let from = known.as_ref().map_or(0, |game| game.seq() + 1);
        let most = first.saturating_add(count).saturating_sub(from);
        // The room goes along with the work, which goes on if nobody waits for it any more.
        let room = work::admitted(&self.past.room).await?;
        let entries = self.store.entries(key, from, most).await?;
        work::charge(Work::Replay { entries: entries.len() as u64 });
        let past = Arc::clone(&self.past);
        self.aside(move || {
            let _room = room;
            past.play(uuid, known.as_deref(), &entries, first, make)
        })
        .await
    }
}
