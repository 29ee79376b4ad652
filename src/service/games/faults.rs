//! Damaged games: lists skip them, and the operator is informed.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use uuid::Uuid;

use crate::service::{Games, ServiceError};

/// Damaged games that are remembered.
const MOST: usize = 1_000;

#[derive(Default)]
pub struct Faults(Mutex<BTreeMap<Uuid, GameFault>>);

struct GameFault {
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
            known.entry(game).or_insert(GameFault { cause, is_told: false });
        }
    }
}

impl Games {
    /// Returns `None` if the game is damaged. A damaged game must not fail a request that covers others.
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

    /// Returns how many games were found damaged.
    pub fn damaged(&self) -> usize {
        self.faults.count()
    }

    /// Returns the games found damaged since the last call, each with its cause.
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
