//! What waits to be written.

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
use crate::store::{OnCommit, Place, StoreError, Write};

/// Where the last entry of a write stands, or why nothing was written.
pub type Outcome = Result<Place, StoreError>;

/// What the writer can be asked for.
pub enum Work {
    Write(Write),
    /// What a sweep has gathered.
    AddSegments(Vec<NewSegment>),
    /// What a sweep has met on its way.
    AddClaims(Vec<SweptClaim>),
    /// Deletes the rows of the log up to this one. Refused unless they are all in segments.
    Clear {
        upto: i64,
    },
    /// Writes nothing of use, to see whether anything can be written.
    Probe,
    /// Forgets some of what came under idempotency keys before this time.
    ForgetClaims {
        before: u64,
    },
}

pub struct Job {
    pub work: Work,
    on_commit: OnCommit,
    reply: oneshot::Sender<Done>,
    /// When the caller queued it.
    pub queued: Instant,
}

/// Runs once the callers have their answers.
pub type After = Box<dyn FnOnce()>;

/// What was done goes back to who asked for it: memory is cheapest given back by the thread that took it.
struct Done {
    outcome: Result<(), StoreError>,
    _work: Work,
}

/// The outcome of what was put into the queue, when there is one.
pub struct Awaited(oneshot::Receiver<Done>);

/// The end at which writes are put.
#[derive(Clone)]
pub struct Queue {
    jobs: SyncSender<Job>,
    waiting: Arc<AtomicUsize>,
}

/// The end at which they are taken, as many as there are.
pub struct Waiting {
    jobs: Receiver<Job>,
    waiting: Arc<AtomicUsize>,
}

/// A queue with room for this many writes.
pub fn queue(room: usize) -> (Queue, Waiting) {
    let (sender, jobs) = sync_channel(room);
    let waiting = Arc::new(AtomicUsize::new(0));
    (Queue { jobs: sender, waiting: Arc::clone(&waiting) }, Waiting { jobs, waiting })
}

impl Queue {
    /// Puts a write at the end, or says that there is no room.
    pub fn put(&self, work: Work, on_commit: OnCommit) -> Result<Awaited, StoreError> {
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
    /// Gives the caller its answer, and returns what runs after that.
    pub fn end(self, outcome: Outcome) -> Option<After> {
        let Self { work, on_commit, reply, .. } = self;
        // The caller may have gone; what is written stays.
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

impl Waiting {
    /// Blocks for one job, then takes along those that wait, up to `most` in all. `None` when all senders are
    /// gone.
    pub fn take(&self, most: usize) -> Option<Vec<Job>> {
        let first = self.jobs.recv().ok()?;
        // A thread that is about to put a write may come along: a commit costs the same for many.
        std::thread::yield_now();
        let mut jobs = vec![first];
        jobs.extend(self.jobs.try_iter().take(most - 1));
        self.waiting.fetch_sub(jobs.len(), Ordering::Relaxed);
        Some(jobs)
    }
}
