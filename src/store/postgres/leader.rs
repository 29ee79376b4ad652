//! Leader election: one server at a time does a task, under an advisory lock that ends with its connection.

use std::{sync::Arc, time::Duration};

use tokio::{
    runtime::Handle,
    time::{Instant, sleep},
};

use super::{
    Postgres,
    columns::get,
    link::{Lent, Link, PATIENCE, in_time},
};
use crate::store::{LeaderTask, StoreError};

const PAUSE: Duration = Duration::from_millis(50);

/// Holds the leader lock of a task.
pub struct LeaderGuard {
    work: Option<(Lent, Arc<Link>)>,
    number: i32,
    runtime: Handle,
}

const fn number(task: LeaderTask) -> i32 {
    match task {
        LeaderTask::Start => 1,
        LeaderTask::Tree => 2,
    }
}

impl Postgres {
    /// Becomes the leader of a task, unless another server is.
    pub async fn try_to_lead(&self, task: LeaderTask) -> Result<Option<LeaderGuard>, StoreError> {
        let lent = in_time(self.pool.lend()).await?;
        let link = lent.line.link().await?;
        let number = number(task);
        let take = "SELECT pg_try_advisory_lock(hashtext((SELECT id::text FROM ledger)), $1)";
        let taken = match in_time(link.query(take, &[&number])).await {
            Ok(rows) => rows.first().map(|row| get::<bool>(row, 0)).transpose()?.unwrap_or(false),
            Err(error) => {
                lent.line.drop_link(&link).await;
                return Err(error);
            }
        };
        Ok(taken.then(|| LeaderGuard {
            work: Some((lent, link)),
            number,
            runtime: self.target.runtime.clone(),
        }))
    }

    /// Waits to become the leader of a task.
    pub async fn wait_to_lead(&self, task: LeaderTask) -> Result<LeaderGuard, StoreError> {
        let end = Instant::now() + 3 * PATIENCE;
        loop {
            if let Some(held) = self.try_to_lead(task).await? {
                return Ok(held);
            }
            if Instant::now() > end {
                return Err(StoreError::Locked);
            }
            sleep(PAUSE).await;
        }
    }
}

impl Drop for LeaderGuard {
    fn drop(&mut self) {
        let Some((lent, link)) = self.work.take() else { return };
        let number = self.number;
        self.runtime.spawn(async move {
            let give = "SELECT pg_advisory_unlock(hashtext((SELECT id::text FROM ledger)), $1)";
            if in_time(link.query(give, &[&number])).await.is_err() {
                lent.line.drop_link(&link).await;
            }
        });
    }
}
