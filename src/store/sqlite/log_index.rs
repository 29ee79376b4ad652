//! Which rows of the log belong to which game.
//!
//! This is the index that the log itself does without. It is made by one scan at the start and kept by the
//! writer, which shares it with the readers after each commit.

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

/// The rows of one game, in order of seq.
#[derive(Clone, Default, Debug)]
pub struct Rows {
    /// The seq of the first row.
    pub first: u64,
    pub ids: Vec<i64>,
}

impl Rows {
    pub const fn next(&self) -> u64 {
        self.first + self.ids.len() as u64
    }

    /// The rows from a seq to before another.
    pub fn between(&self, seq: u64, end: u64) -> impl Iterator<Item = i64> {
        let place = |seq: u64| usize::try_from(seq.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let (skip, upto) = (place(seq), place(end));
        self.ids.iter().copied().take(upto).skip(skip)
    }
}

/// The games that have rows in the log.
#[derive(Default, Debug)]
pub struct LogIndex {
    games: HashMap<GameKey, Rows>,
    /// The first row of each game.
    oldest: BTreeMap<i64, GameKey>,
    pub claims: ClaimIndex,
    total: usize,
    /// The newest row of all.
    newest: i64,
    /// Up to where rows of some game were forgotten.
    gone: i64,
    /// Up to where the public tree has taken what it needs, if there is one.
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

    /// Forgets the rows of a game up to this one.
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

    /// Whether every row after this one is still known, of all games.
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

/// What the index needs of a row of the log.
struct ScannedRow {
    id: i64,
    game: GameKey,
    seq: u64,
    claim: Option<LoggedClaim>,
}

fn connection_for_scan(path: &Path, settings: &Settings) -> Result<Connection, StoreError> {
    let connection = connection::for_reading(path, settings)?;
    // Each page is read once: to keep many would only take the time to find room for them.
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

/// The index as readers see it.
pub struct SharedLogIndex {
    index: RwLock<LogIndex>,
    /// The time of the newest answer that is kept whole, so that nobody looks for one where there is none.
    newest_answer: AtomicU64,
    /// Whether the last transaction failed.
    is_failing: AtomicBool,
}

impl SharedLogIndex {
    /// Reads the log once. It is kept short, so that this takes no time worth speaking of.
    pub fn scan(path: &Path, settings: &Settings) -> Result<Self, StoreError> {
        let connection = connection_for_scan(path, settings)?;
        let mut index = LogIndex { taken_upto: tree::taken_upto(&connection)?, ..LogIndex::default() };
        claims::scan(&connection, &mut index.claims)?;
        let middle = "SELECT coalesce((SELECT min(id) FROM log) / 2 + (SELECT max(id) FROM log) / 2, 0)";
        let middle: i64 = connection.query_row(middle, [], |row| row.get(0))?;
        // The newer half is read while the older one is, and comes into the index after it.
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

    /// Reads the log once by this connection, in the snapshot that it sees.
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

    /// Notes how the last transaction went.
    pub fn note_write(&self, went_well: bool) {
        self.is_failing.store(!went_well, Ordering::Relaxed);
    }

    pub fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    /// Says that an answer of this time is about to be kept whole.
    pub fn announce_answer(&self, at: u64) {
        self.newest_answer.fetch_max(at, Ordering::AcqRel);
    }

    /// Whether there may be an answer that is kept whole and not older than this.
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
