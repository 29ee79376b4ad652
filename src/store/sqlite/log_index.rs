//! The rows of the log, by game.
//!
//! The table has no index for this. One scan builds it at the start, the writer maintains it, and readers see
//! it after each commit.

use std::{
    collections::{BTreeMap, HashMap},
    ops::RangeInclusive,
    panic::resume_unwind,
    path::Path,
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

use rusqlite::Connection;

use super::{
    Settings,
    claim_index::ClaimIndex,
    claims::{self, LoggedClaim},
    columns::Whole,
    connection, tree,
};
use crate::store::{GameKey, StoreError};

/// The rows of one game, in order of `seq`.
#[derive(Clone, Default, Debug)]
pub struct Rows {
    /// The `seq` of the first row.
    pub first: u64,
    pub ids: Vec<i64>,
}

impl Rows {
    pub const fn next(&self) -> u64 {
        self.first + self.ids.len() as u64
    }

    /// Returns the rows from `seq` to before `end`.
    pub fn between(&self, seq: u64, end: u64) -> impl Iterator<Item = i64> {
        let place = |seq: u64| usize::try_from(seq.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let (skip, upto) = (place(seq), place(end));
        self.ids.iter().copied().take(upto).skip(skip)
    }
}

/// Games with rows in the log.
#[derive(Default, Debug)]
pub struct LogIndex {
    games: HashMap<GameKey, Rows>,
    /// First row of each game.
    oldest: BTreeMap<i64, GameKey>,
    pub claims: ClaimIndex,
    total: usize,
    /// Newest row of all games.
    newest: i64,
    /// Row up to which rows of a game were dropped.
    gone: i64,
    /// Row up to which the public tree has read the log.
    pub taken_upto: i64,
}

impl LogIndex {
    pub fn get(&self, game: GameKey) -> Option<&Rows> {
        self.games.get(&game)
    }

    pub fn push(&mut self, game: GameKey, seq: u64, row: i64) {
        let rows = self.games.entry(game).or_default();
        if rows.ids.is_empty() {
            rows.first = seq;
            self.oldest.insert(row, game);
        }
        rows.ids.push(row);
        self.total += 1;
        self.newest = self.newest.max(row);
    }

    fn push_scanned(&mut self, row: &ScannedRow) {
        self.push(row.game, row.seq, row.id);
        if let Some(claim) = &row.claim {
            self.claims.push(&claim.digest, row.id, claim.at);
        }
    }

    /// Drops the rows of a game up to an entry.
    pub fn trim(&mut self, game: GameKey, upto: i64) {
        let Some(rows) = self.games.get_mut(&game) else { return };
        self.gone = self.gone.max(upto);
        if let Some(first) = rows.ids.first() {
            self.oldest.remove(first);
        }
        let gone = rows.ids.partition_point(|row| *row <= upto);
        rows.ids.drain(..gone);
        rows.first += gone as u64;
        self.total -= gone;
        match rows.ids.first() {
            Some(first) => drop(self.oldest.insert(*first, game)),
            None => drop(self.games.remove(&game)),
        }
    }

    /// Returns whether the index has every later row.
    pub fn is_whole_after(&self, row: i64) -> bool {
        self.gone <= row && self.oldest().is_none_or(|oldest| oldest <= row.saturating_add(1))
    }

    pub const fn total(&self) -> usize {
        self.total
    }

    pub const fn newest(&self) -> i64 {
        self.newest
    }

    pub fn oldest(&self) -> Option<i64> {
        self.oldest.first_key_value().map(|(row, _)| *row)
    }
}

/// The columns of a log row that the index needs.
struct ScannedRow {
    id: i64,
    game: GameKey,
    seq: u64,
    claim: Option<LoggedClaim>,
}

fn connection_for_scan(path: &Path, settings: &Settings) -> Result<Connection, StoreError> {
    let connection = connection::for_reading(path, settings)?;
    // Each page is read once, so a large cache only costs memory.
    connection.pragma_update(None, "cache_size", -512)?;
    Ok(connection)
}

fn scan_rows(
    connection: &Connection,
    ids: RangeInclusive<i64>,
    mut each: impl FnMut(ScannedRow),
) -> Result<(), StoreError> {
    let mut query =
        connection.prepare("SELECT id, game, seq, claim FROM log WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut rows = query.query([ids.start(), ids.end()])?;
    while let Some(row) = rows.next()? {
        let (id, game, Whole(seq)) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let claim = row.get_ref(3)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
        let claim = claim.map(LoggedClaim::read).transpose()?;
        each(ScannedRow { id, game, seq, claim });
    }
    Ok(())
}

/// The index, shared with readers.
pub struct SharedLogIndex {
    index: RwLock<LogIndex>,
    /// Time of the newest stored answer: readers skip the table if they need none.
    newest_answer: AtomicU64,
    /// Whether the last transaction failed.
    is_failing: AtomicBool,
}

impl SharedLogIndex {
    /// Scans the log, which compaction keeps short.
    pub fn scan(path: &Path, settings: &Settings) -> Result<Self, StoreError> {
        let connection = connection_for_scan(path, settings)?;
        let mut index = LogIndex { taken_upto: tree::taken_upto(&connection)?, ..LogIndex::default() };
        claims::scan(&connection, &mut index.claims)?;
        let middle = "SELECT coalesce((SELECT min(id) FROM log) / 2 + (SELECT max(id) FROM log) / 2, 0)";
        let middle: i64 = connection.query_row(middle, [], |row| row.get(0))?;
        // Two threads scan one half each; the newer half is added second.
        let newer = thread::scope(|scope| {
            let beside = thread::Builder::new().spawn_scoped(scope, || {
                let mut newer = Vec::new();
                let connection = connection_for_scan(path, settings)?;
                scan_rows(&connection, middle + 1..=i64::MAX, |row| newer.push(row))?;
                Ok::<_, StoreError>(newer)
            })?;
            scan_rows(&connection, i64::MIN..=middle, |row| index.push_scanned(&row))?;
            beside.join().unwrap_or_else(|panic| resume_unwind(panic))
        })?;
        for row in &newer {
            index.push_scanned(row);
        }
        Ok(Self::of(index))
    }

    /// Scans the log with this connection, in its snapshot.
    pub fn scan_one(connection: &Connection) -> Result<Self, StoreError> {
        let mut index = LogIndex { taken_upto: tree::taken_upto(connection)?, ..LogIndex::default() };
        claims::scan(connection, &mut index.claims)?;
        scan_rows(connection, i64::MIN..=i64::MAX, |row| index.push_scanned(&row))?;
        Ok(Self::of(index))
    }

    fn of(index: LogIndex) -> Self {
        Self {
            index: RwLock::new(index),
            newest_answer: AtomicU64::new(0),
            is_failing: AtomicBool::new(false),
        }
    }

    /// Notes whether the last transaction worked.
    pub fn note_write(&self, went_well: bool) {
        self.is_failing.store(!went_well, Ordering::Relaxed);
    }

    pub fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    /// Announces a stored answer of this time, so that readers look in the `answer` table.
    pub fn announce_answer(&self, at: u64) {
        self.newest_answer.fetch_max(at, Ordering::AcqRel);
    }

    /// Returns whether an answer may be stored that is not older than `fresh_since`.
    pub fn has_answers(&self, fresh_since: u64) -> bool {
        self.newest_answer.load(Ordering::Acquire) >= fresh_since
    }

    pub fn rows(&self, game: GameKey) -> Rows {
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        index.get(game).cloned().unwrap_or_default()
    }

    pub fn with<T>(&self, read: impl FnOnce(&LogIndex) -> T) -> T {
        read(&self.index.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn change(&self, change: impl FnOnce(&mut LogIndex)) {
        change(&mut self.index.write().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_that_is_half_done_leaves_no_whole_log_behind_it() {
        let mut index = LogIndex::default();
        for (game, seq, row) in [(1, 0, 1), (2, 0, 2), (1, 1, 3), (2, 1, 4)] {
            index.push(GameKey(game), seq, row);
        }
        assert!(index.is_whole_after(0));
        index.trim(GameKey(2), 2);
        assert!(!index.is_whole_after(1), "row 2 is gone, though row 1 of another game is not");
        assert!(index.is_whole_after(2));
        index.trim(GameKey(1), 2);
        assert!(!index.is_whole_after(1) && index.is_whole_after(2));
    }
}
