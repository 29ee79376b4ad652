//! Compaction: the older part of a long log moves into segments.
//!
//! The rows are read in their order, and each game's rows go into a segment; readers then no longer use the
//! rows. The rows are deleted in the same order, so that each page is touched once; going game by game would
//! touch a page for each row. A thread reads and gathers in small steps, when little is written; its results
//! are queued like other writes, so no commit waits for a read. After a crash, some rows are in a segment as
//! well; the next compaction skips them.

use std::{
    collections::{HashMap, hash_map::Entry::Occupied, hash_map::Entry::Vacant},
    sync::Arc,
    time::Duration,
};

use rusqlite::Connection;

use super::{
    Reads,
    claims::SweptClaim,
    entries,
    log_index::LogIndex,
    queue::{Queue, WriterJob},
    segment::{self, NewSegment, SegmentSpan},
    worker::Worker,
};
use crate::store::{Entry, GameKey, OnCommit, StoreError};

const PAUSE: Duration = Duration::from_millis(10);
/// Rows of one step.
const ROWS_A_STEP: i64 = 2_048;
/// While more rows than this are written in a pause, the compaction waits.
const QUIET: i64 = 64;
/// The compaction no longer waits if the log exceeds its limit by this factor.
const MOST_OVER: usize = 3;
/// Rows of compaction for each written row. Each row is touched three times, so at three the log would still
/// grow.
const ROWS_A_ROW: i64 = 4;
/// Pauses after a failure, such as a full disk.
const REST: u32 = 100;
/// Entries of a segment: a read in the middle of a long game needs one segment only.
const MOST_IN_SEGMENT: u64 = 1_024;

pub struct Compaction {
    reads: Reads,
    queue: Queue,
    /// Rows of the log that start a compaction.
    most: usize,
    /// Last row of the log at the last step.
    seen: i64,
    rest: u32,
    /// Rows that may still be touched. Negative for a while after a whole game was gathered.
    credit: i64,
    stage: CompactionStage,
}

#[derive(Default)]
enum CompactionStage {
    #[default]
    Idle,
    /// Rows from `first` to before `next` are read; the end is `upto`.
    Reading { first: i64, next: i64, upto: i64, parts: HashMap<GameKey, Part> },
    /// These parts are not in segments yet.
    Gathering { first: i64, upto: i64, parts: Vec<(GameKey, Part)> },
    /// Rows before `first` are deleted.
    Clearing { first: i64, upto: i64 },
}

impl Compaction {
    pub fn new(reads: Reads, queue: Queue, most: usize) -> Self {
        let seen = reads.index.with(LogIndex::newest);
        Self { reads, queue, most, seen, rest: 0, credit: 0, stage: CompactionStage::Idle }
    }

    /// Starts the thread. Writers report faults of the disk.
    pub fn start(mut self) -> Result<Worker, StoreError> {
        Worker::start("store-sweeps", PAUSE, move || {
            let before = self.seen;
            let _ = self.step();
            self.seen != before || !matches!(self.stage, CompactionStage::Idle)
        })
    }

    /// Does one step, if the log is too long or a compaction has begun. After a failure, starts again after a
    /// rest.
    pub fn step(&mut self) -> Result<(), StoreError> {
        let (newest, total) = self.reads.index.with(|index| (index.newest(), index.total()));
        let written = newest - std::mem::replace(&mut self.seen, newest);
        self.rest = self.rest.saturating_sub(1);
        if self.rest > 0 || (written > QUIET && total < MOST_OVER * self.most) {
            return Ok(());
        }
        if matches!(self.stage, CompactionStage::Idle) {
            (self.stage, self.credit) = (self.begin(total), 0);
        }
        self.credit += ROWS_A_STEP.max(ROWS_A_ROW * written);
        while self.credit > 0 {
            let gone_on = match std::mem::take(&mut self.stage) {
                CompactionStage::Idle => break,
                CompactionStage::Reading { first, next, upto, parts } => self.read(first, next, upto, parts),
                CompactionStage::Gathering { first, upto, parts } => self.gather(first, upto, parts),
                CompactionStage::Clearing { first, upto } => self.clear(first, upto),
            };
            self.rest = if gone_on.is_err() { REST } else { 0 };
            self.stage = gone_on?;
        }
        Ok(())
    }

    /// Begins a compaction of at most half of the limit, which it holds in memory, without rows that the
    /// public tree has not read.
    fn begin(&self, total: usize) -> CompactionStage {
        let half = i64::try_from(self.most / 2).unwrap_or(i64::MAX);
        let (oldest, taken_upto) = self.reads.index.with(|index| (index.oldest(), index.taken_upto));
        match oldest {
            Some(first) if total > self.most && first <= taken_upto => {
                let upto = taken_upto.min(first + half - 1);
                CompactionStage::Reading { first, next: first, upto, parts: HashMap::new() }
            }
            _ => CompactionStage::Idle,
        }
    }

    /// Returns how many of these rows the credit allows.
    fn spend(&mut self, rows: i64) -> i64 {
        let spent = rows.min(self.credit);
        self.credit -= spent;
        spent
    }

    fn read(
        &mut self,
        first: i64,
        next: i64,
        upto: i64,
        mut parts: HashMap<GameKey, Part>,
    ) -> Result<CompactionStage, StoreError> {
        let last = next - 1 + self.spend(upto - next + 1);
        let mut claims = Vec::new();
        self.reads.readers.read(|connection| {
            let snapshot = connection.unchecked_transaction()?;
            entries::read_range(&snapshot, next..=last, |row, game, entry, claim| {
                claims.extend(claim.map(|claim| SweptClaim { row, game, seq: entry.seq, claim }));
                let part = match parts.entry(game) {
                    Occupied(part) => part.into_mut(),
                    Vacant(place) => place.insert(Part::after(segment::spans(&snapshot, game)?)),
                };
                part.push(game, &entry)
            })
        })?;
        if !claims.is_empty() {
            self.write(WriterJob::AddClaims(claims), |_| {})?;
        }
        if last < upto {
            return Ok(CompactionStage::Reading { first, next: last + 1, upto, parts });
        }
        Ok(CompactionStage::Gathering { first, upto, parts: parts.into_iter().collect() })
    }

    fn gather(
        &mut self,
        first: i64,
        upto: i64,
        mut parts: Vec<(GameKey, Part)>,
    ) -> Result<CompactionStage, StoreError> {
        let (mut games, mut segments) = (Vec::new(), Vec::new());
        while self.credit > 0
            && let Some((game, part)) = parts.pop()
        {
            self.credit -= part.rows();
            games.push(game);
            segments.extend(self.reads.readers.read(|connection| part.into_segments(connection, game))?);
        }
        self.write(WriterJob::AddSegments(segments), move |index| {
            for game in games {
                index.trim(game, upto);
            }
        })?;
        let over = parts.is_empty();
        Ok(if over {
            CompactionStage::Clearing { first, upto }
        } else {
            CompactionStage::Gathering { first, upto, parts }
        })
    }

    fn clear(&mut self, first: i64, upto: i64) -> Result<CompactionStage, StoreError> {
        let last = first - 1 + self.spend(upto - first + 1);
        self.write(WriterJob::Clear { upto: last }, |_| {})?;
        Ok(if last < upto {
            CompactionStage::Clearing { first: last + 1, upto }
        } else {
            CompactionStage::Idle
        })
    }

    /// Queues a write, and changes the index after its commit.
    fn write(
        &self,
        work: WriterJob,
        then: impl FnOnce(&mut LogIndex) + Send + 'static,
    ) -> Result<(), StoreError> {
        let index = Arc::clone(&self.reads.index);
        self.queue.put(work, OnCommit::before(move || index.change(then)))?.blocking_outcome()
    }
}

/// Entries of one game for a segment.
struct Part {
    /// Segments of the game.
    spans: Vec<SegmentSpan>,
    /// `seq` of the first entry, and of the one after the last.
    first: u64,
    next: u64,
    entries: Vec<u8>,
    /// End of each entry in `entries`.
    ends: Vec<usize>,
}

impl Part {
    fn after(spans: Vec<SegmentSpan>) -> Self {
        let next = spans.last().map_or(0, |span| span.last + 1);
        Self { spans, first: next, next, entries: Vec::new(), ends: Vec::new() }
    }

    /// Adds the next entry, unless a segment has it.
    fn push(&mut self, game: GameKey, entry: &Entry) -> Result<(), StoreError> {
        if entry.seq > self.next {
            return Err(StoreError::Corrupt(format!(
                "game {} has no entry {} in the log",
                game.0, self.next
            )));
        }
        if entry.seq == self.next {
            segment::encode(entry, &mut self.entries);
            self.ends.push(self.entries.len());
            self.next += 1;
        }
        Ok(())
    }

    fn rows(&self) -> i64 {
        (self.next - self.first).cast_signed()
    }

    /// Makes segments of the entries. The first replaces the last segments of the game that are not much
    /// longer, so a slow game has few segments, and no entry is moved often.
    fn into_segments(self, connection: &Connection, game: GameKey) -> Result<Vec<NewSegment>, StoreError> {
        let Self { mut spans, first, next, entries, ends, .. } = self;
        let mut segments = Vec::new();
        let (mut from, mut begin) = (first, 0);
        while from < next {
            let upto = next.min(from + MOST_IN_SEGMENT);
            let end = usize::try_from(upto - first - 1).ok().and_then(|place| ends.get(place)).copied();
            let end = end.unwrap_or(entries.len());
            let mut segment = NewSegment {
                game,
                first: from,
                last: upto - 1,
                entries: entries[begin..end].to_vec(),
                covers: Vec::new(),
            };
            if from == first {
                segment.cover(connection, &mut spans)?;
            }
            segments.push(segment);
            (from, begin) = (upto, end);
        }
        Ok(segments)
    }
}

impl NewSegment {
    /// Includes the entries of earlier segments, within the size limit.
    fn cover(&mut self, connection: &Connection, spans: &mut Vec<SegmentSpan>) -> Result<(), StoreError> {
        let len = |segment: &Self| segment.last + 1 - segment.first;
        while let Some(span) =
            spans.pop_if(|span| span.len() <= 2 * len(self) && span.len() + len(self) <= MOST_IN_SEGMENT)
        {
            let mut entries = segment::blob(connection, &span)?;
            entries.append(&mut self.entries);
            (self.first, self.entries) = (span.first, entries);
            self.covers.push(span.id);
        }
        Ok(())
    }
}
