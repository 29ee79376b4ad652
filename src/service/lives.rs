//! The games in memory: a bounded cache, filled by replay at a game's first use.
//!
//! A game is behind its own lock. Whoever changes it takes it out; the store puts it back and unlocks it when it has
//! committed, and if it could not, the next one finds the place empty and loads what is on disk.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, PoisonError},
};

use lru::LruCache;
use tokio::sync::{Mutex as GameLock, OwnedMutexGuard};
use uuid::Uuid;

use super::{Service, ServiceError, game::Game};

type Place = Arc<GameLock<Option<Box<Game>>>>;

pub struct Lives {
    places: Mutex<LruCache<Uuid, Place>>,
}

impl Lives {
    pub fn new(most: usize) -> Self {
        let most = NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN);
        Self { places: Mutex::new(LruCache::new(most)) }
    }

    pub fn len(&self) -> usize {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The place of a game. For a new one the least used goes that nobody holds.
    fn place(&self, game: Uuid) -> Place {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() == places.cap().get() && !places.contains(&game) {
            pass_over_held(&mut places);
        }
        Arc::clone(places.get_or_insert(game, Place::default))
    }

    fn forget(&self, game: Uuid) {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).pop(&game);
    }
}

/// Makes the least used place one that nobody holds, if there is one: of a game that is being written there may not be
/// a second place, which would show it as it was before.
fn pass_over_held(places: &mut LruCache<Uuid, Place>) {
    for _ in 0..places.len() {
        match places.peek_lru() {
            Some((game, place)) if Arc::strong_count(place) > 1 => {
                let game = *game;
                places.promote(&game);
            }
            _ => break,
        }
    }
}

/// A game that is there, and locked.
pub struct Locked(OwnedMutexGuard<Option<Box<Game>>>);

impl Locked {
    pub fn game(&self) -> Result<&Game, ServiceError> {
        self.0.as_deref().ok_or(ServiceError::NoGame)
    }

    /// Takes the game out for a change.
    pub fn take(&mut self) -> Result<Box<Game>, ServiceError> {
        self.0.take().ok_or(ServiceError::NoGame)
    }

    /// Puts it back once the change is on disk.
    pub fn put_back(&mut self, game: Box<Game>) {
        *self.0 = Some(game);
    }
}

impl Service {
    /// The place of a game that is about to be written for the first time. Whoever finds the game in a list meanwhile
    /// waits here, so that there are never two of it.
    pub(super) async fn reserve(&self, uuid: Uuid) -> Locked {
        Locked(self.lives.place(uuid).lock_owned().await)
    }

    /// The game, locked, and loaded if it was not in memory.
    pub(super) async fn lock(&self, uuid: Uuid) -> Result<Locked, ServiceError> {
        let mut guard = self.lives.place(uuid).lock_owned().await;
        if guard.is_none() {
            match self.load_game(uuid) {
                Ok(game) => *guard = Some(Box::new(game)),
                Err(error) => {
                    // Nothing is kept for a game that is not there, or anybody could fill the cache.
                    self.lives.forget(uuid);
                    return Err(error);
                }
            }
        }
        Ok(Locked(guard))
    }

    fn load_game(&self, uuid: Uuid) -> Result<Game, ServiceError> {
        let row = self.store.game(uuid)?.ok_or(ServiceError::NoGame)?;
        let (seats, entries) = (self.store.seats(row.key)?, self.store.entries(row.key)?);
        Game::load(row, seats, &entries)
    }
}
