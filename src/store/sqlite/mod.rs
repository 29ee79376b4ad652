//! The store in one SQLite file.
//!
//! All that is written goes through one thread, which takes everything that waits into one transaction and answers only
//! after its commit is on disk. Readers have connections of their own; what may read much does so off the caller's thread.

mod accounts;
mod apply;
mod aside;
mod backup;
mod checkpoint;
mod claim_index;
mod claims;
mod columns;
mod connection;
mod entries;
mod explorations;
mod export;
mod failure;
mod files;
mod games;
mod hooks;
mod inspection;
mod keep;
mod lock;
mod log_index;
mod migrate;
mod players;
mod queue;
mod routine;
mod segment;
mod signing_keys;
mod space;
mod substitutions;
mod sweep;
mod talk;
mod tree;
mod witness;
mod writer;

#[cfg(test)]
mod tests;

use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, atomic::AtomicI64},
    time::Duration,
};

pub use backup::{Health, backup, check};
pub use export::Export;
pub use files::{leftover, remove, rename};
pub use inspection::Inspection;
pub use witness::{SeenRow, WitnessFile};

use lru::LruCache;
use tokio::sync::Semaphore;

use super::{StoreError, slow_commits::SlowCommits};
use connection::Readers;
use log_index::SharedLogIndex;
use queue::Queue;
use routine::Routine;
use sweep::Sweep;
use writer::Writer;

/// How many tickets are known at a time.
const TICKETS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();

/// How a store behaves. The defaults suit a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many writes may wait. One more is refused.
    pub queue: usize,
    /// How many entries all games together may have in the log before its older half is made segments.
    pub log_rows: usize,
    /// How many connections read at once: for each processor one, and some more that wait for the disk.
    pub readers: usize,
    /// How long to wait for somebody else who holds the file.
    pub lock_timeout: Duration,
    /// The largest size of the file, in pages of 4 KiB.
    pub max_pages: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            queue: 8_192,
            log_rows: 131_072,
            readers: std::thread::available_parallelism().map_or(1, usize::from) + 3,
            lock_timeout: Duration::from_secs(5),
            max_pages: None,
        }
    }
}

/// For which token a ticket stands, and until when.
type Tickets = LruCache<[u8; 32], ([u8; 32], u64)>;

/// An open database.
pub struct Sqlite {
    // Dropped in this order: the last one to close the file leaves no write-ahead log behind if it may write, and the
    // writer ends when nobody can queue anything.
    reads: Reads,
    _checkpoints: Routine,
    _sweeps: Routine,
    queue: Queue,
    _writer: Writer,
    next_player: AtomicI64,
    next_game: AtomicI64,
    next_message: AtomicI64,
    next_hook: AtomicI64,
    /// They are good for a minute, and need not outlive the process.
    tickets: Mutex<Tickets>,
    path: PathBuf,
    slow_commits: Arc<SlowCommits>,
    /// The version of the schema before this start and after.
    pub versions: (u32, u32),
}

/// All that reading needs.
#[derive(Clone)]
struct Reads {
    readers: Arc<Readers>,
    index: Arc<SharedLogIndex>,
    /// One place for each reader: whoever would need one more thread and connection waits.
    room: Arc<Semaphore>,
}

impl Reads {
    fn new(path: &Path, settings: &Settings, index: Arc<SharedLogIndex>) -> Result<Self, StoreError> {
        let room = Arc::new(Semaphore::new(settings.readers));
        Ok(Self { readers: Arc::new(Readers::new(path, settings)?), index, room })
    }
}

impl Sqlite {
    /// Opens the database in this file, makes it if there is none, and brings it up to date.
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
        let sweeps = Sweep::new(reads.clone(), queue.clone(), settings.log_rows).start()?;
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
            tickets: Mutex::new(LruCache::new(TICKETS)),
            path: path.clone(),
            slow_commits,
            versions,
        })
    }
}
