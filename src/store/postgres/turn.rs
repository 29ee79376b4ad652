//! What one node at a time does: under a lock in the database, which ends with its connection.

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
use crate::store::{StoreError, Turn};

const PAUSE: Duration = Duration::from_millis(50);

/// The lock is held as long as this is.
pub struct Held {
    work: Option<(Lent, Arc<Link>)>,
    number: i32,
    runtime: Handle,
}

const fn number(turn: Turn) -> i32 {
    match turn {
        Turn::Start => 1,
        Turn::Tree => 2,
    }
}

impl Postgres {
    /// The turn, if nobody else has it.
    pub async fn try_turn(&self, turn: Turn) -> Result<Option<Held>, StoreError> {
        let lent = in_time(self.pool.lend()).await?;
        let link = lent.line.link().await?;
        let number = number(turn);
        let take = "SELECT pg_try_advisory_lock(hashtext((SELECT id::text FROM ledger)), $1)";
        let taken = match in_time(link.query(take, &[&number])).await {
            Ok(rows) => rows.first().map(|row| get::<bool>(row, 0)).transpose()?.unwrap_or(false),
            Err(error) => {
                lent.line.drop_link(&link).await;
                return Err(error);
            }
        };
        Ok(taken.then(|| Held { work: Some((lent, link)), number, runtime: self.target.runtime.clone() }))
    }

    /// The turn, when it comes.
    pub async fn wait_for_turn(&self, turn: Turn) -> Result<Held, StoreError> {
        let end = Instant::now() + 3 * PATIENCE;
        loop {
            if let Some(held) = self.try_turn(turn).await? {
                return Ok(held);
            }
            if Instant::now() > end {
                return Err(StoreError::Locked);
            }
            sleep(PAUSE).await;
        }
    }
}

impl Drop for Held {
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
