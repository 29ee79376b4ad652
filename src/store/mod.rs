//! SQLite, and nothing else of the crate knows that: players, games, seats, answers, and the log.
//!
//! All that is written goes through one thread, which takes everything that waits into one transaction and
//! answers only after its commit is on disk. Readers have connections of their own. Payloads are bytes here.

mod answers;
mod apply;
mod backup;
mod checkpoint;
mod connection;
mod entries;
mod error;
mod games;
mod lock;
mod log_index;
mod migrate;
mod players;
mod queue;
mod routine;
mod segment;
mod sweep;
mod write;
mod writer;

#[cfg(test)]
mod tests;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

pub use answers::Answer;
pub use backup::{Health, backup, check};
pub use entries::Entry;
pub use error::StoreError;
pub use games::{Control, Entropy, GameFilter, GameRow, SeatRow, Status, Visibility};
pub use log_index::Rows;
pub use players::PlayerRow;
pub use write::{Change, NewGame, NewPlayer, Write};

use connection::Readers;
use log_index::SharedLogIndex;
use queue::Queue;
use routine::Routine;
use sweep::Sweep;
use writer::Writer;

/// The number of a player inside the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlayerKey(i64);

/// The number of a game inside the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameKey(i64);

/// How a store behaves. The defaults suit a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many writes may wait. One more is refused.
    pub queue: usize,
    /// How many entries all games together may have in the log before its older half is made segments.
    pub whole_tail: usize,
    /// How many connections read.
    pub readers: usize,
    /// How long to wait for somebody else who holds the file.
    pub patience: Duration,
    /// The largest size of the file, in pages of 4 KiB.
    pub most_pages: Option<u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            queue: 8_192,
            whole_tail: 131_072,
            readers: 4,
            patience: Duration::from_secs(5),
            most_pages: None,
        }
    }
}

/// An open database.
pub struct Store {
    // Dropped in this order: whoever closes the file last leaves no write-ahead log behind if it may write, and the
    // writer ends when nobody can queue anything.
    readers: Arc<Readers>,
    _checkpoints: Routine,
    _sweeps: Routine,
    queue: Queue,
    _writer: Writer,
    index: Arc<SharedLogIndex>,
    next_player: AtomicI64,
    next_game: AtomicI64,
}

impl Store {
    /// Opens the database in this file, makes it if there is none, and brings it up to date.
    pub fn open(path: &Path, settings: &Settings) -> Result<Self, StoreError> {
        let lock = lock::take(path)?;
        connection::make(path)?;
        let mut connection = connection::for_writing(path, settings)?;
        migrate::bring_up_to_date(&mut connection)?;
        let index = Arc::new(SharedLogIndex::scan(path, settings)?);
        let next = |table: &str| -> Result<AtomicI64, StoreError> {
            let query = format!("SELECT coalesce(max(id), 0) + 1 FROM {table}");
            Ok(AtomicI64::new(connection.query_row(&query, [], |row| row.get(0))?))
        };
        let (next_player, next_game) = (next("player")?, next("game")?);
        let readers = Arc::new(Readers::new(path, settings)?);
        let checkpoints = checkpoint::start(path, settings)?;
        let (queue, waiting) = queue::queue(settings.queue);
        let writer = Writer::start(connection, lock, Arc::clone(&index), waiting)?;
        let sweep = Sweep::new(Arc::clone(&readers), queue.clone(), Arc::clone(&index), settings.whole_tail);
        let sweeps = sweep.start()?;
        Ok(Self {
            readers,
            _checkpoints: checkpoints,
            _sweeps: sweeps,
            queue,
            _writer: writer,
            index,
            next_player,
            next_game,
        })
    }

    /// A number for a player that is about to be written.
    pub fn new_player_key(&self) -> PlayerKey {
        PlayerKey(self.next_player.fetch_add(1, Ordering::Relaxed))
    }

    /// A number for a game that is about to be written.
    pub fn new_game_key(&self) -> GameKey {
        GameKey(self.next_game.fetch_add(1, Ordering::Relaxed))
    }

    /// Queues a write; it is on disk when the future is ready. Writes are carried out in the order of these calls,
    /// so whoever needs an order makes the call inside its own lock and waits outside of it.
    pub fn write(&self, write: Write) -> impl Future<Output = Result<(), StoreError>> + use<> {
        self.write_and(write, |_| {})
    }

    /// The same, and lets something be done as soon as it is on disk, whether anybody still waits for it or not: in the
    /// order of the commits, on the thread that writes, which has no time to lose. It is given the last row of the log
    /// that was written.
    pub fn write_and<F: FnOnce(i64) + Send + 'static>(
        &self,
        write: Write,
        then: F,
    ) -> impl Future<Output = Result<(), StoreError>> + use<F> {
        let queued = self.queue.put(write, Box::new(then));
        async move { queued?.await.unwrap_or(Err(StoreError::Stopped)) }
    }

    /// How many writes wait.
    pub fn waiting(&self) -> usize {
        self.queue.waiting()
    }
}
