//! The games in memory: a bounded cache, filled by replay at a game's first use.
//!
//! A game is behind its own lock. A caller that changes it takes it out; the store puts it back and unlocks it when it has
//! committed, and if it could not, the next caller finds the slot empty and loads what is on disk.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Mutex as GameLock, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::LiveGame;
use crate::{
    service::{
        Service, ServiceError,
        recent::Recent,
        work::{self, Work},
    },
    store::{Keeper as _, Seen},
};

/// How many games are loaded at once.
const AT_ONCE: usize = 4;

/// Where a game is in memory, or will be.
pub type Slot = Arc<GameLock<Option<Box<LiveGame>>>>;

pub struct LiveGames {
    slots: Mutex<Recent<Uuid, Slot>>,
    /// Room in which games are loaded.
    room: Arc<Semaphore>,
}

type Room = OwnedSemaphorePermit;

impl LiveGames {
    pub fn new(most: usize) -> Self {
        let most = NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN);
        Self { slots: Mutex::new(Recent::new(most)), room: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Returns the number of games in memory.
    pub fn count(&self) -> usize {
        self.shelf().len()
    }

    fn shelf(&self) -> MutexGuard<'_, Recent<Uuid, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All that there are.
    pub fn slots(&self) -> Vec<Slot> {
        self.shelf().iter().map(|(_, slot)| Arc::clone(slot)).collect()
    }

    /// The slot of a game that has one.
    fn found(&self, game: Uuid) -> Option<Slot> {
        self.shelf().get(&game).map(Arc::clone)
    }

    /// The slot of a game. For a new one the least used goes that nobody holds: while a game is being
    /// written, a second slot would show it as it was before.
    fn slot(&self, game: Uuid) -> Slot {
        let mut shelf = self.shelf();
        if let Some(slot) = shelf.get(&game) {
            return Arc::clone(slot);
        }
        let slot = Slot::default();
        shelf.put(game, Arc::clone(&slot), |slot| Arc::strong_count(slot) > 1);
        slot
    }

    /// Forgets an empty slot, unless somebody else waits for it: that one would then load the game a second
    /// time.
    fn forget(&self, game: Uuid) {
        let mut shelf = self.shelf();
        // One count is the cache's, one that of the guard which found it empty.
        if shelf.get(&game).is_some_and(|slot| Arc::strong_count(slot) <= 2) {
            shelf.remove(&game);
        }
    }
}

/// A game that is there, and locked.
pub struct Locked(OwnedMutexGuard<Option<Box<LiveGame>>>);

impl Locked {
    pub fn game(&self) -> Result<&LiveGame, ServiceError> {
        self.0.as_deref().ok_or(ServiceError::NoGame)
    }

    /// Takes the game out for a change.
    pub fn take(mut self) -> Result<(Box<LiveGame>, Self), ServiceError> {
        let game = self.0.take().ok_or(ServiceError::NoGame)?;
        Ok((game, self))
    }

    /// Puts it back once the change is on disk.
    pub fn put_back(mut self, game: Box<LiveGame>) {
        *self.0 = Some(game);
    }
}

impl Service {
    /// The slot of a game that is about to be written for the first time. A caller that finds the game in a
    /// list meanwhile waits here, so that there are never two of it.
    pub(in crate::service) async fn reserve(&self, uuid: Uuid) -> Locked {
        Locked(self.live_games.slot(uuid).lock_owned().await)
    }

    /// The game, locked, and loaded if it was not in memory.
    pub(in crate::service) async fn lock(&self, uuid: Uuid) -> Result<Locked, ServiceError> {
        let found = self.live_games.found(uuid);
        if let Some(slot) = &found
            && !self.store.is_shared()
            && let Ok(guard) = Arc::clone(slot).try_lock_owned()
            && guard.is_some()
        {
            return Ok(Locked(guard));
        }
        // Mostly nobody else is at a game. Who asks for it would be large with room in itself for all that may be needed.
        Box::pin(self.lock_when_free(uuid, found)).await
    }

    async fn lock_when_free(&self, uuid: Uuid, found: Option<Slot>) -> Result<Locked, ServiceError> {
        if let Some(slot) = found
            && let guard = self.lock_slot(slot).await?
            && guard.is_some()
        {
            return Ok(Locked(guard));
        }
        self.lock_loaded(uuid).await
    }

    /// The slot, locked, with the game as it is by now.
    async fn lock_slot(&self, slot: Slot) -> Result<OwnedMutexGuard<Option<Box<LiveGame>>>, ServiceError> {
        let mut guard = slot.lock_owned().await;
        if self.store.is_shared() {
            self.look(&mut guard).await?;
        }
        Ok(guard)
    }

    /// The game, locked, where it is not in memory as far as is known.
    async fn lock_loaded(&self, uuid: Uuid) -> Result<Locked, ServiceError> {
        // Nothing is kept for a game that is not there, or anybody could fill the cache.
        self.store.game_key(uuid).await?.ok_or(ServiceError::NoGame)?;
        let guard = self.lock_slot(self.live_games.slot(uuid)).await?;
        if guard.is_some() {
            return Ok(Locked(guard));
        }
        // Nobody who wants the same game waits while this caller cannot pay for it.
        drop(guard);
        let admitted = work::admitted(&self.live_games.room).await;
        let room = admitted.inspect_err(|_| self.live_games.forget(uuid))?;
        let mut guard = self.live_games.slot(uuid).lock_owned().await;
        if guard.is_none() {
            let loaded = self.load_game(uuid, room).await;
            *guard = Some(loaded.inspect_err(|_| self.live_games.forget(uuid))?);
        }
        Ok(Locked(guard))
    }

    /// Other servers may have moved: what is new is taken in. A game that has changed otherwise is let go of,
    /// to be loaded.
    async fn look(&self, slot: &mut Option<Box<LiveGame>>) -> Result<(), ServiceError> {
        let Some(known) = slot.as_ref().map(|live| live.known()) else { return Ok(()) };
        match self.store.look(known).await? {
            Seen::Same => {}
            Seen::Otherwise => *slot = None,
            Seen::Lost => {
                *slot = None;
                return Err(ServiceError::StorageUnavailable(format!(
                    "game {}: entry {} has changed: the database has lost acknowledged writes",
                    known.game.number(),
                    known.newest.seq,
                )));
            }
            Seen::Further(news) => {
                let taken_in = slot.take().map(|mut live| self.take_in(&mut live, news).map(|()| live));
                *slot = taken_in.transpose()?;
            }
        }
        Ok(())
    }

    /// Loads a game away from the threads that serve: a long log takes a while to be played again.
    async fn load_game(&self, uuid: Uuid, room: Room) -> Result<Box<LiveGame>, ServiceError> {
        let opening = self.store.opening(uuid).await?.ok_or(ServiceError::NoGame)?;
        work::charge(Work::Replay { entries: opening.entries.len() as u64 });
        self.aside(move || {
            let _room = room;
            LiveGame::load(opening).map(Box::new)
        })
        .await
    }
}
