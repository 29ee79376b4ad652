//! The sweep: the older half of a long log is made segments and cleared away.
//!
//! It goes in small steps, one at the end of each transaction, so that no write waits for it. First every game that
//! has rows in that half gets them into a segment; from then on nobody reads the rows. Then they are deleted in
//! the order in which they lie, which touches each page once; to delete game by game would touch a page a row.
//! A crash in between leaves rows that are in a segment as well, which the next sweep passes over.

use rusqlite::Connection;

use super::{
    Entry, GameKey, StoreError, entries,
    segment::{self, Span},
    tail::{SharedTails, Tails},
};

/// How many games at least get a segment in one step, and how many rows at least are deleted.
const GAMES: usize = 12;
const ROWS: usize = 1_000;
/// For each row that the transaction wrote, one game gets a segment, or so many rows are deleted: then the log cannot
/// grow faster than it is swept, however much is written.
const ROWS_A_ROW: usize = 4;

#[derive(Default)]
pub struct Sweep {
    stage: Stage,
}

#[derive(Default)]
enum Stage {
    #[default]
    Idle,
    /// These games have rows up to this one.
    Gathering { upto: i64, games: Vec<GameKey> },
    /// All rows up to this one are in segments.
    Clearing { upto: i64 },
}

/// Games whose rows up to one are in a segment once the transaction is committed.
#[derive(Default)]
pub struct Swept {
    upto: i64,
    games: Vec<GameKey>,
}

impl Swept {
    /// Lets the readers forget the rows.
    pub fn publish(self, tails: &mut Tails) {
        for game in self.games {
            tails.trim(game, self.upto);
        }
    }
}

impl Sweep {
    /// Does a little, if the log has more than `most` rows: more, if the transaction wrote more. What it began it carries
    /// on with at the next call; if the transaction is taken back, the sweep must begin anew.
    pub fn step(
        &mut self,
        connection: &Connection,
        tails: &SharedTails,
        most: usize,
        written: usize,
    ) -> Result<Swept, StoreError> {
        if matches!(self.stage, Stage::Idle) {
            self.stage = tails.with(|tails| begin(tails, most));
        }
        match &mut self.stage {
            Stage::Idle => Ok(Swept::default()),
            Stage::Gathering { upto, games } => {
                let some = games.split_off(games.len().saturating_sub(GAMES.max(written)));
                let swept = Swept { upto: *upto, games: some };
                if games.is_empty() {
                    self.stage = Stage::Clearing { upto: swept.upto };
                }
                for game in &swept.games {
                    gather(connection, tails, *game, swept.upto)?;
                }
                Ok(swept)
            }
            Stage::Clearing { upto } => {
                if clear(connection, *upto, ROWS.max(ROWS_A_ROW * written))? {
                    self.stage = Stage::Idle;
                }
                Ok(Swept::default())
            }
        }
    }
}

fn begin(tails: &Tails, most: usize) -> Stage {
    match tails.older_half() {
        Some((upto, games)) if tails.total() > most => Stage::Gathering { upto, games },
        _ => Stage::Idle,
    }
}

/// Writes the rows of a game up to this one into a segment.
fn gather(connection: &Connection, tails: &SharedTails, game: GameKey, upto: i64) -> Result<(), StoreError> {
    let spans = segment::spans(connection, game)?;
    let known = spans.last().map_or(0, |span| span.last + 1);
    let mut gathered = Vec::new();
    for row in tails.rows(game).after(known).take_while(|row| *row <= upto) {
        let entry = entries::read_row(connection, game, row)?;
        gathered.push(entry.ok_or_else(|| StoreError::Corrupt(format!("row {row} of the log is gone")))?);
    }
    let covered = merge_small(connection, spans, &mut gathered)?;
    segment::replace(connection, game, &gathered, &covered)
}

/// Takes the last segments of a game in front of the entries as long as they are not much longer, so that a game
/// that is played slowly still has few segments, and no entry is moved often.
fn merge_small(
    connection: &Connection,
    mut spans: Vec<Span>,
    entries: &mut Vec<Entry>,
) -> Result<Vec<Span>, StoreError> {
    let mut covered = Vec::new();
    while let Some(span) = spans.pop_if(|span| !entries.is_empty() && span.len() <= 2 * entries.len() as u64)
    {
        let mut merged = segment::read(connection, &span)?;
        merged.append(entries);
        *entries = merged;
        covered.push(span);
    }
    Ok(covered)
}

/// Deletes some rows up to this one, and says whether they were the last.
fn clear(connection: &Connection, upto: i64, rows: usize) -> Result<bool, StoreError> {
    let rows = i64::try_from(rows).unwrap_or(i64::MAX);
    let deleted = connection
        .prepare_cached("DELETE FROM log WHERE id <= min(?1, (SELECT coalesce(min(id), 0) FROM log) + ?2)")?
        .execute([upto, rows])?;
    Ok(deleted == 0)
}
