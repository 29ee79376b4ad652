//! The contract of a store: stories that every backend must pass. They run on SQLite, and on PostgreSQL if
//! `PLAYLEDGER_TEST_DATABASE` names a database.

mod claims;
mod log;
mod rows;

use std::ops::Range;

use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{
    Change, Entry, GameFilter, GameKey, Listed, PlayerKey, Store, StoreError, Write, postgres, sqlite,
    testing::{append_of, entry, new_game, new_player},
};

/// A new store, and a runtime to wait for it.
pub struct Contract {
    pub store: Store,
    runtime: Runtime,
    _folder: TempDir,
}

impl Contract {
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let store = match std::env::var("PLAYLEDGER_TEST_DATABASE") {
            Ok(address) => runtime.block_on(Self::in_schema(&address)),
            Err(_) => Store::open(&folder.path().join("games.db"), &sqlite::Settings::default()).unwrap(),
        };
        Self { store, runtime, _folder: folder }
    }

    async fn in_schema(address: &str) -> Store {
        let schema = format!("contract_{}", crate::id::fresh().simple());
        let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls).await.unwrap();
        let driven = tokio::spawn(connection);
        client.batch_execute(&format!("CREATE SCHEMA {schema}")).await.unwrap();
        drop(client);
        driven.await.unwrap().unwrap();
        let address = format!("{address}&options=-csearch_path%3D{schema}");
        Store::connect(&postgres::Settings { standbys: 0, ..postgres::Settings::of(address) }).await.unwrap()
    }

    pub fn wait<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Returns the answer to a question that must not fail.
    pub fn ask<T>(&self, future: impl Future<Output = Result<T, StoreError>>) -> T {
        self.wait(future).unwrap()
    }

    pub fn write(&self, write: Write) -> Result<(), StoreError> {
        self.wait(self.store.write(write))
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

    pub fn append(&self, game: GameKey, seqs: Range<u64>) -> Result<(), StoreError> {
        self.write(Write::of(append_of(game, seqs.map(entry).collect())))
    }

    pub fn entries(&self, game: GameKey) -> Vec<Entry> {
        self.ask(self.store.entries(game, 0, 1_000))
    }

    pub fn newest_game(&self) -> Listed {
        let rulesets = vec!["industrial-waste".to_owned()];
        self.ask(self.store.games(GameFilter { limit: 1, rulesets, ..GameFilter::default() })).remove(0)
    }
}
