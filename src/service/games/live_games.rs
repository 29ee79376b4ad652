//! Games in memory: a bounded cache, filled by replay at the first use of a game.
//!
//! Each game has a lock. A change takes the game out of its slot; the store puts it back after the commit and
//! unlocks the slot. If the commit fails, the slot stays empty and the next caller loads the stored game.

use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Mutex as GameLock, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use super::{Faults, LiveGame, People};
use crate::{
    clock_cache::ClockCache,
    service::{
        ServiceError, aside,
        cost::{self, Work},
    },
    store::{Freshness, PeerNews, PlayerKey, Store, postgres::Postgres},
};

/// Games that are loaded at the same time.
const AT_ONCE: usize = 4;

/// The place of a game in memory. Empty while the game is changed, or before it is loaded.
pub type Slot = Arc<GameLock<Option<Box<LiveGame>>>>;

struct Slots {
    slots: Mutex<ClockCache<Uuid, Slot>>,
    /// Permits to load games.
    room: Arc<Semaphore>,
}

type Room = OwnedSemaphorePermit;

impl Slots {
    fn new(most: usize) -> Self {
        let most = NonZeroUsize::new(most).unwrap_or(NonZeroUsize::MIN);
        Self { slots: Mutex::new(ClockCache::new(most)), room: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    fn shelf(&self) -> MutexGuard<'_, ClockCache<Uuid, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the slot of a game, if it has one.
    fn found(&self, game: Uuid) -> Option<Slot> {
        self.shelf().get(&game).map(Arc::clone)
    }

    /// Returns the slot of a game. A new slot evicts the least used one that no caller holds: a second slot
    /// for a game in a commit would show it as it was before.
    fn slot(&self, game: Uuid) -> Slot {
        let mut shelf = self.shelf();
        if let Some(slot) = shelf.get(&game) {
            return Arc::clone(slot);
        }
        let slot = Slot::default();
        shelf.put(game, Arc::clone(&slot), |slot| Arc::strong_count(slot) > 1);
        slot
    }

    /// Removes an empty slot, unless another caller waits for it and would then load the game a second time.
    fn forget(&self, game: Uuid) {
        let mut shelf = self.shelf();
        // The cache and the caller's guard each have a reference.
        if shelf.get(&game).is_some_and(|slot| Arc::strong_count(slot) <= 2) {
            shelf.remove(&game);
        }
    }
}

/// A locked game.
pub struct Locked(OwnedMutexGuard<Option<Box<LiveGame>>>);

impl Locked {
    pub fn game(&self) -> Result<&LiveGame, ServiceError> {
        self.0.as_deref().ok_or(ServiceError::NoGame)
    }

    /// Takes the game out of its slot to change it.
    pub fn take(mut self) -> Result<(Box<LiveGame>, Self), ServiceError> {
        let game = self.0.take().ok_or(ServiceError::NoGame)?;
        Ok((game, self))
    }

    /// Puts the game back after the commit.
    pub fn put_back(mut self, game: Box<LiveGame>) {
        *self.0 = Some(game);
    }
}

/// Applies entries that another server has written to a game in memory, and announces them here.
pub type TakeIn = Box<dyn Fn(&mut LiveGame, Vec<PeerNews>) -> Result<(), ServiceError> + Send + Sync>;

/// All games, in memory or loaded on demand.
pub struct Games {
    pub(super) store: Arc<Store>,
    slots: Slots,
    pub(super) faults: Faults,
    take_in: TakeIn,
}

impl Games {
    /// Keeps `most` games in memory.
    pub fn new(store: Arc<Store>, most: usize, take_in: TakeIn) -> Self {
        Self { store, slots: Slots::new(most), faults: Faults::default(), take_in }
    }

    /// Returns the number of games in memory.
    pub fn count(&self) -> usize {
        self.slots.shelf().len()
    }

    /// Returns the slots of all games in memory.
    pub(in crate::service) fn slots(&self) -> Vec<Slot> {
        self.slots.shelf().iter().map(|(_, slot)| Arc::clone(slot)).collect()
    }

    /// Returns the key of a player who sits at the game, or did.
    pub(in crate::service) async fn key_of(
        &self,
        people: &People,
        player: &str,
    ) -> Result<Option<PlayerKey>, ServiceError> {
        if let Some(known) = people.key_of(player) {
            return Ok(Some(known));
        }
        let Ok(uuid) = Uuid::try_parse(player) else { return Ok(None) };
        Ok(self.store.player(uuid).await?.map(|player| player.key))
    }

    /// Locks the slot of a new game before its first write. A caller that finds the game in a list waits
    /// here, so it never loads a second copy.
    pub(in crate::service) async fn reserve(&self, uuid: Uuid) -> Locked {
        Locked(self.slots.slot(uuid).lock_owned().await)
    }

    /// Locks a game, and loads it if necessary.
    pub(in crate::service) async fn lock(&self, uuid: Uuid) -> Result<Locked, ServiceError> {
        let found = self.slots.found(uuid);
        if let Some(slot) = &found
            && self.store.peers().is_none()
            && let Ok(guard) = Arc::clone(slot).try_lock_owned()
            && guard.is_some()
        {
            return Ok(Locked(guard));
        }
        // Boxed: usually the lock is free, and the future stays small.
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

    /// Locks a slot, and brings its game up to date with other servers.
    async fn lock_slot(&self, slot: Slot) -> Result<OwnedMutexGuard<Option<Box<LiveGame>>>, ServiceError> {
        let mut guard = slot.lock_owned().await;
        if let Some(peers) = self.store.peers() {
            self.look(peers, &mut guard).await?;
        }
        Ok(guard)
    }

    /// Locks a game that is probably not in memory.
    async fn lock_loaded(&self, uuid: Uuid) -> Result<Locked, ServiceError> {
        // A game that does not exist gets no slot: otherwise a client could fill the cache.
        self.store.game_key(uuid).await?.ok_or(ServiceError::NoGame)?;
        let guard = self.lock_slot(self.slots.slot(uuid)).await?;
        if guard.is_some() {
            return Ok(Locked(guard));
        }
        // Release the slot: others must not wait while this caller is over budget.
        drop(guard);
        let admitted = cost::admitted(&self.slots.room).await;
        let room = admitted.inspect_err(|_| self.slots.forget(uuid))?;
        let mut guard = self.slots.slot(uuid).lock_owned().await;
        if guard.is_none() {
            let loaded = self.load_game(uuid, room).await;
            *guard = Some(loaded.inspect_err(|_| self.slots.forget(uuid))?);
        }
        Ok(Locked(guard))
    }

    /// Applies the entries of other servers. A game that changed in another way is dropped, to be loaded
    /// again.
    async fn look(&self, peers: &Postgres, slot: &mut Option<Box<LiveGame>>) -> Result<(), ServiceError> {
        let Some(known) = slot.as_ref().map(|live| live.known()) else { return Ok(()) };
        match peers.look(known).await? {
            Freshness::Same => {}
            Freshness::Otherwise => *slot = None,
            Freshness::Lost => {
                *slot = None;
                return Err(ServiceError::StorageUnavailable(format!(
                    "game {}: entry {} has changed: the database has lost acknowledged writes",
                    known.game.number(),
                    known.newest.seq,
                )));
            }
            Freshness::Further(news) => {
                let taken_in = slot.take().map(|mut live| (self.take_in)(&mut live, news).map(|()| live));
                *slot = taken_in.transpose()?;
            }
        }
        Ok(())
    }

    /// Loads a game outside the serving threads, since the replay of a long log takes a while.
    async fn load_game(&self, uuid: Uuid, room: Room) -> Result<Box<LiveGame>, ServiceError> {
        let opening = self.store.opening(uuid).await?.ok_or(ServiceError::NoGame)?;
        cost::charge(Work::Replay { entries: opening.entries.len() as u64 });
        aside(move || {
            let _room = room;
            LiveGame::load(opening).map(Box::new)
        })
        .await
    }
}
