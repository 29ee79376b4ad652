//! Changes, applied one by one in the writer's transaction.

use std::collections::{HashMap, hash_map::Entry as Slot};

use rusqlite::{CachedStatement, Connection, params};

use super::{
    accounts,
    claims::{self, LoggedClaim},
    columns::Whole,
    explorations, hooks,
    log_index::{LogIndex, Rows, SharedLogIndex},
    segment, signing_keys, small, substitutions, talk, tree,
};
use crate::{
    store::{Change, Entry, GameFacts, GameKey, NewClaim, StoreError, TreeChange, Write, sql},
    words::{Ending, Status},
};

/// Changes of the log index that count after the commit.
pub struct Pending {
    /// Next `seq` of each game in the transaction.
    next: HashMap<GameKey, u64>,
    /// Entries in the order of writing, to undo a savepoint.
    written: Vec<Written>,
    /// Claims with their rows, and the number of entries before each.
    claims: Vec<(usize, i64, LoggedClaim)>,
    /// Row up to which the tree has read the log.
    taken_upto: Option<i64>,
}

/// A written entry, and its row.
struct Written {
    game: GameKey,
    seq: u64,
    row: i64,
}

impl Pending {
    /// Reserves memory for this many entries.
    pub fn of(entries: usize) -> Self {
        let (next, written) = (HashMap::with_capacity(entries), Vec::with_capacity(entries));
        Self { next, written, claims: Vec::new(), taken_upto: None }
    }

    /// Returns a mark, to undo later entries.
    pub const fn mark(&self) -> usize {
        self.written.len()
    }

    /// Returns the row of the last entry after a mark.
    pub fn last_since(&self, mark: usize) -> Option<i64> {
        self.written[mark..].last().map(|written| written.row)
    }

    /// Undoes the entries after a mark.
    pub fn undo_to(&mut self, mark: usize) {
        for Written { game, seq, .. } in self.written.drain(mark..).rev() {
            self.next.insert(game, seq);
        }
        self.claims.retain(|(before, ..)| *before < mark);
        // Discards an earlier write's value too; the next growth of the tree sets it again.
        self.taken_upto = None;
    }

    /// Publishes the committed changes to readers.
    pub fn publish(self, index: &mut LogIndex) {
        for Written { game, seq, row } in self.written {
            index.push(game, seq, row);
        }
        for (_, row, claim) in &self.claims {
            index.claims.push(&claim.digest, *row, claim.at);
        }
        if let Some(upto) = self.taken_upto {
            index.taken_upto = upto;
        }
    }
}

/// The writer's transaction: its inputs, and the changes so far.
pub struct Transaction<'t> {
    connection: &'t Connection,
    index: &'t SharedLogIndex,
    /// The statement of nearly every write, looked up once.
    insert: CachedStatement<'t>,
    pub pending: Pending,
}

impl<'t> Transaction<'t> {
    /// Begins a transaction for this many writes.
    pub fn new(
        connection: &'t Connection,
        index: &'t SharedLogIndex,
        writes: usize,
    ) -> Result<Self, StoreError> {
        let insert = connection.prepare_cached(
            "INSERT INTO log (game, seq, x, head, body, secret, claim, landmark) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?;
        Ok(Self { connection, index, insert, pending: Pending::of(writes) })
    }
}

impl Transaction<'_> {
    /// Applies all changes of a write.
    pub fn apply(&mut self, write: &Write) -> Result<(), StoreError> {
        write.changes.iter().try_for_each(|change| self.apply_one(change))
    }

    fn apply_one(&mut self, change: &Change) -> Result<(), StoreError> {
        match change {
            Change::Append { game, entries, claim } => self.append(*game, entries, claim.as_ref())?,
            Change::Account(change) => accounts::apply(self.connection, change)?,
            Change::Talk(change) => talk::apply(self.connection, change)?,
            Change::Small(change) => small::apply(self.connection, change)?,
            Change::Substitution(change) => substitutions::apply(self.connection, change)?,
            Change::Exploration(change) => explorations::apply(self.connection, change)?,
            Change::Hook(change) => hooks::apply(self.connection, change)?,
            Change::Tree(change) => {
                tree::apply(self.connection, change)?;
                if let TreeChange::Grow { upto, .. } = change {
                    self.pending.taken_upto = Some(*upto);
                }
            }
            Change::AddGame(game) => add_game(self.connection, game)?,
            Change::TakeSeat { game, seat, player, share } => self.update(
                sql::TAKE_SEAT.sqlite,
                params![game, seat, player, share.word()],
                "the seat is taken",
            )?,
            Change::FreeSeat { game, seat } => self.update(
                sql::FREE_SEAT.sqlite,
                params![game, seat],
                "the seat is free",
            )?,
            Change::SetShare { game, seat, share } => self.update(
                sql::SET_SHARE.sqlite,
                params![game, seat, share.word()],
                "the seat is free",
            )?,
            Change::SetPlayedBy { game, seat, played_by } => self.update(
                "UPDATE seat SET control = iif(?3 = 'player', 'player', 'autopilot'), resigned = (?3 = 'resigned')
                 WHERE game = ?1 AND seat = ?2",
                params![game, seat, played_by.word()],
                "the seat is free",
            )?,
            Change::HandSeat { game, seat, player } => self.update(
                "UPDATE OR IGNORE seat SET player = ?3, control = 'player', resigned = 0 WHERE game = ?1 AND seat = ?2",
                params![game, seat, player],
                "the player sits there already",
            )?,
            Change::SetPlan { game, seat, plan: Some((player, plan)) } => self.update(
                "INSERT INTO plan (game, seat, player, plan) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (game, seat) DO UPDATE SET player = ?3, plan = ?4",
                params![game, seat, player, plan],
                "the game is not there",
            )?,
            Change::SetPlan { game, seat, plan: None } => {
                let mut plans = self.connection.prepare_cached(sql::DELETE_PLAN.sqlite)?;
                plans.execute(params![game, seat])?;
            }
            Change::SetStatus { game, status, at, ended } => {
                self.set_status(*game, *status, *at, ended.as_ref())?;
            }
            Change::SetNewest { game, newest } => self.update(
                sql::SET_NEWEST.sqlite,
                params![game, Whole(newest.seq), newest.head],
                "the game is not there",
            )?,
            Change::SetDeadline { game, at } => self.update(
                "UPDATE game SET deadline = ?2 WHERE id = ?1",
                params![game, at.map(Whole)],
                "the game is not there",
            )?,
            Change::AddSigningKey { key, at } => signing_keys::add(self.connection, key, *at)?,
            Change::AddOwnKey { purpose, key } => self.update(
                sql::ADD_OWN_KEY.sqlite,
                params![purpose, key],
                "there is a key for this already",
            )?,
            Change::Beat { at } => self.update(
                "INSERT OR REPLACE INTO pulse (id, at) VALUES (1, ?1)",
                params![Whole(*at)],
                "nothing was noted",
            )?,
            Change::EndSigningKey { key, statement } => self.update(
                sql::END_SIGNING_KEY.sqlite,
                params![key, statement],
                "the key is not there, or has ended before",
            )?,
            Change::KeepAnswer(answer) => {
                // Readers look in the `answer` table only after this announcement.
                self.index.announce_answer(answer.claim.at);
                claims::keep(self.connection, answer)?;
            }
        }
        Ok(())
    }

    /// Changes one row, which must exist.
    fn update(
        &self,
        statement: &str,
        values: &[&dyn rusqlite::ToSql],
        otherwise: &str,
    ) -> Result<(), StoreError> {
        match self.connection.prepare_cached(statement)?.execute(values)? {
            1 => Ok(()),
            _ => Err(StoreError::Contradiction(otherwise.to_owned())),
        }
    }

    fn append(
        &mut self,
        game: GameKey,
        entries: &[Entry],
        claim: Option<&(u64, NewClaim)>,
    ) -> Result<(), StoreError> {
        if let Some((_, claim)) = claim {
            self.refuse_standing(claim)?;
        }
        let last = entries.last().map_or(0, |entry| entry.seq);
        for Entry { seq, x, head, body, secret, is_landmark } in entries {
            let next = next_of(self.connection, self.index, &mut self.pending.next, game)?;
            if seq != next {
                return Err(StoreError::Conflict { expected: *seq, actual: *next });
            }
            let claim = claim.filter(|(of, _)| of == seq).map(|(_, claim)| LoggedClaim::new(claim, last));
            let bytes = claim.as_ref().map(LoggedClaim::to_bytes);
            self.insert.execute(params![game, Whole(*seq), x, head, body, secret, bytes, is_landmark])?;
            let row = self.connection.last_insert_rowid();
            *next += 1;
            self.pending.claims.extend(claim.map(|claim| (self.pending.written.len(), row, claim)));
            self.pending.written.push(Written { game, seq: *seq, row });
        }
        Ok(())
    }

    /// Fails if the claim exists, in the log or in this transaction.
    fn refuse_standing(&self, claim: &NewClaim) -> Result<(), StoreError> {
        let logged = self.index.with(|index| index.claims.row(&claim.digest, claim.fresh_since));
        let here = self.pending.claims.iter().any(|(_, _, pending)| pending.digest == claim.digest);
        if logged.is_some() || here { Err(StoreError::ClaimStands) } else { Ok(()) }
    }

    fn set_status(
        &self,
        game: GameKey,
        status: Status,
        at: u64,
        ended: Option<&(Ending, Option<String>)>,
    ) -> Result<(), StoreError> {
        let (started, finished) = match status {
            Status::Open => return Err(StoreError::Contradiction("a game does not open again".into())),
            Status::Sealed => (None, None),
            Status::Running => (Some(Whole(at)), None),
            Status::Finished | Status::Void => (None, Some(Whole(at))),
        };
        // A game that has ended keeps its status.
        self.update(
            sql::SET_STATUS.sqlite,
            params![
                game,
                status.word(),
                ended.and_then(|(_, result)| result.as_deref()),
                started,
                finished,
                ended.map(|(ending, _)| ending.word())
            ],
            "the game is over or not there",
        )?;
        let mut seats = self.connection.prepare_cached(sql::SET_STATUS_OF_SEATS.sqlite)?;
        seats.execute(params![game, status.word()])?;
        if status == Status::Finished { accounts::count(self.connection, game) } else { Ok(()) }
    }
}

/// Returns the next `seq` of a game.
fn next_of<'p>(
    connection: &Connection,
    index: &SharedLogIndex,
    known: &'p mut HashMap<GameKey, u64>,
    game: GameKey,
) -> Result<&'p mut u64, StoreError> {
    match known.entry(game) {
        Slot::Occupied(next) => Ok(next.into_mut()),
        Slot::Vacant(slot) => {
            let next = match index.with(|index| index.get(game).map(Rows::next)) {
                Some(next) => next,
                None => segment::end(connection, game)?,
            };
            Ok(slot.insert(next))
        }
    }
}

fn add_game(connection: &Connection, game: &GameFacts) -> Result<(), StoreError> {
    let added = connection
        .prepare_cached(
            "INSERT INTO game (id, uuid, creator, ruleset, version, seats, options, title, visibility, invite,
                 move_seconds, server_seed, status, created_at, rematch_of,
                 format, bank_seconds, takebacks, substitutes, rated)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'open', ?13, ?14, ?15, ?16, ?17, ?18, ?19
             WHERE ?14 IS NULL OR NOT EXISTS (SELECT 1 FROM game WHERE rematch_of = ?14 AND status <> 'void')",
        )?
        .execute(params![
            game.key,
            game.uuid.as_bytes(),
            game.creator,
            game.ruleset,
            game.version,
            game.seats,
            game.options,
            game.title,
            game.visibility,
            game.invite,
            game.move_seconds,
            game.server_seed,
            Whole(game.created_at),
            game.rematch_of,
            game.format,
            game.bank_seconds,
            game.takebacks,
            game.substitutes,
            game.rated,
        ])?;
    // Another player has opened the same rematch.
    if added == 0 { Err(StoreError::Gone) } else { Ok(()) }
}
