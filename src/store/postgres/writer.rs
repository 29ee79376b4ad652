//! The writer. Waiting moves share a transaction; every other write has its own.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use super::{
    append::{self, Batch},
    apply::carry_out,
    health::HealthWatch,
    link::{Fail, Failed, PATIENCE, Pool, PooledLine, again, by, in_time},
    number::Numbers,
};
use crate::store::{
    LogPosition, OnCommit, StoreError, Write,
    slow_commits::{Pace, SlowCommits},
};

/// Writes of one transaction, few enough for short waits.
const MOST_TOGETHER: usize = 1_024;

type Outcome = Result<(), StoreError>;

pub struct Job {
    write: Write,
    on_commit: OnCommit,
    reply: oneshot::Sender<Outcome>,
    queued: Instant,
    _waits: Waits,
}

/// The sending end of the queue.
pub struct Queue {
    jobs: mpsc::UnboundedSender<Job>,
    waiting: Arc<AtomicUsize>,
    room: usize,
}

/// The loop of the writer.
pub struct WriterLoop {
    pub pool: Arc<Pool>,
    pub numbers: Arc<Numbers>,
    pub health: Arc<HealthWatch>,
    pub slow_commits: Arc<SlowCommits>,
}

/// Name and time of a transaction. A name is carried out once.
type Stamp = (Uuid, i64);

impl Queue {
    pub fn put(&self, write: Write, on_commit: OnCommit) -> Result<oneshot::Receiver<Outcome>, StoreError> {
        if self.waiting() >= self.room {
            return Err(StoreError::Busy);
        }
        let (reply, answer) = oneshot::channel();
        let job = Job { write, on_commit, reply, queued: Instant::now(), _waits: Waits::of(&self.waiting) };
        self.jobs.send(job).map_err(|_| StoreError::Stopped)?;
        Ok(answer)
    }

    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

/// Makes a queue with room for this many writes, and its receiving end.
pub fn queue(room: usize) -> (Queue, mpsc::UnboundedReceiver<Job>) {
    let (jobs, taken) = mpsc::unbounded_channel();
    (Queue { jobs, waiting: Arc::default(), room }, taken)
}

/// Counts a waiting write.
struct Waits(Arc<AtomicUsize>);

impl Waits {
    fn of(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Job {
    /// Answers the caller, then runs the callback.
    fn end(self, outcome: Outcome, at: i64) {
        let Self { on_commit, reply, .. } = self;
        // The caller may have gone; the write stays.
        if outcome.is_ok() {
            on_commit.run(|| drop(reply.send(Ok(()))))(LogPosition::Moment(at));
        } else {
            let _ = reply.send(outcome);
        }
    }
}

impl WriterLoop {
    /// Writes until the queue is gone and all jobs are settled.
    pub async fn work(self: Arc<Self>, mut jobs: mpsc::UnboundedReceiver<Job>, line: PooledLine) {
        let mut taken = Vec::with_capacity(MOST_TOGETHER);
        let mut alone = tokio::task::JoinSet::new();
        while jobs.recv_many(&mut taken, MOST_TOGETHER).await > 0 {
            if let Err(error) = self.health.ready() {
                taken.drain(..).for_each(|job| job.end(Err(error.again()), 0));
                continue;
            }
            let (together, others): (Vec<Job>, Vec<Job>) =
                taken.drain(..).partition(|job| Batch::takes(&job.write));
            for job in others {
                alone.spawn(Arc::clone(&self).write_alone(job));
            }
            if !together.is_empty() {
                for job in self.write_together(together, &line).await {
                    alone.spawn(Arc::clone(&self).write_alone(job));
                }
            }
            while alone.try_join_next().is_some() {}
        }
        alone.join_all().await;
    }

    fn stamp(&self) -> Stamp {
        (crate::id::fresh(), self.health.at())
    }

    /// Writes moves in one transaction. If one fails, none is written, and the jobs are returned.
    async fn write_together(&self, jobs: Vec<Job>, line: &PooledLine) -> Vec<Job> {
        let stamp = self.stamp();
        let batch = Batch::of(jobs.iter().map(|job| &job.write));
        // The name stays the same for retries, so the transaction is carried out once even if the answer to a
        // commit is lost.
        let mut pace = Pace::since(jobs.iter().map(|job| job.queued).min());
        let done = again!(line, link => batch.carry_out(&link, stamp).await.map_err(Fail::Wire));
        pace.note("database");
        self.slow_commits.note(pace, jobs.len());
        match done {
            Ok(()) => jobs.into_iter().for_each(|job| job.end(Ok(()), stamp.1)),
            Err(Failed::Lost(error)) => jobs.into_iter().for_each(|job| job.end(Err(error.again()), 0)),
            Err(Failed::Refused(..)) => return jobs,
        }
        Vec::new()
    }

    async fn write_alone(self: Arc<Self>, job: Job) {
        // Time limit for all waits of a write.
        match by(job.queued + PATIENCE, self.pool.lend()).await {
            // While the job waited for a connection the database may have become unsafe: check again, and
            // stamp it with the current time.
            Ok(lent) => match self.health.ready() {
                Ok(()) => self.write_with(&lent.line, job).await,
                Err(error) => job.end(Err(error), 0),
            },
            Err(error) => job.end(Err(error), 0),
        }
    }

    async fn write_with(&self, line: &PooledLine, job: Job) {
        let stamp = self.stamp();
        let mut pace = Pace::since(Some(job.queued));
        let end = job.queued + PATIENCE;
        let done = again!(line, end, link => carry_out(&link, &self.numbers, stamp, &job.write).await);
        pace.note("database");
        self.slow_commits.note(pace, 1);
        let outcome = match done {
            Ok(()) => Ok(()),
            Err(Failed::Refused(Fail::Wire(error), link)) => {
                in_time(async { Err(append::explain(&link, error, &job.write).await) }).await
            }
            Err(failed) => Err(failed.into()),
        };
        job.end(outcome, stamp.1);
    }
}
