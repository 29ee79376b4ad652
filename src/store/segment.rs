//! Segments: many entries of a game in one blob.
//!
//! An entry is `x || head || body length || secret length || body || secret`, the lengths as big-endian words;
//! a secret of length 0 is none. Its seq follows from its place.

use rusqlite::{Connection, params};

use super::{Entry, GameKey, StoreError};

/// A segment without its entries.
pub struct Span {
    pub id: i64,
    pub first: u64,
    pub last: u64,
}

impl Span {
    pub const fn len(&self) -> u64 {
        self.last - self.first + 1
    }
}

pub fn read_all(connection: &Connection, game: GameKey) -> Result<Vec<Entry>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT first, entries FROM segment WHERE game = ?1 ORDER BY first")?;
    let mut rows = query.query([game.0])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let first: i64 = row.get(0)?;
        decode(
            first.cast_unsigned(),
            row.get_ref(1)?.as_blob().map_err(rusqlite::Error::from)?,
            &mut entries,
        )?;
    }
    Ok(entries)
}

/// The segments of a game, in order.
pub fn spans(connection: &Connection, game: GameKey) -> Result<Vec<Span>, StoreError> {
    let mut query =
        connection.prepare_cached("SELECT id, first, last FROM segment WHERE game = ?1 ORDER BY first")?;
    let spans = query.query_map([game.0], |row| {
        let (first, last): (i64, i64) = (row.get(1)?, row.get(2)?);
        Ok(Span { id: row.get(0)?, first: first.cast_unsigned(), last: last.cast_unsigned() })
    })?;
    Ok(spans.collect::<rusqlite::Result<_>>()?)
}

/// The entries of a segment as they are kept; those of two segments, one behind the other, are those of both.
pub fn blob(connection: &Connection, span: &Span) -> Result<Vec<u8>, StoreError> {
    let mut query = connection.prepare_cached("SELECT entries FROM segment WHERE id = ?1")?;
    Ok(query.query_row([span.id], |row| row.get(0))?)
}

/// A segment that is to be written.
pub struct NewSegment {
    pub game: GameKey,
    pub first: u64,
    pub last: u64,
    pub entries: Vec<u8>,
    /// The segments that it takes the place of.
    pub covers: Vec<i64>,
}

impl NewSegment {
    /// Writes it and takes away those that it covers, which the triggers allow only then.
    pub fn add(&self, connection: &Connection) -> Result<(), StoreError> {
        let Self { game, first, last, entries, covers } = self;
        connection
            .prepare_cached("INSERT INTO segment (game, first, last, entries) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![game.0, first.cast_signed(), last.cast_signed(), entries])?;
        for covered in covers {
            connection.prepare_cached("DELETE FROM segment WHERE id = ?1")?.execute([covered])?;
        }
        Ok(())
    }
}

/// Puts an entry behind those that a segment has.
pub fn encode(entry: &Entry, blob: &mut Vec<u8>) {
    let Entry { seq: _, x, head, body, secret } = entry;
    let secret = secret.as_deref().unwrap_or_default();
    let length = |part: &[u8]| u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes();
    blob.extend(x);
    blob.extend(head);
    blob.extend(length(body));
    blob.extend(length(secret));
    blob.extend(body);
    blob.extend(secret);
}

fn decode(first: u64, blob: &[u8], entries: &mut Vec<Entry>) -> Result<(), StoreError> {
    let mut rest = blob;
    let mut seq = first;
    while !rest.is_empty() {
        let entry = decode_one(seq, &mut rest)
            .ok_or_else(|| StoreError::Corrupt(format!("a segment breaks off at entry {seq}")))?;
        entries.push(entry);
        seq += 1;
    }
    Ok(())
}

fn decode_one(seq: u64, rest: &mut &[u8]) -> Option<Entry> {
    let (x, head) = (*take::<32>(rest)?, *take::<32>(rest)?);
    let (body, secret) = (u32::from_be_bytes(*take(rest)?), u32::from_be_bytes(*take(rest)?));
    let body = take_some(rest, body)?;
    let secret = take_some(rest, secret)?;
    Some(Entry { seq, x, head, body, secret: Some(secret).filter(|secret| !secret.is_empty()) })
}

fn take<'b, const N: usize>(rest: &mut &'b [u8]) -> Option<&'b [u8; N]> {
    let (taken, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(taken)
}

fn take_some(rest: &mut &[u8], length: u32) -> Option<Vec<u8>> {
    let (taken, left) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = left;
    Some(taken.to_vec())
}
