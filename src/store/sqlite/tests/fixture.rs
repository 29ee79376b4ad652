//! A store in a folder of its own.

use std::path::PathBuf;

use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;

use crate::{
    store::{
        AccountChange, Change, Entry, GameFacts, GameKey, Keeper as _, Listed, NewPlayer, NewToken,
        PlayerKey, StoreError, Write,
        sqlite::{Settings, Sqlite, sweep::Sweep},
    },
    words::{Scopes, Visibility},
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

    /// A sweep that goes on only when it is told to, of a log that is soon too long.
    pub fn sweep(&self) -> Sweep {
        sweep_of(&self.store, 40)
    }

    /// Lets a sweep go on until the log has no more rows than these.
    pub fn sweep_down_to(&self, rows: i64, sweep: &mut Sweep) {
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

    /// The newest game as lists show it.
    pub fn newest_game(&self) -> Listed {
        let rulesets = vec!["industrial-waste".to_owned()];
        let filter = crate::store::GameFilter { limit: 1, rulesets, ..Default::default() };
        self.store.reads.games(&filter).unwrap().remove(0)
    }

    pub fn append(&self, game: GameKey, seqs: std::ops::Range<u64>) -> Result<(), StoreError> {
        self.write(Write::of(append_of(game, seqs.map(entry).collect())))
    }
}

pub fn sweep_of(store: &Sqlite, most: usize) -> Sweep {
    Sweep::new(store.reads.clone(), store.queue.clone(), most)
}

/// The whole log of a game.
pub fn read(store: &Sqlite, game: GameKey) -> Vec<Entry> {
    store.reads.entries(game, 0, u64::MAX).unwrap()
}

pub fn append_of(game: GameKey, entries: Vec<Entry>) -> Change {
    Change::Append { game, entries, claim: None }
}

pub fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

/// A player and its token, whose recovery code is known by the same digest.
pub fn new_player(key: PlayerKey, token: u8) -> Write {
    let player = NewPlayer {
        key,
        uuid: Uuid::now_v7(),
        name: format!("player {token}"),
        recovery: Some([token; 32]),
        level: None,
        created_at: 5,
    };
    Write::of(Change::Account(AccountChange::AddPlayer(player))).and(add(new_token(key, token)))
}

pub fn add(token: NewToken) -> Change {
    Change::Account(AccountChange::AddToken(token))
}

pub fn new_token(player: PlayerKey, token: u8) -> NewToken {
    NewToken {
        uuid: Uuid::now_v7(),
        player,
        digest: [token; 32],
        name: "token".into(),
        scopes: Scopes::ALL,
        game: None,
        created_at: 5,
        expires_at: None,
        is_pending: false,
        replaces: None,
    }
}

pub fn new_game(key: GameKey, creator: PlayerKey) -> GameFacts {
    GameFacts {
        key,
        uuid: Uuid::now_v7(),
        creator,
        ruleset: "industrial-waste".into(),
        version: 1,
        seats: 2,
        options: "{}".into(),
        title: None,
        visibility: Visibility::Public,
        invite: None,
        move_seconds: Some(60),
        bank_seconds: 0,
        takebacks: false,
        substitutes: true,
        rated: true,
        format: 3,
        server_seed: [9; 32],
        created_at: 7,
        rematch_of: None,
    }
}

/// An entry that can be told from any other.
pub fn entry(seq: u64) -> Entry {
    let byte = u8::try_from(seq % 251).unwrap();
    Entry {
        seq,
        x: [byte; 32],
        head: [byte ^ 255; 32],
        body: format!("body {seq}").into_bytes(),
        secret: seq.is_multiple_of(3).then(|| format!("secret {seq}").into_bytes()),
        is_landmark: false,
    }
}

pub fn entries(seqs: std::ops::Range<u64>) -> Vec<Entry> {
    seqs.map(entry).collect()
}
