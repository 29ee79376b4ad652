//! A whole database in one snapshot, for checks.

use std::{path::Path, sync::Arc};

use rusqlite::Connection;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::{
    Reads,
    backup::{self, Examination},
    columns::Whole,
    connection::{self, Readers},
    log_index::SharedLogIndex,
    migrate,
};
use crate::store::{GameKey, HashRange, Leaf, Newest, Opening, StoreError, TreeRow};

/// Games that are read at once.
const PAGE: u32 = 256;

/// A snapshot of a database in use.
///
/// One connection reads everything in one transaction, so all parts have the same age.
pub struct Inspection(Reads);

/// A game, and its leaves in the public tree.
type WithLeaves = (GameKey, Uuid, Vec<Leaf>);

impl Inspection {
    /// Opens a snapshot. Returns `None` for a database of an earlier version.
    pub fn open(database: &Path) -> Result<Option<Self>, StoreError> {
        Self::over(database, connection::frozen(database)?)
    }

    /// Examines every page in the same snapshot, too.
    pub fn examine(database: &Path) -> Result<(Examination, Option<Self>), StoreError> {
        let connection = connection::frozen(database)?;
        Ok((backup::check_open(&connection)?, Self::over(database, connection)?))
    }

    fn over(database: &Path, connection: Connection) -> Result<Option<Self>, StoreError> {
        if !migrate::is_up_to_date(&connection)? {
            return Ok(None);
        }
        let index = Arc::new(SharedLogIndex::scan_one(&connection)?);
        let readers = Arc::new(Readers::frozen(database, connection));
        Ok(Some(Self(Reads { readers, index, room: Arc::new(Semaphore::new(1)) })))
    }

    /// Visits all games, oldest first, with their leaves in the public tree.
    pub fn each_game(&self, mut show: impl FnMut(Uuid, &[Leaf])) -> Result<(), StoreError> {
        let mut page = self.games_after(None)?;
        while let Some((last, ..)) = page.last() {
            let next = self.games_after(Some(*last))?;
            for (_, game, leaves) in &page {
                show(*game, leaves);
            }
            page = next;
        }
        Ok(())
    }

    fn games_after(&self, last: Option<GameKey>) -> Result<Vec<WithLeaves>, StoreError> {
        self.0.readers.read(|connection| {
            let mut query = connection.prepare_cached(
                "SELECT game.id, uuid, leaf.id, leaf.seq, leaf.head
                 FROM (SELECT id, uuid FROM game WHERE id > ?1 ORDER BY id LIMIT ?2) AS game
                 LEFT JOIN leaf ON leaf.game = game.id ORDER BY game.id",
            )?;
            let mut rows = query.query((last.map_or(i64::MIN, GameKey::number), PAGE))?;
            let mut page: Vec<WithLeaves> = Vec::new();
            while let Some(row) = rows.next()? {
                let key = row.get(0)?;
                if page.last().is_none_or(|(before, ..)| *before != key) {
                    page.push((key, Uuid::from_bytes(row.get(1)?), Vec::new()));
                }
                if let (Some((.., leaves)), Some(Whole(place))) = (page.last_mut(), row.get(2)?) {
                    let Whole(seq) = row.get(3)?;
                    leaves.push(Leaf { place, seq, head: row.get(4)? });
                }
            }
            Ok(page)
        })
    }

    pub fn tree(&self) -> Result<Option<TreeRow>, StoreError> {
        self.0.tree()
    }

    pub fn stretch(&self, wanted: HashRange) -> Result<Vec<[u8; 32]>, StoreError> {
        self.0.stretch(wanted)
    }

    /// Returns the last entries of unfinished games.
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
