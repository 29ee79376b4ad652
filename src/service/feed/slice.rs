//! Slices: a thread serves other requests between the watchers of one game.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Watchers that a thread serves before other requests.
const AT_ONCE: usize = 16;

thread_local! {
    static SLICE: Arc<Semaphore> = Arc::new(Semaphore::new(AT_ONCE));
}

/// Waits for a place in the slice of this thread.
///
/// A move wakes all watchers of a game at once. Without slices, a later request waits until all of them are
/// served.
pub async fn enter() -> Option<OwnedSemaphorePermit> {
    // The semaphore is never closed.
    SLICE.with(Arc::clone).acquire_owned().await.ok()
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn watchers_beyond_the_slice_wait_until_others_are_served() {
        let mut served: Vec<_> = (0..AT_ONCE).map(|_| enter().now_or_never().unwrap()).collect();
        let mut next = Box::pin(enter());
        assert!(next.as_mut().now_or_never().is_none());
        drop(served.pop());
        assert!(next.now_or_never().is_some());
    }
}
