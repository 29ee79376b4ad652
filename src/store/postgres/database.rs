//! Writes, and the state of the store.

use super::{Postgres, Queue};
use crate::store::{
    OnCommit, StoreError, Write,
    slow_commits::SlowCommits,
    traits::{Database, Health},
};

impl Database for Postgres {
    fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        let queued =
            self.queue.as_ref().ok_or(StoreError::Stopped).and_then(|queue| queue.put(write, on_commit));
        async move { queued?.await.unwrap_or(Err(StoreError::Stopped)) }
    }

    fn slow_commits(&self) -> &SlowCommits {
        &self.slow_commits
    }
}

impl Health for Postgres {
    async fn ready(&self) -> Result<(), StoreError> {
        self.health.ready()
    }

    fn free_bytes(&self) -> Option<u64> {
        None
    }

    fn waiting(&self) -> usize {
        self.queue.as_ref().map_or(0, Queue::waiting)
    }
}
