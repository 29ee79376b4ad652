//! The trials that were asked about lately.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::trial::Trial;
use crate::{engine::Seat, service::recent::Recent, store::GameKey};

/// A trial has some kilobytes.
const MOST: NonZeroUsize = NonZeroUsize::new(1_024).unwrap();

/// Whose trial it is.
pub type Whose = (GameKey, Seat);

/// Each holds as long as its game stands where it stood. While a trial is played on, it is not here.
pub struct Trials(Mutex<Recent<Whose, Option<Kept>>>);

struct Kept {
    seq: u64,
    trial: Box<Trial>,
}

impl Default for Trials {
    fn default() -> Self {
        Self(Mutex::new(Recent::new(MOST)))
    }
}

impl Trials {
    /// The trial of a seat, if it was made at this entry.
    pub fn take(&self, whose: Whose, seq: u64) -> Option<Box<Trial>> {
        let kept = self.shelf().get_mut(&whose)?.take()?;
        (kept.seq == seq).then_some(kept.trial)
    }

    pub fn keep(&self, whose: Whose, seq: u64, trial: Box<Trial>) {
        let kept = Some(Kept { seq, trial });
        let mut shelf = self.shelf();
        match shelf.get_mut(&whose) {
            Some(room) => *room = kept,
            None => shelf.put(whose, kept, |_| false),
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Recent<Whose, Option<Kept>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
