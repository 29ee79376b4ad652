//! Entries of the log, read back.

use std::ops::RangeInclusive;

use rusqlite::{Connection, OptionalExtension as _, Row};

use super::{GameKey, Rows, Store, StoreError, segment};

/// One entry as it is kept. Its parts are bytes here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub seq: u64,
    pub x: [u8; 32],
    pub head: [u8; 32],
    pub body: Vec<u8>,
    pub secret: Option<Vec<u8>>,
}

impl Store {
    /// The last row of the log.
    pub fn newest_row(&self) -> Result<i64, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT coalesce(max(id), 0) FROM log";
            Ok(connection.prepare_cached(query)?.query_row([], |row| row.get(0))?)
        })
    }

    /// Where the newest entries of a game stand among those of all games.
    pub fn rows(&self, game: GameKey) -> Rows {
        self.index.rows(game)
    }

    /// The whole log of a game, as far as it is on disk.
    pub fn entries(&self, game: GameKey) -> Result<Vec<Entry>, StoreError> {
        // The rows are noted before anything is read: what moves into a segment in between is then found there.
        let rows = self.index.rows(game);
        self.readers.read(|connection| {
            let snapshot = connection.unchecked_transaction()?;
            let mut entries = segment::read_all(&snapshot, game)?;
            let next = entries.len() as u64;
            let mut query = snapshot
                .prepare_cached("SELECT seq, x, head, body, secret FROM log WHERE id = ?1 AND game = ?2")?;
            for row in rows.after(next) {
                match query.query_row([row, game.0], entry).optional()? {
                    Some(entry) => entries.push(entry),
                    None => break,
                }
            }
            whole(game, entries)
        })
    }
}

/// Reads the log of all games, as it lies.
pub(super) fn read_range(
    connection: &Connection,
    rows: RangeInclusive<i64>,
    mut read: impl FnMut(GameKey, Entry) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT seq, x, head, body, secret, game FROM log WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
    )?;
    let mut found = query.query([rows.start(), rows.end()])?;
    while let Some(row) = found.next()? {
        read(GameKey(row.get(5)?), entry(row)?)?;
    }
    Ok(())
}

fn entry(row: &Row) -> rusqlite::Result<Entry> {
    let seq: i64 = row.get(0)?;
    Ok(Entry {
        seq: seq.cast_unsigned(),
        x: row.get(1)?,
        head: row.get(2)?,
        body: row.get(3)?,
        secret: row.get(4)?,
    })
}

/// Entries must be numbered without a gap from 0.
fn whole(game: GameKey, entries: Vec<Entry>) -> Result<Vec<Entry>, StoreError> {
    match entries.iter().zip(0..).find(|(entry, seq)| entry.seq != *seq) {
        None => Ok(entries),
        Some((entry, seq)) => {
            let found = entry.seq;
            Err(StoreError::Corrupt(format!("game {} has entry {found} where {seq} belongs", game.0)))
        }
    }
}
