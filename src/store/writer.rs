//! The one thread that writes.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel},
    },
    thread::JoinHandle,
    time::Duration,
};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::{
    Settings, StoreError, Write,
    apply::{Pending, apply},
    connection,
    lock::Lock,
    sweep::{Sweep, Swept},
    tail::SharedTails,
};

type Outcome = Result<(), StoreError>;

/// No transaction takes more writes than this, so that none of them waits without end.
const MOST_TOGETHER: usize = 1_024;
const CHECKPOINT_PAUSE: Duration = Duration::from_millis(20);

/// What is done when a write is on disk. It gets the last row of the log that was written.
pub type Then = Box<dyn FnOnce(i64) + Send>;

struct Job {
    write: Write,
    then: Then,
    reply: oneshot::Sender<Outcome>,
}

/// The way to the thread.
pub struct Writer {
    jobs: Option<SyncSender<Job>>,
    waiting: Arc<AtomicUsize>,
    threads: Vec<JoinHandle<()>>,
    stop_checkpoints: Option<Sender<()>>,
}

impl Writer {
    pub fn start(
        connection: Connection,
        lock: Lock,
        path: &Path,
        tails: Arc<SharedTails>,
        settings: &Settings,
    ) -> Result<Self, StoreError> {
        let (jobs, queue) = sync_channel(settings.queue);
        let waiting = Arc::new(AtomicUsize::new(0));
        let desk = Desk {
            connection,
            tails,
            waiting: Arc::clone(&waiting),
            sweep: Sweep::default(),
            whole_tail: settings.whole_tail,
            _lock: lock,
        };
        let checkpoints = connection::for_writing(path, &Settings { most_pages: None, ..settings.clone() })?;
        let (stop_checkpoints, stopped) = channel();
        let threads = vec![
            spawn("store-writer", move || desk.work(&queue))?,
            spawn("store-checkpoints", move || checkpoint(&checkpoints, &stopped))?,
        ];
        Ok(Self { jobs: Some(jobs), waiting, threads, stop_checkpoints: Some(stop_checkpoints) })
    }

    /// Puts a write at the end of the queue, or says that there is no room.
    pub fn queue(&self, write: Write, then: Then) -> Result<oneshot::Receiver<Outcome>, StoreError> {
        let (reply, answer) = oneshot::channel();
        let jobs = self.jobs.as_ref().ok_or(StoreError::Stopped)?;
        self.waiting.fetch_add(1, Ordering::Relaxed);
        match jobs.try_send(Job { write, then, reply }) {
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

impl Drop for Writer {
    /// What is queued is still written.
    fn drop(&mut self) {
        drop(self.jobs.take());
        drop(self.stop_checkpoints.take());
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
    Ok(std::thread::Builder::new().name(name.to_owned()).spawn(work)?)
}

/// Moves what is committed from the write-ahead log into the file, little by little, so that no commit has to.
/// Whatever goes wrong here is met again, and told, by the writer.
fn checkpoint(connection: &Connection, stopped: &Receiver<()>) {
    while stopped.recv_timeout(CHECKPOINT_PAUSE) == Err(RecvTimeoutError::Timeout) {
        let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }
}

/// Where the thread works.
struct Desk {
    connection: Connection,
    tails: Arc<SharedTails>,
    waiting: Arc<AtomicUsize>,
    sweep: Sweep,
    whole_tail: usize,
    _lock: Lock,
}

impl Desk {
    fn work(mut self, queue: &Receiver<Job>) {
        while let Ok(first) = queue.recv() {
            // Whoever is about to queue a write gets the chance to come along: a commit costs the same for many.
            std::thread::yield_now();
            let mut jobs = vec![first];
            jobs.extend(queue.try_iter().take(MOST_TOGETHER - 1));
            self.waiting.fetch_sub(jobs.len(), Ordering::Relaxed);
            let outcomes = self.write_together(&jobs);
            for (job, outcome) in jobs.into_iter().zip(outcomes) {
                if outcome.is_ok() {
                    (job.then)(self.last_row(&job.write));
                }
                // Whoever asked may have gone away; the write stands all the same.
                let _ = job.reply.send(outcome);
            }
        }
    }

    /// The row of the last entry of a write that has just been committed.
    fn last_row(&self, write: &Write) -> i64 {
        let row =
            write.last_entry().and_then(|(game, seq)| self.tails.with(|tails| tails.get(game)?.of(seq)));
        row.unwrap_or_default()
    }

    /// Writes all jobs in one transaction; each alone may fail, and all do if the transaction does.
    fn write_together(&mut self, jobs: &[Job]) -> Vec<Outcome> {
        let mut pending = Pending::default();
        match self.transact(jobs, &mut pending) {
            Ok((outcomes, swept)) => {
                self.tails.change(|tails| {
                    pending.publish(tails);
                    swept.publish(tails);
                });
                outcomes
            }
            Err(error) => {
                self.sweep = Sweep::default();
                if !self.connection.is_autocommit() {
                    let _ = self.connection.execute_batch("ROLLBACK");
                }
                jobs.iter().map(|_| Err(error.again())).collect()
            }
        }
    }

    fn transact(&mut self, jobs: &[Job], pending: &mut Pending) -> Result<(Vec<Outcome>, Swept), StoreError> {
        self.run("BEGIN IMMEDIATE")?;
        let mut outcomes = Vec::with_capacity(jobs.len());
        for job in jobs {
            outcomes.push(self.write_one(&job.write, pending)?);
        }
        let swept = self.sweep(pending.mark())?;
        self.run("COMMIT")?;
        Ok((outcomes, swept))
    }

    /// Writes one job, whole or not at all. The outer error is that of the whole transaction.
    fn write_one(&self, write: &Write, pending: &mut Pending) -> Result<Outcome, StoreError> {
        if write.is_one_row() {
            return match apply(&self.connection, &self.tails, pending, write) {
                Err(error) if self.connection.is_autocommit() => Err(error),
                outcome => Ok(outcome),
            };
        }
        self.run("SAVEPOINT job")?;
        let mark = pending.mark();
        match apply(&self.connection, &self.tails, pending, write) {
            Ok(()) => self.run("RELEASE job")?,
            // Some failures, a full disk among them, take the whole transaction back.
            Err(error) if self.connection.is_autocommit() => return Err(error),
            Err(error) => {
                self.run("ROLLBACK TO job")?;
                self.run("RELEASE job")?;
                pending.undo_to(mark);
                return Ok(Err(error));
            }
        }
        Ok(Ok(()))
    }

    /// Shortens the log a little. What stands in its way is met again at the next transaction, and keeps nobody from
    /// writing.
    fn sweep(&mut self, written: usize) -> Result<Swept, StoreError> {
        self.run("SAVEPOINT sweep")?;
        let swept = match self.sweep.step(&self.connection, &self.tails, self.whole_tail, written) {
            Ok(swept) => swept,
            Err(error) if self.connection.is_autocommit() => return Err(error),
            Err(_) => {
                self.sweep = Sweep::default();
                self.run("ROLLBACK TO sweep")?;
                Swept::default()
            }
        };
        self.run("RELEASE sweep")?;
        Ok(swept)
    }

    fn run(&self, statement: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached(statement)?.execute([])?;
        Ok(())
    }
}
