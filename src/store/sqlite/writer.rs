//! The writing thread.

use std::{sync::Arc, thread::JoinHandle};

use rusqlite::Connection;

use super::{
    apply::{Pending, Transaction},
    claims,
    lock::Lock,
    log_index::{LogIndex, SharedLogIndex},
    queue::{AfterAnswers, Job, Outcome, QueuedJobs, WriterJob},
};
use crate::store::{
    LogPosition, StoreError,
    slow_commits::{Pace, SlowCommits},
};

/// Writes of one transaction, few enough for short waits.
const MOST_TOGETHER: usize = 1_024;

/// The thread. When the queue is gone, it writes the remaining jobs and ends.
pub struct Writer(Option<JoinHandle<()>>);

impl Writer {
    pub fn start(
        connection: Connection,
        lock: Lock,
        index: Arc<SharedLogIndex>,
        waiting: QueuedJobs,
        slow_commits: Arc<SlowCommits>,
    ) -> Result<Self, StoreError> {
        let desk = WriterLoop { connection, index, _lock: lock, slow_commits };
        let thread = std::thread::Builder::new().name("store-writer".to_owned());
        Ok(Self(Some(thread.spawn(move || desk.work(&waiting))?)))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let _ = thread.join();
        }
    }
}

/// The loop of the thread.
struct WriterLoop {
    connection: Connection,
    index: Arc<SharedLogIndex>,
    _lock: Lock,
    slow_commits: Arc<SlowCommits>,
}

impl WriterLoop {
    fn work(self, waiting: &QueuedJobs) {
        while let Some(jobs) = waiting.take(MOST_TOGETHER) {
            let outcomes = self.write_together(&jobs);
            let ended = jobs.into_iter().zip(outcomes).filter_map(|(job, outcome)| job.end(outcome));
            // All callers are answered before any callback runs.
            let after: Vec<AfterAnswers> = ended.collect();
            for after in after {
                after();
            }
        }
    }

    /// Writes all jobs in one transaction. A job may fail alone; if the transaction fails, all do.
    fn write_together(&self, jobs: &[Job]) -> Vec<Outcome> {
        let transacted = self.transact(jobs);
        self.index.note_write(transacted.is_ok());
        match transacted {
            Ok((outcomes, pending)) => {
                self.index.change(|index| pending.publish(index));
                outcomes
            }
            Err(error) => {
                if !self.connection.is_autocommit() {
                    let _ = self.connection.execute_batch("ROLLBACK");
                }
                jobs.iter().map(|_| Err(error.again())).collect()
            }
        }
    }

    fn transact(&self, jobs: &[Job]) -> Result<(Vec<Outcome>, Pending), StoreError> {
        let mut pace = Pace::since(jobs.iter().map(|job| job.queued).min());
        self.run("BEGIN IMMEDIATE")?;
        pace.note("lock");
        self.refuse_second_writer()?;
        let mut transaction = Transaction::new(&self.connection, &self.index, jobs.len())?;
        let mut outcomes = Vec::with_capacity(jobs.len());
        for job in jobs {
            outcomes.push(self.work_one(&job.work, &mut transaction)?);
        }
        pace.note("statements");
        self.run("COMMIT")?;
        pace.note("disk");
        self.slow_commits.note(pace, jobs.len());
        Ok((outcomes, transaction.pending))
    }

    /// The log must end where this process left it: locks can be evaded, and two writers make two histories.
    fn refuse_second_writer(&self) -> Result<(), StoreError> {
        let mut query = self.connection.prepare_cached("SELECT coalesce(max(id), 0) FROM log")?;
        let end: i64 = query.query_row([], |row| row.get(0))?;
        if end == self.index.with(LogIndex::newest) { Ok(()) } else { Err(StoreError::TwoWriters) }
    }

    /// Does one job, completely or not at all. The outer error is the transaction's.
    fn work_one(&self, work: &WriterJob, transaction: &mut Transaction) -> Result<Outcome, StoreError> {
        let alone = matches!(work, WriterJob::Write(write) if write.is_one_row());
        if !alone {
            self.run("SAVEPOINT job")?;
        }
        let mark = transaction.pending.mark();
        match self.carry_out(work, transaction) {
            Ok(()) if alone => {}
            Ok(()) => self.run("RELEASE job")?,
            // Some failures, such as a full disk, roll the whole transaction back.
            Err(error) if self.connection.is_autocommit() => return Err(error),
            Err(error) if alone => return Ok(Err(error)),
            Err(error) => {
                self.run("ROLLBACK TO job")?;
                self.run("RELEASE job")?;
                transaction.pending.undo_to(mark);
                return Ok(Err(error));
            }
        }
        Ok(Ok(LogPosition::Row(transaction.pending.last_since(mark).unwrap_or_default())))
    }

    fn carry_out(&self, work: &WriterJob, transaction: &mut Transaction) -> Result<(), StoreError> {
        let connection = &self.connection;
        match work {
            WriterJob::Write(write) => transaction.apply(write),
            WriterJob::AddSegments(segments) => {
                segments.iter().try_for_each(|segment| segment.add(connection))
            }
            WriterJob::AddClaims(claims) => claims.iter().try_for_each(|claim| claim.add(connection)),
            WriterJob::Clear { upto } => {
                connection.prepare_cached("DELETE FROM log WHERE id <= ?1")?.execute([upto])?;
                Ok(())
            }
            WriterJob::Probe => {
                // Writes the page again with the same value.
                let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
                Ok(connection.pragma_update(None, "user_version", version)?)
            }
            WriterJob::ForgetClaims { before } => {
                claims::forget(connection, *before, self.index.with(|index| index.claims.first()))
            }
        }
    }

    fn run(&self, statement: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached(statement)?.execute([])?;
        Ok(())
    }
}
