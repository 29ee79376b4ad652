//! Requests under an idempotency key that are in progress.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Semaphore;

use crate::service::ServiceError;

/// Requests under a key that are in progress. A second request under the same key waits at a semaphore, which
/// is closed when the first one ends.
#[derive(Default)]
pub struct InFlight(Mutex<HashMap<Digest, Option<Arc<Semaphore>>>>);

/// Digest of a player and a key.
pub type Digest = [u8; 16];

/// The right to carry out requests under a key, until it is dropped.
pub struct Held<'s> {
    in_flight: &'s InFlight,
    pub digest: Digest,
    has_waited: bool,
}

impl Held<'_> {
    /// Fails after a wait: what was checked before, such as the token, may have changed, so the client sends
    /// the request again.
    pub const fn is_fresh(&self) -> Result<(), ServiceError> {
        if self.has_waited { Err(ServiceError::Busy) } else { Ok(()) }
    }
}

impl InFlight {
    pub async fn hold(&self, digest: Digest) -> Held<'_> {
        let mut has_waited = false;
        while let Some(gate) = self.gate(digest) {
            has_waited = true;
            // The semaphore has no permits: waiters wake when [`Held`] closes it. Boxed, since waiting is
            // rare and would enlarge the future of every request.
            let _ = Box::pin(gate.acquire()).await;
        }
        Held { in_flight: self, digest, has_waited }
    }

    /// Returns the semaphore to wait at if the key is held; otherwise takes the key.
    fn gate(&self, digest: Digest) -> Option<Arc<Semaphore>> {
        match self.running().entry(digest) {
            Entry::Occupied(mut held) => {
                let gate = held.get_mut().get_or_insert_with(|| Arc::new(Semaphore::new(0)));
                Some(Arc::clone(gate))
            }
            Entry::Vacant(free) => {
                free.insert(None);
                None
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Digest, Option<Arc<Semaphore>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if let Some(Some(gate)) = self.in_flight.running().remove(&self.digest) {
            gate.close();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_request_that_waited_under_its_key_is_sent_again() {
        let in_flight = InFlight::default();
        let first = in_flight.hold([1; 16]).now_or_never().unwrap();
        assert!(first.is_fresh().is_ok());
        let mut second = Box::pin(in_flight.hold([1; 16]));
        assert!(second.as_mut().now_or_never().is_none());
        assert!(in_flight.hold([2; 16]).now_or_never().unwrap().is_fresh().is_ok(), "another key");
        drop(first);
        assert!(second.now_or_never().unwrap().is_fresh().is_err());
    }
}
