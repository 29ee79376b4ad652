//! Connections: made when they are needed, and made again when they are lost.

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

/// No answer is waited for longer than this, however it is lost.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// After a failure the next try waits so long.
const PAUSE: Duration = Duration::from_millis(100);
/// Statements that a connection keeps prepared.
const PREPARED: usize = 256;

pub type Value<'v> = &'v (dyn ToSql + Sync);

/// A connection that works, or did a moment ago.
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

    /// Statements without values.
    pub async fn run(&self, sql: &str) -> Result<(), tokio_postgres::Error> {
        self.client.batch_execute(sql).await
    }
}

/// Does on a connection what may be done twice, and on another one if that is lost, as long as there is time.
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

/// A place for one connection.
pub struct Line {
    target: Arc<Target>,
    link: AsyncMutex<Option<Arc<Link>>>,
}

impl Line {
    pub fn new(target: &Arc<Target>) -> Self {
        Self { target: Arc::clone(target), link: AsyncMutex::default() }
    }

    /// The connection, made anew if it is lost.
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

    /// This connection is of no use any more.
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

/// Why something was not done.
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

/// Why something is not tried any more.
pub enum Failed {
    /// It will not be otherwise the next time.
    Refused(Fail, Arc<Link>),
    /// Nobody answers, or too late.
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

/// The tries of one piece of work.
pub struct Tries<'l> {
    line: &'l Line,
    end: Instant,
}

impl<'l> Tries<'l> {
    pub fn until(line: &'l Line, end: std::time::Instant) -> Self {
        Self { line, end: end.into() }
    }

    pub fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// A connection, as soon as there is one.
    pub async fn link(&mut self) -> Result<Arc<Link>, Failed> {
        loop {
            match timeout(self.left(), self.line.link()).await {
                Ok(Ok(link)) => return Ok(link),
                Ok(Err(error)) => self.pause(error).await?,
                Err(_) => return Err(Failed::Lost(late())),
            }
        }
    }

    /// What was done; nothing, if it is to be tried again.
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
        // A connection that is lost, or in the middle of something, is of no use any more.
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

/// Waits for something until a time.
pub async fn by<T, E: Into<StoreError>>(
    end: std::time::Instant,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, StoreError> {
    timeout_at(end.into(), work).await.map_or_else(|_| Err(late()), |done| done.map_err(Into::into))
}

/// Waits for something no longer than for the database at all.
pub async fn in_time<T, E: Into<StoreError>>(
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, StoreError> {
    timeout(PATIENCE, work).await.map_or_else(|_| Err(late()), |done| done.map_err(Into::into))
}

pub fn late() -> StoreError {
    StoreError::Unreachable("the database does not answer".to_owned())
}

/// Connections that are lent to one borrower each.
pub struct Pool {
    lines: Mutex<Vec<Arc<Line>>>,
    room: Arc<Semaphore>,
}

pub struct Lent {
    pub line: Arc<Line>,
    pool: Arc<Pool>,
    _room: OwnedSemaphorePermit,
}

impl Pool {
    pub fn new(target: &Arc<Target>, size: usize) -> Arc<Self> {
        let lines = (0..size).map(|_| Arc::new(Line::new(target))).collect();
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
