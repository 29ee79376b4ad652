//! Entries of the log.

use std::ops::RangeInclusive;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{Reads, Sqlite, claims::LoggedClaim, columns::Whole, log_index::Rows, segment};
use crate::store::{Entry, GameKey, LogPosition, Newest, PlayerKey, StoreError, Touched, traits::LogStore};

impl Reads {
    pub fn newest_row(&self) -> Result<i64, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT coalesce(max(id), 0) FROM log";
            Ok(connection.prepare_cached(query)?.query_row([], |row| row.get(0))?)
        })
    }

    /// Returns the entries of a game from `first` on, at most this many, as far as they are stored.
    pub fn entries(&self, game: GameKey, first: u64, most: u64) -> Result<Vec<Entry>, StoreError> {
        // Rows are looked up before the read: entries that move into a segment meanwhile are found there.
        let rows = self.index.rows(game);
        self.readers.snapshot(|connection| read(connection, &rows, game, first, most))
    }

    pub fn newest_entry(&self, game: GameKey) -> Result<Option<Newest>, StoreError> {
        let rows = self.index.rows(game);
        let end = if rows.ids.is_empty() {
            self.readers.read(|connection| segment::end(connection, game))?
        } else {
            rows.next()
        };
        let Some(seq) = end.checked_sub(1) else { return Ok(None) };
        let entries = self.entries(game, seq, 1)?;
        Ok(entries.first().map(|entry| Newest { seq, head: entry.head }))
    }
}

/// Reads a range of a game's log, in a snapshot not older than `rows`.
pub fn read(
    snapshot: &Connection,
    rows: &Rows,
    game: GameKey,
    first: u64,
    most: u64,
) -> Result<Vec<Entry>, StoreError> {
    let end = first.saturating_add(most).min(i64::MAX as u64);
    let first = first.min(end);
    let mut entries = segment::read(snapshot, game, first, end)?;
    let next = first + entries.len() as u64;
    let mut query = snapshot
        .prepare_cached("SELECT seq, x, head, body, secret, landmark FROM log WHERE id = ?1 AND game = ?2")?;
    for row in rows.between(next, end) {
        match query.query_row(params![row, game], entry).optional()? {
            Some(entry) => entries.push(entry),
            None => break,
        }
    }
    whole(game, first, entries)
}

/// Reads the log of all games, row by row.
pub fn read_range(
    connection: &Connection,
    rows: RangeInclusive<i64>,
    mut read: impl FnMut(i64, GameKey, Entry, Option<LoggedClaim>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT seq, x, head, body, secret, landmark, game, claim, id FROM log WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    )?;
    let mut found = query.query([rows.start(), rows.end()])?;
    while let Some(row) = found.next()? {
        let claim = row.get_ref(7)?.as_blob_or_null().map_err(rusqlite::Error::from)?;
        read(row.get(8)?, row.get(6)?, entry(row)?, claim.map(LoggedClaim::read).transpose()?)?;
    }
    Ok(())
}

fn entry(row: &Row) -> rusqlite::Result<Entry> {
    let seq: Whole = row.get(0)?;
    Ok(Entry {
        seq: seq.0,
        x: row.get(1)?,
        head: row.get(2)?,
        body: row.get(3)?,
        secret: row.get(4)?,
        is_landmark: row.get(5)?,
    })
}

/// Fails if an entry is missing.
fn whole(game: GameKey, first: u64, entries: Vec<Entry>) -> Result<Vec<Entry>, StoreError> {
    match entries.iter().zip(first..).find(|(entry, seq)| entry.seq != *seq) {
        None => Ok(entries),
        Some((entry, seq)) => {
            let found = entry.seq;
            Err(StoreError::Corrupt(format!("game {} has entry {found} where {seq} belongs", game.0)))
        }
    }
}

impl LogStore for Sqlite {
    async fn entries(&self, game: GameKey, first: u64, most: u64) -> Result<Vec<Entry>, StoreError> {
        self.read_aside(move |reads| reads.entries(game, first, most)).await
    }

    async fn newest_entry(&self, game: GameKey) -> Result<Option<Newest>, StoreError> {
        self.read_aside(move |reads| reads.newest_entry(game)).await
    }

    async fn newest_place(&self) -> Result<LogPosition, StoreError> {
        self.reads.newest_row().map(LogPosition::Row)
    }

    async fn touched_since(
        &self,
        player: PlayerKey,
        place: LogPosition,
    ) -> Result<Option<Vec<Touched>>, StoreError> {
        let LogPosition::Row(row) = place else { return Ok(None) };
        self.read_aside(move |reads| reads.touched_since(player, row)).await
    }
}
