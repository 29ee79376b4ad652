//! Segments: many entries of a game in one blob.
//!
//! An entry is `x || head || body length || secret length || body || secret`, with lengths as big-endian
//! words. A secret of length 0 means none. The `seq` follows from the order.

use std::ops::Range;

use rusqlite::{Connection, params};

use super::columns::Whole;
use crate::store::{Entry, GameKey, StoreError};

/// A segment without its entries.
pub struct SegmentSpan {
    pub id: i64,
    pub first: u64,
    pub last: u64,
}

impl SegmentSpan {
    pub const fn len(&self) -> u64 {
        self.last - self.first + 1
    }
}

/// Returns the entries of a game from segments, from `first` to before `end`.
pub fn read(connection: &Connection, game: GameKey, first: u64, end: u64) -> Result<Vec<Entry>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT first, entries FROM segment WHERE game = ?1 AND first < ?3 AND last >= ?2 ORDER BY first",
    )?;
    let mut rows = query.query(params![game, Whole(first), Whole(end)])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let Whole(at) = row.get(0)?;
        let blob = row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?;
        decode(at, blob, first..end, &mut entries)?;
    }
    Ok(entries)
}

/// Returns the `seq` after the last entry in segments.
pub fn end(connection: &Connection, game: GameKey) -> Result<u64, StoreError> {
    let query = "SELECT coalesce(max(last), -1) + 1 FROM segment WHERE game = ?1";
    Ok(connection.prepare_cached(query)?.query_row([game], |row| row.get::<_, Whole>(0))?.0)
}

/// Returns the segments of a game, in order.
pub fn spans(connection: &Connection, game: GameKey) -> Result<Vec<SegmentSpan>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT id, first, last FROM segment WHERE game = ?1 ORDER BY first")?;
    let spans = query.query_map([game], |row| {
        let (first, last): (Whole, Whole) = (row.get(1)?, row.get(2)?);
        Ok(SegmentSpan { id: row.get(0)?, first: first.0, last: last.0 })
    })?;
    Ok(spans.collect::<rusqlite::Result<_>>()?)
}

/// Returns the blob of a segment. Blobs of consecutive segments can be concatenated.
pub fn blob(connection: &Connection, span: &SegmentSpan) -> Result<Vec<u8>, StoreError> {
    let mut query = connection.prepare_cached("SELECT entries FROM segment WHERE id = ?1")?;
    Ok(query.query_row([span.id], |row| row.get(0))?)
}

/// A segment to write.
pub struct NewSegment {
    pub game: GameKey,
    pub first: u64,
    pub last: u64,
    pub entries: Vec<u8>,
    /// Replaced segments.
    pub covers: Vec<i64>,
}

impl NewSegment {
    /// Writes a segment, and deletes the replaced ones. The triggers allow the deletion only then.
    pub fn add(&self, connection: &Connection) -> Result<(), StoreError> {
        let Self { game, first, last, entries, covers } = self;
        connection
            .prepare_cached("INSERT INTO segment (game, first, last, entries) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![game, Whole(*first), Whole(*last), entries])?;
        for covered in covers {
            connection.prepare_cached("DELETE FROM segment WHERE id = ?1")?.execute([covered])?;
        }
        Ok(())
    }
}

/// Appends an entry to a blob.
pub fn encode(entry: &Entry, blob: &mut Vec<u8>) {
    let Entry { seq: _, x, head, body, secret, is_landmark: _ } = entry;
    let secret = secret.as_deref().unwrap_or_default();
    let length = |part: &[u8]| u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes();
    blob.extend(x);
    blob.extend(head);
    blob.extend(length(body));
    blob.extend(length(secret));
    blob.extend(body);
    blob.extend(secret);
}

/// Decodes the wanted entries of a blob and skips the others.
fn decode(first: u64, blob: &[u8], wanted: Range<u64>, entries: &mut Vec<Entry>) -> Result<(), StoreError> {
    let mut rest = blob;
    let mut seq = first;
    while !rest.is_empty() && seq < wanted.end {
        let parts = decode_one(&mut rest)
            .ok_or_else(|| StoreError::Corrupt(format!("a segment breaks off at entry {seq}")))?;
        if wanted.contains(&seq) {
            let secret = Some(parts.secret).filter(|secret| !secret.is_empty()).map(<[u8]>::to_vec);
            entries.push(Entry {
                seq,
                x: *parts.x,
                head: *parts.head,
                body: parts.body.to_vec(),
                secret,
                is_landmark: false,
            });
        }
        seq += 1;
    }
    Ok(())
}

/// The fields of an entry in a blob.
struct EntryParts<'b> {
    x: &'b [u8; 32],
    head: &'b [u8; 32],
    body: &'b [u8],
    secret: &'b [u8],
}

fn decode_one<'b>(rest: &mut &'b [u8]) -> Option<EntryParts<'b>> {
    let (x, head) = (take(rest)?, take(rest)?);
    let (body, secret) = (u32::from_be_bytes(*take(rest)?), u32::from_be_bytes(*take(rest)?));
    Some(EntryParts { x, head, body: take_some(rest, body)?, secret: take_some(rest, secret)? })
}

fn take<'b, const N: usize>(rest: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (taken, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(taken)
}

fn take_some<'b>(rest: &mut &'b [u8], length: u32) -> Option<&'b [u8]> {
    let (taken, left) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = left;
    Some(taken)
}
