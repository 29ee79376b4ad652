//! What is in a database, for a look at all of it.

use std::{path::Path, sync::Arc};

use uuid::Uuid;

use super::{
    Reads, Settings,
    connection::{self, Readers},
    log_index::SharedLogIndex,
    migrate,
};
use crate::store::{GameKey, Newest, Opening, StoreError};

/// A database that is read without being served, also while another process serves it.
pub struct Inspection(Reads);

impl Inspection {
    /// Nothing, if the database is of an earlier version.
    pub fn open(database: &Path) -> Result<Option<Self>, StoreError> {
        let settings = Settings::default();
        if !migrate::is_up_to_date(&connection::for_reading(database, &settings)?)? {
            return Ok(None);
        }
        let index = Arc::new(SharedLogIndex::scan(database, &settings)?);
        Ok(Some(Self(Reads { readers: Arc::new(Readers::new(database, &settings)?), index })))
    }

    /// All games, the oldest first.
    pub fn games(&self) -> Result<Vec<Uuid>, StoreError> {
        self.0.readers.read(|connection| {
            let mut query = connection.prepare("SELECT uuid FROM game ORDER BY id")?;
            let games = query.query_map([], |row| Ok(Uuid::from_bytes(row.get(0)?)))?;
            Ok(games.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Where each game stands that is not over.
    pub fn unfinished(&self) -> Result<Vec<(Uuid, Newest)>, StoreError> {
        let games: Vec<(Uuid, GameKey)> = self.0.readers.read(|connection| {
            let mut query = connection.prepare(
                "SELECT uuid, id FROM game WHERE status IN ('open', 'sealed', 'running') ORDER BY id",
            )?;
            let games = query.query_map([], |row| Ok((Uuid::from_bytes(row.get(0)?), row.get(1)?)))?;
            Ok(games.collect::<rusqlite::Result<_>>()?)
        })?;
        let newest = |(uuid, key)| Ok(self.0.newest_entry(key)?.map(|newest| (uuid, newest)));
        games.into_iter().filter_map(|game| newest(game).transpose()).collect()
    }

    pub fn opening(&self, game: Uuid) -> Result<Option<Opening>, StoreError> {
        self.0.opening(game)
    }
}
