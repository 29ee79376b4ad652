//! A store in a folder of its own.

use std::path::PathBuf;

use rusqlite::Connection;
use tempfile::TempDir;

use crate::store::{
    Change, Entry, GameKey, Listed, PlayerKey, StoreError, Write,
    sqlite::{Settings, Sqlite, compaction::Compaction},
    testing::{append_of, entry, new_game, new_player},
    traits::{AccountStore as _, Database as _, GameStore as _},
};

pub struct Fixture {
    pub store: Sqlite,
    pub folder: TempDir,
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(&Settings::default())
    }

    pub fn with(settings: &Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Sqlite::open(&folder.path().join("games.db"), settings).unwrap();
        Self { store, folder }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("games.db")
    }

    pub fn reopened(self, settings: &Settings) -> Self {
        let path = self.path();
        let Self { store, folder } = self;
        drop(store);
        Self { store: Sqlite::open(&path, settings).unwrap(), folder }
    }

    /// Returns a compaction that the test advances, with a short limit of the log.
    pub fn sweep(&self) -> Compaction {
        sweep_of(&self.store, 40)
    }

    /// Compacts until the log has at most this number of rows.
    pub fn sweep_down_to(&self, rows: i64, sweep: &mut Compaction) {
        while self.rows_in_log() > rows {
            sweep.step().unwrap();
        }
    }

    pub fn rows_in_log(&self) -> i64 {
        let raw = Connection::open(self.path()).unwrap();
        raw.query_row("SELECT count(*) FROM log", [], |row| row.get(0)).unwrap()
    }

    pub fn write(&self, write: Write) -> Result<(), StoreError> {
        wait(self.store.write(write))
    }

    pub fn player(&self, token: u8) -> PlayerKey {
        let key = self.store.new_player_key();
        self.write(new_player(key, token)).unwrap();
        key
    }

    pub fn game(&self, creator: PlayerKey) -> GameKey {
        let key = self.store.new_game_key();
        self.write(Write::of(Change::AddGame(Box::new(new_game(key, creator))))).unwrap();
        key
    }

    pub fn entries(&self, game: GameKey) -> Vec<Entry> {
        read(&self.store, game)
    }

    pub fn newest_game(&self) -> Listed {
        let rulesets = vec!["industrial-waste".to_owned()];
        let filter = crate::store::GameFilter { limit: 1, rulesets, ..Default::default() };
        wait(self.store.games(filter)).unwrap().remove(0)
    }

    pub fn append(&self, game: GameKey, seqs: std::ops::Range<u64>) -> Result<(), StoreError> {
        self.write(Write::of(append_of(game, seqs.map(entry).collect())))
    }
}

pub fn sweep_of(store: &Sqlite, most: usize) -> Compaction {
    Compaction::new(store.reads.clone(), store.queue.clone(), most)
}

/// The whole log of a game.
pub fn read(store: &Sqlite, game: GameKey) -> Vec<Entry> {
    store.reads.entries(game, 0, u64::MAX).unwrap()
}

pub fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}
