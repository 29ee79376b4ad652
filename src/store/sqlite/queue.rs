//! The queue of the writer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    },
    time::Instant,
};

use tokio::sync::oneshot;

use super::{claims::SweptClaim, segment::NewSegment};
use crate::store::{LogPosition, OnCommit, StoreError, Write};

/// Position of the last entry of a write, or why it failed.
pub type Outcome = Result<LogPosition, StoreError>;

/// A job for the writer.
pub enum WriterJob {
    Write(Write),
    /// Segments of a compaction.
    AddSegments(Vec<NewSegment>),
    /// Claims of a compaction.
    AddClaims(Vec<SweptClaim>),
    /// Deletes rows of the log. Fails unless all of them are in segments.
    Clear {
        upto: i64,
    },
    /// Tests whether a write works.
    Probe,
    /// Deletes some idempotency keys that are older than a time.
    ForgetClaims {
        before: u64,
    },
}

pub struct Job {
    pub work: WriterJob,
    on_commit: OnCommit,
    reply: oneshot::Sender<Done>,
    /// When the job was queued.
    pub queued: Instant,
}

/// Runs after the callers have their answers.
pub type AfterAnswers = Box<dyn FnOnce()>;

/// A finished job, returned to its caller: freeing memory is cheapest on the thread that allocated it.
struct Done {
    outcome: Result<(), StoreError>,
    _work: WriterJob,
}

/// The future outcome of a job.
pub struct Awaited(oneshot::Receiver<Done>);

/// The sending end of the queue.
#[derive(Clone)]
pub struct Queue {
    jobs: SyncSender<Job>,
    waiting: Arc<AtomicUsize>,
}

/// The receiving end of the queue.
pub struct QueuedJobs {
    jobs: Receiver<Job>,
    waiting: Arc<AtomicUsize>,
}

/// Makes a queue with room for this many jobs.
pub fn queue(room: usize) -> (Queue, QueuedJobs) {
    let (sender, jobs) = sync_channel(room);
    let waiting = Arc::new(AtomicUsize::new(0));
    (Queue { jobs: sender, waiting: Arc::clone(&waiting) }, QueuedJobs { jobs, waiting })
}

impl Queue {
    /// Queues a job. Fails if the queue is full.
    pub fn put(&self, work: WriterJob, on_commit: OnCommit) -> Result<Awaited, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.waiting.fetch_add(1, Ordering::Relaxed);
        match self.jobs.try_send(Job { work, on_commit, reply, queued: Instant::now() }) {
            Ok(()) => Ok(Awaited(answer)),
            Err(refused) => {
                self.waiting.fetch_sub(1, Ordering::Relaxed);
                Err(match refused {
                    TrySendError::Full(_) => StoreError::Busy,
                    TrySendError::Disconnected(_) => StoreError::Stopped,
                })
            }
        }
    }

    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

impl Job {
    /// Answers the caller, and returns the callback that runs afterwards.
    pub fn end(self, outcome: Outcome) -> Option<AfterAnswers> {
        let Self { work, on_commit, reply, .. } = self;
        // The caller may have gone; the write stays.
        let answer = |outcome| drop(reply.send(Done { outcome, _work: work }));
        match outcome {
            Ok(place) => {
                let after = on_commit.run(|| answer(Ok(())));
                Some(Box::new(move || after(place)))
            }
            Err(error) => {
                answer(Err(error));
                None
            }
        }
    }
}

impl Awaited {
    pub async fn outcome(self) -> Result<(), StoreError> {
        self.0.await.map_or(Err(StoreError::Stopped), |done| done.outcome)
    }

    pub fn blocking_outcome(self) -> Result<(), StoreError> {
        self.0.blocking_recv().map_or(Err(StoreError::Stopped), |done| done.outcome)
    }
}

impl QueuedJobs {
    /// Waits for a job, and takes up to `most` that are queued. Returns `None` when all senders are gone.
    pub fn take(&self, most: usize) -> Option<Vec<Job>> {
        let first = self.jobs.recv().ok()?;
        // Lets other threads queue their writes: a commit costs the same for many.
        std::thread::yield_now();
        let mut jobs = vec![first];
        jobs.extend(self.jobs.try_iter().take(most - 1));
        self.waiting.fetch_sub(jobs.len(), Ordering::Relaxed);
        Some(jobs)
    }
}
