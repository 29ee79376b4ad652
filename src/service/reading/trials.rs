//! The trials of recent requests.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::trial::Trial;
use crate::{clock_cache::ClockCache, engine::Seat, store::GameKey};

/// A trial takes some kilobytes.
const MOST: NonZeroUsize = NonZeroUsize::new(1_024).unwrap();

/// The owner of a trial.
pub type Whose = (GameKey, Seat);

/// A trial is valid until the game moves. It is absent while it is being continued.
pub struct Trials(Mutex<ClockCache<Whose, Option<KeptTrial>>>);

struct KeptTrial {
    seq: u64,
    trial: Box<Trial>,
}

impl Default for Trials {
    fn default() -> Self {
        Self(Mutex::new(ClockCache::new(MOST)))
    }
}

impl Trials {
    /// Takes the trial of a seat, if it was made at this entry.
    pub fn take(&self, whose: Whose, seq: u64) -> Option<Box<Trial>> {
        let kept = self.shelf().get_mut(&whose)?.take()?;
        (kept.seq == seq).then_some(kept.trial)
    }

    pub fn keep(&self, whose: Whose, seq: u64, trial: Box<Trial>) {
        let kept = Some(KeptTrial { seq, trial });
        let mut shelf = self.shelf();
        match shelf.get_mut(&whose) {
            Some(room) => *room = kept,
            None => shelf.put(whose, kept, |_| false),
        }
    }

    fn shelf(&self) -> MutexGuard<'_, ClockCache<Whose, Option<KeptTrial>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
