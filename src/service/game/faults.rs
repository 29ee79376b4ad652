//! Games that cannot be read: they are passed over where there are others, and told to the operator.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use uuid::Uuid;

use crate::service::{Service, ServiceError};

/// Of how many it is remembered that they were told.
const MOST: usize = 1_000;

#[derive(Default)]
pub struct Faults(Mutex<BTreeMap<Uuid, Fault>>);

struct Fault {
    cause: String,
    is_told: bool,
}

impl Faults {
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn note(&self, game: Uuid, cause: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST {
            known.entry(game).or_insert(Fault { cause, is_told: false });
        }
    }
}

impl Service {
    /// The result for a game, or `None` if the game is damaged: a reason to refuse no other game.
    pub(in crate::service) fn unless_damaged<T>(
        &self,
        game: Uuid,
        found: Result<T, ServiceError>,
    ) -> Result<Option<T>, ServiceError> {
        match found {
            Err(ServiceError::Internal(cause)) => {
                self.faults.note(game, cause);
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Games found damaged since the last call, each with its cause.
    pub fn new_faults(&self) -> Vec<(Uuid, String)> {
        let mut known = self.faults.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = known.iter_mut().filter(|(_, fault)| !fault.is_told);
        new.map(|(game, fault)| {
            fault.is_told = true;
            (*game, fault.cause.clone())
        })
        .collect()
    }
}
