//! What is in a database, for a look at all of it.

use std::{path::Path, sync::Arc};

use uuid::Uuid;

use super::{Reads, Settings, columns::Whole, connection, log_index::SharedLogIndex, migrate};
use crate::store::{GameKey, Leaf, Newest, Opening, StoreError, Stretch, TreeRow};

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
        Ok(Some(Self(Reads::new(database, &settings, index)?)))
    }

    /// Shows all games, the oldest first, each with its leaves in the public tree.
    pub fn each_game(&self, mut show: impl FnMut(Uuid, &[Leaf])) -> Result<(), StoreError> {
        self.0.readers.read(|connection| {
            let mut query = connection.prepare(
                "SELECT uuid, leaf.id, leaf.seq, leaf.head FROM game LEFT JOIN leaf ON leaf.game = game.id ORDER BY game.id",
            )?;
            let mut rows = query.query([])?;
            let (mut shown, mut leaves) = (None, Vec::new());
            while let Some(row) = rows.next()? {
                let game = Uuid::from_bytes(row.get(0)?);
                if let Some(before) = shown.replace(game).filter(|before| *before != game) {
                    show(before, &leaves);
                    leaves.clear();
                }
                if let Some(Whole(place)) = row.get(1)? {
                    let Whole(seq) = row.get(2)?;
                    leaves.push(Leaf { place, seq, head: row.get(3)? });
                }
            }
            if let Some(last) = shown {
                show(last, &leaves);
            }
            Ok(())
        })
    }

    pub fn tree(&self) -> Result<Option<TreeRow>, StoreError> {
        self.0.tree()
    }

    pub fn stretch(&self, wanted: Stretch) -> Result<Vec<[u8; 32]>, StoreError> {
        self.0.stretch(wanted)
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
