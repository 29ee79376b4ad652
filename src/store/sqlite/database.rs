//! Writes, and the state of the store.

use super::{Sqlite, queue::WriterJob, space};
use crate::store::{
    OnCommit, StoreError, Write,
    slow_commits::SlowCommits,
    traits::{Database, Health},
};

impl Database for Sqlite {
    fn write_and(
        &self,
        write: Write,
        on_commit: OnCommit,
    ) -> impl Future<Output = Result<(), StoreError>> + Send + use<> {
        let queued = self.queue.put(WriterJob::Write(write), on_commit);
        async move { queued?.outcome().await }
    }

    fn slow_commits(&self) -> &SlowCommits {
        &self.slow_commits
    }
}

impl Health for Sqlite {
    async fn ready(&self) -> Result<(), StoreError> {
        self.reads.newest_row()?;
        if self.reads.index.is_failing() {
            // A write finds out whether writing works again.
            self.queue.put(WriterJob::Probe, OnCommit::nothing())?.outcome().await?;
        }
        Ok(())
    }

    fn free_bytes(&self) -> Option<u64> {
        space::free_bytes(&self.path)
    }

    fn waiting(&self) -> usize {
        self.queue.waiting()
    }
}
