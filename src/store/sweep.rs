//! The sweep: the older half of a long log is made segments and cleared away.
//!
//! First every game that has rows in that half gets them into a segment; from then on nobody reads the rows. Then they
//! are deleted in the order in which they lie, which touches each page once; to delete game by game would touch a page a
//! row. It goes in small steps, in quiet times if there are any: a thread of its own reads and gathers, and what it has
//! made is written like whatever else is, so that no commit waits while it reads. A crash in between leaves rows that are
//! in a segment as well, which the next sweep passes over.

use std::{sync::Arc, time::Duration};

use rusqlite::Connection;

use super::{
    Change, GameKey, StoreError, Write,
    connection::Readers,
    entries,
    queue::Queue,
    routine::Routine,
    segment::{self, NewSegment},
    tail::{Rows, SharedTails, Tails},
};

const PAUSE: Duration = Duration::from_millis(5);
/// So many rows are gathered or deleted in a step.
const ROWS_A_STEP: i64 = 256;
/// While more rows than this are written in a pause, the sweep waits for a quieter time.
const QUIET: i64 = 32;
/// It waits until the log is so many times longer than it need be, and then, for each row that is written, so many are
/// gathered or deleted: a sweep touches each row of its half twice, so that with two the log would still grow.
const PATIENCE: usize = 4;
const ROWS_A_ROW: i64 = 3;
/// After a failure, of a full disk for one, it rests for so many pauses.
const REST: u32 = 200;

pub struct Sweep {
    readers: Arc<Readers>,
    queue: Queue,
    tails: Arc<SharedTails>,
    /// How many rows the log may have before it is swept.
    most: usize,
    /// The last row of the log at the last step.
    seen: i64,
    rest: u32,
    stage: Stage,
}

#[derive(Default)]
enum Stage {
    #[default]
    Idle,
    Going {
        /// How many rows may still be touched. A game is gathered as a whole, so this may go below zero for a while.
        credit: i64,
        /// All rows up to this one are deleted.
        cleared: i64,
        /// The last row of the older half.
        upto: i64,
        /// These games have rows in that half which are in no segment yet.
        games: Vec<GameKey>,
    },
}

impl Sweep {
    pub fn new(readers: Arc<Readers>, queue: Queue, tails: Arc<SharedTails>, most: usize) -> Self {
        Self { readers, queue, tails, most, seen: 0, rest: 0, stage: Stage::Idle }
    }

    /// Sweeps whenever it is time to. What is wrong with the disk is told to those who write.
    pub fn start(mut self) -> Result<Routine, StoreError> {
        Routine::start("store-sweeps", PAUSE, move || {
            let _ = self.step();
        })
    }

    /// Does a little, if the log is too long or a sweep has begun. What fails is begun anew after a rest.
    pub fn step(&mut self) -> Result<(), StoreError> {
        let (newest, total) = self.tails.with(|tails| (tails.newest(), tails.total()));
        let written = newest - std::mem::replace(&mut self.seen, newest);
        self.rest = self.rest.saturating_sub(1);
        if self.rest > 0 || (written > QUIET && total < PATIENCE * self.most) {
            return Ok(());
        }
        if matches!(self.stage, Stage::Idle) && total > self.most {
            self.stage = self.tails.with(begin);
        }
        let stage = std::mem::take(&mut self.stage);
        let gone_on = self.go_on(stage, ROWS_A_STEP.max(ROWS_A_ROW * written));
        self.rest = if gone_on.is_err() { REST } else { 0 };
        self.stage = gone_on?;
        Ok(())
    }

    fn go_on(&self, stage: Stage, rows: i64) -> Result<Stage, StoreError> {
        let Stage::Going { mut credit, mut cleared, upto, mut games } = stage else {
            return Ok(Stage::Idle);
        };
        credit += rows;
        if !games.is_empty() {
            let (gathered, segments) = self.gather(&mut games, upto, &mut credit)?;
            self.write(Change::AddSegments(segments), move |tails| {
                for game in gathered {
                    tails.trim(game, upto);
                }
            })?;
        } else if credit > 0 {
            cleared = upto.min(cleared + credit);
            credit = 0;
            self.write(Change::Clear { upto: cleared }, |_| {})?;
        }
        let over = cleared == upto;
        Ok(if over { Stage::Idle } else { Stage::Going { credit, cleared, upto, games } })
    }

    /// Makes segments of the rows of some games, as long as there is credit, and says which games they were.
    fn gather(
        &self,
        games: &mut Vec<GameKey>,
        upto: i64,
        credit: &mut i64,
    ) -> Result<(Vec<GameKey>, Vec<NewSegment>), StoreError> {
        self.readers.read(|connection| {
            let snapshot = connection.unchecked_transaction()?;
            let (mut gathered, mut segments) = (Vec::new(), Vec::new());
            while *credit > 0
                && let Some(game) = games.pop()
            {
                let rows =
                    self.tails.with(|tails| tails.get(game).map(|rows| rows.upto(upto))).unwrap_or_default();
                segments.extend(gather(&snapshot, game, &rows)?);
                *credit -= i64::try_from(rows.ids.len()).unwrap_or(i64::MAX);
                gathered.push(game);
            }
            Ok((gathered, segments))
        })
    }

    /// Writes, and lets the tails be changed as soon as it is on disk.
    fn write(
        &self,
        change: Change,
        then: impl FnOnce(&mut Tails) + Send + 'static,
    ) -> Result<(), StoreError> {
        let tails = Arc::clone(&self.tails);
        let written = self.queue.put(Write::of(change), Box::new(move |_| tails.change(then)))?;
        written.blocking_recv().unwrap_or(Err(StoreError::Stopped))
    }
}

fn begin(tails: &Tails) -> Stage {
    match tails.older_half() {
        Some((first, upto, games)) => Stage::Going { credit: 0, cleared: first - 1, upto, games },
        None => Stage::Idle,
    }
}

/// Makes a segment of these rows of a game, unless they are in one already. It takes the place of the last
/// segments of the game that are not much longer, so that a game that is played slowly still has few segments, and no
/// entry is moved often.
fn gather(connection: &Connection, game: GameKey, rows: &Rows) -> Result<Option<NewSegment>, StoreError> {
    let mut spans = segment::spans(connection, game)?;
    let known = spans.last().map_or(0, |span| span.last + 1);
    let new = entries::read_rows(connection, game, rows.after(known))?;
    if new.len() < rows.after(known).count() {
        return Err(StoreError::Corrupt(format!("rows of game {} are gone from the log", game.0)));
    }
    let (Some(mut first), Some(last)) = (new.first().map(|entry| entry.seq), new.last()) else {
        return Ok(None);
    };
    let (last, mut covered) = (last.seq, Vec::new());
    while let Some(span) = spans.pop_if(|span| span.len() <= 2 * (last - first + 1)) {
        first = span.first;
        covered.push(span);
    }
    let mut entries = Vec::new();
    for span in covered.iter().rev() {
        entries.append(&mut segment::blob(connection, span)?);
    }
    segment::encode(&new, &mut entries);
    let covers = covered.iter().map(|span| span.id).collect();
    Ok(Some(NewSegment { game, first, last, entries, covers }))
}
