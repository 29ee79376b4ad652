//! Connections, opened when they are needed and after they are lost.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore},
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_postgres::{Client, Row, Statement, types::ToSql};

use super::{
    failure::{Cure, cure},
    target::Target,
};
use crate::store::StoreError;

/// Time limit for an answer.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Pause before a retry.
const PAUSE: Duration = Duration::from_millis(100);
/// Prepared statements of a connection.
const PREPARED: usize = 256;

pub type Value<'v> = &'v (dyn ToSql + Sync);

/// A connection that worked a moment ago.
pub struct Link {
    client: Client,
    statements: Mutex<HashMap<String, Statement>>,
    timeline: u32,
}

impl Link {
    pub fn new(client: Client, timeline: u32) -> Self {
        Self { client, statements: Mutex::default(), timeline }
    }

    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    pub async fn prepared(&self, sql: &str) -> Result<Statement, tokio_postgres::Error> {
        let known = || self.statements.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(statement) = known().get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await?;
        let mut known = known();
        if known.len() >= PREPARED {
            known.clear();
        }
        known.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    pub async fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, tokio_postgres::Error> {
        self.client.query(&self.prepared(sql).await?, values).await
    }

    pub async fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, tokio_postgres::Error> {
        self.client.execute(&self.prepared(sql).await?, values).await
    }

    /// Runs statements without values.
    pub async fn run(&self, sql: &str) -> Result<(), tokio_postgres::Error> {
        self.client.batch_execute(sql).await
    }
}

/// Runs an idempotent task. After a lost connection it is repeated on another one, within the time limit.
macro_rules! again {
    ($line:expr, $link:ident => $work:expr) => {
        $crate::store::postgres::link::again!(
            $line,
            std::time::Instant::now() + $crate::store::postgres::link::PATIENCE,
            $link => $work
        )
    };
    ($line:expr, $end:expr, $link:ident => $work:expr) => {{
        let mut tries = $crate::store::postgres::link::Tries::until($line, $end);
        loop {
            let done = match tries.link().await {
                Ok($link) => {
                    let done = tokio::time::timeout(tries.left(), async { $work }).await;
                    tries.after($link, done).await
                }
                Err(failed) => Err(failed),
            };
            match done {
                Ok(Some(done)) => break Ok(done),
                Ok(None) => {}
                Err(failed) => break Err(failed),
            }
        }
    }};
}
pub(super) use again;

/// A slot for one connection.
pub struct PooledLine {
    target: Arc<Target>,
    link: AsyncMutex<Option<Arc<Link>>>,
}

impl PooledLine {
    pub fn new(target: &Arc<Target>) -> Self {
        Self { target: Arc::clone(target), link: AsyncMutex::default() }
    }

    /// Returns the connection, and opens another if it is lost.
    pub async fn link(&self) -> Result<Arc<Link>, StoreError> {
        let mut link = self.link.lock().await;
        let newest = self.target.timeline();
        if let Some(link) = link.as_ref().filter(|link| !link.is_closed() && link.timeline >= newest) {
            return Ok(Arc::clone(link));
        }
        let made = self.target.connect(None).await?;
        *link = Some(Arc::clone(&made));
        Ok(made)
    }

    /// Drops a lost connection.
    pub async fn drop_link(&self, lost: &Arc<Link>) {
        let mut link = self.link.lock().await;
        if link.as_ref().is_some_and(|link| Arc::ptr_eq(link, lost)) {
            *link = None;
        }
    }

    pub async fn look_for_newer(&self) {
        self.target.look_for_newer().await;
    }

    pub async fn query(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        Ok(again!(self, link => link.query(sql, values).await.map_err(Fail::Wire))?)
    }

    pub async fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        Ok(again!(self, link => link.execute(sql, values).await.map_err(Fail::Wire))?)
    }
}

/// Why a task failed.
pub enum Fail {
    Wire(tokio_postgres::Error),
    Refused(StoreError),
}

impl From<tokio_postgres::Error> for Fail {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Wire(error)
    }
}

impl From<StoreError> for Fail {
    fn from(error: StoreError) -> Self {
        Self::Refused(error)
    }
}

/// Why a task is not retried.
pub enum Failed {
    /// A retry would fail in the same way.
    Refused(Fail, Arc<Link>),
    /// The database did not answer in time.
    Lost(StoreError),
}

impl From<Failed> for StoreError {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Lost(error) | Failed::Refused(Fail::Refused(error), _) => error,
            Failed::Refused(Fail::Wire(error), _) => error.into(),
        }
    }
}

/// The attempts of one task.
pub struct Tries<'l> {
    line: &'l PooledLine,
    end: Instant,
}

impl<'l> Tries<'l> {
    pub fn until(line: &'l PooledLine, end: std::time::Instant) -> Self {
        Self { line, end: end.into() }
    }

    pub fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Waits for a connection.
    pub async fn link(&mut self) -> Result<Arc<Link>, Failed> {
        loop {
            match timeout(self.left(), self.line.link()).await {
                Ok(Ok(link)) => return Ok(link),
                Ok(Err(error)) => self.pause(error).await?,
                Err(_) => return Err(Failed::Lost(late())),
            }
        }
    }

    /// Returns the result of an attempt, or `None` to retry.
    pub async fn after<T>(
        &mut self,
        link: Arc<Link>,
        done: Result<Result<T, Fail>, tokio::time::error::Elapsed>,
    ) -> Result<Option<T>, Failed> {
        let failure = match done {
            Ok(Ok(done)) => return Ok(Some(done)),
            Ok(Err(Fail::Wire(error))) if cure(&error) != Cure::None => error.into(),
            Ok(Err(fail)) => return Err(Failed::Refused(fail, link)),
            Err(_) => late(),
        };
        // A connection that is lost or inside a transaction cannot be used again.
        self.line.drop_link(&link).await;
        self.pause(failure).await.map(|()| None)
    }

    async fn pause(&self, failure: StoreError) -> Result<(), Failed> {
        if self.left() < PAUSE {
            return Err(Failed::Lost(failure));
        }
        sleep(PAUSE).await;
        Ok(())
    }
}

/// Waits until a time.
pub async fn by<T, E: Into<StoreError>>(
    end: std::time::Instant,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, StoreError> {
    timeout_at(end.into(), work).await.map_or_else(|_| Err(late()), |done| done.map_err(Into::into))
}

/// Waits for at most the time limit of the database.
pub async fn in_time<T, E: Into<StoreError>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, StoreError> {
    timeout(PATIENCE, work).await.map_or_else(|_| Err(late()), |done| done.map_err(Into::into))
}

pub fn late() -> StoreError {
    StoreError::Unreachable("the database does not answer".to_owned())
}

/// Connections, each lent to one borrower.
pub struct Pool {
    lines: Mutex<Vec<Arc<PooledLine>>>,
    room: Arc<Semaphore>,
}

pub struct Lent {
    pub line: Arc<PooledLine>,
    pool: Arc<Pool>,
    _room: OwnedSemaphorePermit,
}

impl Pool {
    pub fn new(target: &Arc<Target>, size: usize) -> Arc<Self> {
        let lines = (0..size).map(|_| Arc::new(PooledLine::new(target))).collect();
        Arc::new(Self { lines: Mutex::new(lines), room: Arc::new(Semaphore::new(size)) })
    }

    pub async fn lend(self: &Arc<Self>) -> Result<Lent, StoreError> {
        let room = Arc::clone(&self.room).acquire_owned().await.map_err(|_| StoreError::Stopped)?;
        let line = self.lines.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let line = line.ok_or(StoreError::Stopped)?;
        Ok(Lent { line, pool: Arc::clone(self), _room: room })
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.pool.lines.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&self.line));
    }
}
