//! The trials that were asked about lately.

use std::{
    num::NonZeroUsize,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::trial::Trial;
use crate::{engine::Seat, service::recent::Recent, store::GameKey};

/// A trial has some kilobytes.
const MOST: NonZeroUsize = NonZeroUsize::new(1_024).unwrap();

pub type Place = (GameKey, Seat);

/// Each holds as long as its game stands where it stood. While a trial is played on, it is not here.
/// On lines of memory of its own, as [`LiveGames`](crate::service::game::LiveGames).
#[repr(align(128))]
pub struct Trials(Mutex<Recent<Place, Option<Kept>>>);

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
    pub fn take(&self, place: Place, seq: u64) -> Option<Box<Trial>> {
        let kept = self.shelf().get_mut(&place)?.take()?;
        (kept.seq == seq).then_some(kept.trial)
    }

    pub fn keep(&self, place: Place, seq: u64, trial: Box<Trial>) {
        let kept = Some(Kept { seq, trial });
        let mut shelf = self.shelf();
        match shelf.get_mut(&place) {
            Some(room) => *room = kept,
            None => shelf.put(place, kept, |_| false),
        }
    }

    fn shelf(&self) -> MutexGuard<'_, Recent<Place, Option<Kept>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
