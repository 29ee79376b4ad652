//! What waits to be written.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
    mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
};

use tokio::sync::oneshot;

use super::{StoreError, Write};

pub type Outcome = Result<(), StoreError>;

/// What is done when a write is on disk. It gets the last row of the log that was written.
pub type Then = Box<dyn FnOnce(i64) + Send>;

pub struct Job {
    pub write: Write,
    pub then: Then,
    pub reply: oneshot::Sender<Outcome>,
}

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

/// A queue for so many writes.
pub fn queue(room: usize) -> (Queue, Waiting) {
    let (sender, jobs) = sync_channel(room);
    let waiting = Arc::new(AtomicUsize::new(0));
    (Queue { jobs: sender, waiting: Arc::clone(&waiting) }, Waiting { jobs, waiting })
}

impl Queue {
    /// Puts a write at the end, or says that there is no room.
    pub fn put(&self, write: Write, then: Then) -> Result<oneshot::Receiver<Outcome>, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.waiting.fetch_add(1, Ordering::Relaxed);
        match self.jobs.try_send(Job { write, then, reply }) {
            Ok(()) => Ok(answer),
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

impl Waiting {
    /// Waits until there is a write, and takes all that wait by then, but no more than so many. Nothing if nobody can put
    /// one any more.
    pub fn take(&self, most: usize) -> Option<Vec<Job>> {
        let first = self.jobs.recv().ok()?;
        // Whoever is about to put a write gets the chance to come along: a commit costs the same for many.
        std::thread::yield_now();
        let mut jobs = vec![first];
        jobs.extend(self.jobs.try_iter().take(most - 1));
        self.waiting.fetch_sub(jobs.len(), Ordering::Relaxed);
        Some(jobs)
    }
}
