//! The store in one SQLite file.
//!
//! One thread writes. It takes all waiting writes into one transaction and answers after the commit is on
//! disk. Readers have their own connections; large reads run outside the caller's thread.

mod accounts;
mod apply;
mod apps;
mod aside;
mod backup;
mod checkpoint;
mod claim_index;
mod claims;
mod columns;
mod compaction;
mod connection;
mod database;
mod entries;
mod explorations;
mod export;
mod failure;
mod files;
mod games;
mod hooks;
mod inspection;
mod lock;
mod log_index;
mod migrate;
mod players;
mod queue;
mod segment;
mod signing_keys;
mod small;
mod space;
mod substitutions;
mod talk;
mod tree;
mod witness;
mod worker;
mod writer;

#[cfg(test)]
mod tests;

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, atomic::AtomicI64},
    time::Duration,
};

pub use backup::{Examination, backup, check};
pub use export::Export;
pub use files::{leftover, remove, rename};
pub use inspection::Inspection;
pub use witness::{SeenRow, WitnessFile};

use tokio::sync::Semaphore;

use super::{StoreError, slow_commits::SlowCommits};
use crate::clock_cache::ClockCache;
use compaction::Compaction;
use connection::Readers;
use log_index::SharedLogIndex;
use queue::Queue;
use worker::Worker;
use writer::Writer;

/// Tickets that are kept.
const TICKETS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();

/// Settings of a store. The defaults suit a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Most waiting writes. Others are refused.
    pub queue: usize,
    /// Entries in the log table before the older half is moved into segments.
    pub log_rows: usize,
    /// Concurrent reading connections: one per processor, and some for waits on the disk.
    pub readers: usize,
    /// How long to wait for another process that holds the file.
    pub lock_timeout: Duration,
    /// Largest size of the file, in pages of 4 KiB.
    pub max_pages: Option<u32>,
    /// Memory for pages of the file, in KiB: half for the writer, half for the readers together.
    pub cache_kib: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            queue: 8_192,
            log_rows: 131_072,
            readers: std::thread::available_parallelism().map_or(1, usize::from) + 3,
            lock_timeout: Duration::from_secs(5),
            max_pages: None,
            cache_kib: 128 << 10,
        }
    }
}

/// The token of a ticket, and the end of the ticket.
type Tickets = ClockCache<[u8; 32], ([u8; 32], u64)>;

/// An open database.
pub struct Sqlite {
    // Dropped in this order: the last connection to close removes the write-ahead log only if it may write,
    // and the writer ends when its queue is gone.
    reads: Reads,
    _checkpoints: Worker,
    _sweeps: Worker,
    queue: Queue,
    _writer: Writer,
    next_player: AtomicI64,
    next_game: AtomicI64,
    next_message: AtomicI64,
    next_hook: AtomicI64,
    /// Valid for a minute, so kept in memory only.
    tickets: Mutex<Tickets>,
    path: PathBuf,
    slow_commits: Arc<SlowCommits>,
    /// The version of the schema before this start and after.
    pub versions: (u32, u32),
}

/// Connections and indexes for reading.
#[derive(Clone)]
struct Reads {
    readers: Arc<Readers>,
    index: Arc<SharedLogIndex>,
    /// A permit for each reader, so that no read needs another thread.
    room: Arc<Semaphore>,
}

impl Reads {
    fn new(path: &Path, settings: &Settings, index: Arc<SharedLogIndex>) -> Result<Self, StoreError> {
        let room = Arc::new(Semaphore::new(settings.readers));
        Ok(Self { readers: Arc::new(Readers::new(path, settings)?), index, room })
    }
}

impl Sqlite {
    /// Opens or creates the database, and brings its schema up to date.
    pub fn open(path: &Path, settings: &Settings) -> Result<Self, StoreError> {
        connection::make(path)?;
        let path = &lock::true_name(path)?;
        let lock = lock::take(path)?;
        connection::close_to_others(path)?;
        let mut connection = connection::for_writing(path, settings)?;
        let versions = migrate::bring_up_to_date(&mut connection)?;
        let index = Arc::new(SharedLogIndex::scan(path, settings)?);
        index.announce_answer(claims::newest_answer(&connection)?);
        let next = |table: &str| -> Result<AtomicI64, StoreError> {
            let query = format!("SELECT coalesce(max(id), 0) + 1 FROM {table}");
            Ok(AtomicI64::new(connection.query_row(&query, [], |row| row.get(0))?))
        };
        let (next_player, next_game) = (next("player")?, next("game")?);
        let (next_message, next_hook) = (next("message")?, next("hook")?);
        let reads = Reads::new(path, settings, Arc::clone(&index))?;
        let checkpoints = checkpoint::start(path, settings)?;
        let (queue, waiting) = queue::queue(settings.queue);
        let slow_commits = Arc::<SlowCommits>::default();
        let writer = Writer::start(connection, lock, index, waiting, Arc::clone(&slow_commits))?;
        let sweeps = Compaction::new(reads.clone(), queue.clone(), settings.log_rows).start()?;
        Ok(Self {
            reads,
            _checkpoints: checkpoints,
            _sweeps: sweeps,
            queue,
            _writer: writer,
            next_player,
            next_game,
            next_message,
            next_hook,
            tickets: Mutex::new(ClockCache::new(TICKETS)),
            path: path.clone(),
            slow_commits,
            versions,
        })
    }
}
