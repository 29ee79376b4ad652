//! Idempotency: the same request under the same key gets the first answer again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{Mutex as KeyLock, OwnedMutexGuard};

use super::{DAY, Player, Service, ServiceError};
use crate::store::{Answer, Change, PlayerKey, Write};

/// How long an answer is kept.
const KEPT_FOR: u64 = DAY;

/// An idempotency key of a player, and what the request under it was.
#[derive(Clone, Debug)]
pub struct Key {
    pub player: PlayerKey,
    pub key: String,
    pub fingerprint: [u8; 32],
}

/// Requests under a key that are being carried out, so that a second one waits for the first one's answer.
#[derive(Default)]
pub struct InFlight(Mutex<HashMap<Place, Arc<KeyLock<()>>>>);

/// A key of a player.
type Place = (PlayerKey, String);

/// What was kept under a key, or the turn to make it.
pub enum Kept<'s> {
    Answer(Vec<u8>),
    Nothing(Turn<'s>),
}

/// The turn to carry out a request under a key. Others wait until it is dropped.
pub struct Turn<'s> {
    service: &'s Service,
    key: Key,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turn<'_> {
    /// The change that keeps the answer, for the transaction of the request itself.
    pub fn keep(&self, answer: Vec<u8>) -> Change {
        let now = self.service.clock.now();
        let Key { player, key, fingerprint } = self.key.clone();
        let answer = Answer { player, key, fingerprint, body: answer, at: now };
        Change::KeepAnswer { answer, fresh_since: now.saturating_sub(KEPT_FOR) }
    }

    /// Keeps the answer to a request that changed nothing.
    pub async fn keep_alone(&self, answer: Vec<u8>) -> Result<(), ServiceError> {
        Ok(self.service.store.write(Write::of(self.keep(answer))).await?)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        drop(self.guard.take());
        let mut running = self.service.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (self.key.player, std::mem::take(&mut self.key.key));
        if running.get(&place).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            running.remove(&place);
        }
    }
}

impl Service {
    /// The kept answer, or the turn to make one. Another request under the same key is refused.
    pub async fn once(&self, player: &Player, key: Key) -> Result<Kept<'_>, ServiceError> {
        let lock = {
            let mut running = self.in_flight.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(running.entry((player.key, key.key.clone())).or_default())
        };
        let turn = Turn { service: self, key, guard: Some(lock.lock_owned().await) };
        let fresh_since = self.clock.now().saturating_sub(KEPT_FOR);
        match self.store.answer(turn.key.player, &turn.key.key, fresh_since)? {
            None => Ok(Kept::Nothing(turn)),
            Some(answer) if answer.fingerprint == turn.key.fingerprint => Ok(Kept::Answer(answer.body)),
            Some(_) => Err(ServiceError::KeyReused),
        }
    }
}
