//! The store in a PostgreSQL database, shared by several servers.
//!
//! No server owns a game: the one that inserts `(game, seq)` first has moved, and the others find out. A
//! server asks what is new before it uses a game in memory. Messages between servers may be lost.

mod accounts;
mod append;
mod apply;
mod apps;
mod batcher;
mod bells;
mod claims;
mod columns;
mod database;
mod entries;
mod explorations;
mod failure;
mod games;
mod health;
mod hooks;
mod import;
mod inspection;
mod leader;
mod link;
mod migrate;
mod number;
mod peers;
mod players;
mod settings;
mod signing_keys;
mod small;
mod substitutions;
mod talk;
mod target;
mod transaction;
mod tree;

mod writer;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    thread::JoinHandle,
};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_postgres::Row;
use uuid::Uuid;

pub use settings::{Bells, Settings};

use crate::store::{CachedVersion, PeerEvent, StoreError, slow_commits::SlowCommits};
use batcher::Batcher;
use bells::Circle;
use claims::AskClaim;
use columns::{Column, get};
use health::HealthWatch;
use link::{Pool, PooledLine, Value};
use number::Numbers;
use players::AskToken;
use target::Target;
use writer::{Queue, WriterLoop};

/// A shared database.
pub struct Postgres {
    /// Id of this process among the servers.
    node: Uuid,
    target: Arc<Target>,
    readers: Vec<PooledLine>,
    next_reader: AtomicUsize,
    pool: Arc<Pool>,
    numbers: Arc<Numbers>,
    health: Arc<HealthWatch>,
    news: Batcher<CachedVersion>,
    tokens: Batcher<AskToken>,
    claims: Batcher<AskClaim>,
    ring: UnboundedSender<String>,
    bells: Mutex<Option<UnboundedReceiver<PeerEvent>>>,
    /// Newest hook revision that was seen.
    hooks_changed: AtomicI64,
    slow_commits: Arc<SlowCommits>,
    /// The version of the schema before this start and after.
    pub versions: (u32, u32),
    // Dropped in this order: the thread ends when the queue is gone and all jobs are settled.
    queue: Option<Queue>,
    thread: Option<JoinHandle<()>>,
}

impl Postgres {
    /// Brings the schema up to date, and returns its version before and after.
    pub async fn migrate(settings: &Settings) -> Result<(u32, u32), StoreError> {
        let runtime = tokio::runtime::Handle::current();
        let target = Target::new(settings.route()?, runtime);
        migrate::bring_up_to_date(&*target.connect(None).await?).await
    }

    /// Connects, brings the schema up to date, and checks that the database accepts writes.
    pub async fn connect(settings: &Settings) -> Result<Self, StoreError> {
        let store = Self::connect_to_import(settings).await?;
        if store.is("SELECT moving FROM ledger", &[]).await? {
            return Err(StoreError::Half);
        }
        Ok(store)
    }

    /// Connects to a database that no server uses yet.
    pub async fn connect_to_import(settings: &Settings) -> Result<Self, StoreError> {
        // A wrong address is refused before there is a runtime, which could not be dropped here.
        let route = settings.route()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let target = Target::new(route, runtime.handle().clone());
        let (queue, jobs) = writer::queue(settings.queue);
        let (tell_desk, desk) = unbounded_channel::<Arc<WriterLoop>>();
        let writing = PooledLine::new(&target);
        let thread = std::thread::Builder::new().name("store-postgres".to_owned()).spawn(move || {
            runtime.block_on(async move {
                let mut desk = desk;
                if let Some(desk) = desk.recv().await {
                    desk.work(jobs, writing).await;
                }
            });
        })?;
        let link = target.connect(None).await?;
        let versions = migrate::bring_up_to_date(&link).await?;
        let ledger = link.query("SELECT id FROM ledger", &[]).await?.pop().ok_or(StoreError::Foreign)?;
        let (node, ledger) = (crate::id::fresh(), get::<Uuid>(&ledger, 0)?);
        let health = HealthWatch::new(node, settings.standbys);
        let minding = PooledLine::new(&target);
        health.look(&minding).await?;
        target.runtime.spawn(Arc::clone(&health).watch(minding));
        let circle = Circle {
            channel: format!("playledger_{}", ledger.simple()),
            node,
            is_polling: settings.bells == Bells::Poll,
        };
        let (pool, numbers) = (Pool::new(&target, settings.writers), Arc::new(Numbers::default()));
        let slow_commits = Arc::<SlowCommits>::default();
        let desk = WriterLoop {
            pool: Arc::clone(&pool),
            numbers: Arc::clone(&numbers),
            health: Arc::clone(&health),
            slow_commits: Arc::clone(&slow_commits),
        };
        let _ = tell_desk.send(Arc::new(desk));
        let line = || Arc::new(PooledLine::new(&target));
        Ok(Self {
            node,
            readers: (0..settings.readers.max(1)).map(|_| PooledLine::new(&target)).collect(),
            next_reader: AtomicUsize::new(0),
            pool,
            numbers,
            health,
            news: Batcher::start(&target.runtime, line()),
            tokens: Batcher::start(&target.runtime, line()),
            claims: Batcher::start(&target.runtime, line()),
            ring: bells::ringer(&target, circle.clone()),
            bells: Mutex::new(Some(bells::ear(&target, circle))),
            hooks_changed: AtomicI64::new(0),
            slow_commits,
            versions,
            queue: Some(queue),
            thread: Some(thread),
            target,
        })
    }

    /// Returns why nothing can be written.
    pub fn complaint(&self) -> Option<String> {
        self.health.ready().err().map(|error| error.to_string())
    }

    /// Returns the address of the database that is used.
    pub fn host(&self) -> Option<String> {
        self.health.host()
    }

    /// Returns the number of machines with a copy of an acknowledged write.
    pub fn copies(&self) -> u32 {
        self.health.copies()
    }

    /// Returns the time of the database.
    fn at(&self) -> i64 {
        self.health.at()
    }

    fn reader(&self) -> &PooledLine {
        let next = self.next_reader.fetch_add(1, Ordering::Relaxed);
        &self.readers[next % self.readers.len()]
    }

    fn note_hooks(&self, changed: i64) {
        self.hooks_changed.fetch_max(changed, Ordering::Relaxed);
    }

    async fn rows(&self, query: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        self.reader().query(query, values).await
    }

    /// Returns all rows of a query.
    async fn all<T>(
        &self,
        query: &str,
        values: &[Value<'_>],
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.rows(query, values).await?.iter().map(read).collect()
    }

    async fn one<T>(
        &self,
        query: &str,
        values: &[Value<'_>],
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.rows(query, values).await?.first().map(read).transpose()
    }

    /// Returns the only row of a query with a text parameter.
    async fn by_text<T>(
        &self,
        query: &str,
        text: &str,
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        // PostgreSQL rejects this character in texts and parameters.
        if text.contains('\0') { Ok(None) } else { self.one(query, &[&text], read).await }
    }

    async fn value<T: Column>(&self, query: &str, values: &[Value<'_>]) -> Result<T, StoreError> {
        let found = self.one(query, values, |row| get(row, 0)).await?;
        found.ok_or_else(|| StoreError::Corrupt("a query that finds something has found nothing".into()))
    }

    async fn count(&self, query: &str, values: &[Value<'_>]) -> Result<u32, StoreError> {
        self.value(query, values).await
    }

    async fn is(&self, query: &str, values: &[Value<'_>]) -> Result<bool, StoreError> {
        self.value(query, values).await
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
