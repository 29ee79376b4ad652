//! Changes, carried out one by one inside the writer's transaction.

use std::collections::{HashMap, hash_map::Entry as Slot};

use rusqlite::{Connection, params};

use super::{
    Change, Entry, GameKey, NewGame, NewPlayer, Status, StoreError, Write,
    log_index::{LogIndex, SharedLogIndex},
};

/// What a transaction will have changed in the log once it is committed.
#[derive(Default)]
pub struct Pending {
    touched: HashMap<GameKey, Touched>,
    /// The game of each row, in the order of writing, so that a savepoint can be taken back.
    written: Vec<GameKey>,
}

/// What a transaction added to one game.
struct Touched {
    first: u64,
    rows: Vec<i64>,
}

impl Touched {
    const fn next(&self) -> u64 {
        self.first + self.rows.len() as u64
    }
}

impl Pending {
    /// How far the transaction has come.
    pub const fn mark(&self) -> usize {
        self.written.len()
    }

    /// Forgets what a savepoint took back.
    pub fn undo_to(&mut self, mark: usize) {
        for game in self.written.drain(mark..) {
            if let Some(touched) = self.touched.get_mut(&game) {
                touched.rows.pop();
            }
        }
    }

    /// Shows the readers what was committed.
    pub fn publish(self, index: &mut LogIndex) {
        for (game, touched) in self.touched {
            for (seq, row) in (touched.first..).zip(touched.rows) {
                index.push(game, seq, row);
            }
        }
    }

    /// What the transaction added to this game, which begins where its log ends.
    fn touch(
        &mut self,
        connection: &Connection,
        index: &SharedLogIndex,
        game: GameKey,
    ) -> Result<&mut Touched, StoreError> {
        match self.touched.entry(game) {
            Slot::Occupied(touched) => Ok(touched.into_mut()),
            Slot::Vacant(slot) => {
                let in_tail = index.with(|index| index.get(game).map(super::log_index::Rows::next));
                let first = match in_tail {
                    Some(next) => next,
                    None => connection
                        .prepare_cached("SELECT coalesce(max(last), -1) + 1 FROM segment WHERE game = ?1")?
                        .query_row([game.0], |row| row.get::<_, i64>(0))?
                        .cast_unsigned(),
                };
                Ok(slot.insert(Touched { first, rows: Vec::new() }))
            }
        }
    }

    fn append(
        &mut self,
        connection: &Connection,
        index: &SharedLogIndex,
        game: GameKey,
        entries: &[Entry],
    ) -> Result<(), StoreError> {
        let mut insert = connection.prepare_cached(
            "INSERT INTO log (game, seq, x, head, body, secret) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for Entry { seq, x, head, body, secret } in entries {
            let touched = self.touch(connection, index, game)?;
            let actual = touched.next();
            if *seq != actual {
                return Err(StoreError::Conflict { expected: *seq, actual });
            }
            insert.execute(params![game.0, seq.cast_signed(), x, head, body, secret])?;
            touched.rows.push(connection.last_insert_rowid());
            self.written.push(game);
        }
        Ok(())
    }
}

/// Carries out all changes of a write.
pub fn apply(
    connection: &Connection,
    index: &SharedLogIndex,
    pending: &mut Pending,
    write: &Write,
) -> Result<(), StoreError> {
    write.changes.iter().try_for_each(|change| apply_one(connection, index, pending, change))
}

fn apply_one(
    connection: &Connection,
    index: &SharedLogIndex,
    pending: &mut Pending,
    change: &Change,
) -> Result<(), StoreError> {
    match change {
        Change::Append { game, entries } => return pending.append(connection, index, *game, entries),
        Change::AddPlayer(player) => add_player(connection, player)?,
        Change::SetToken { player, token } => {
            let mut update = connection.prepare_cached("UPDATE player SET token = ?2 WHERE id = ?1")?;
            one_row(update.execute(params![player.0, token])?, "the player is not there")?;
        }
        Change::AddGame(game) => add_game(connection, game)?,
        Change::TakeSeat { game, seat, player, entropy } => {
            connection
                .prepare_cached("INSERT INTO seat (game, seat, player, entropy) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![game.0, seat, player.0, entropy])?;
        }
        Change::FreeSeat { game, seat } => {
            let mut delete = connection.prepare_cached("DELETE FROM seat WHERE game = ?1 AND seat = ?2")?;
            one_row(delete.execute(params![game.0, seat])?, "the seat is free")?;
        }
        Change::SetEntropy { game, seat, entropy } => {
            let mut update =
                connection.prepare_cached("UPDATE seat SET entropy = ?3 WHERE game = ?1 AND seat = ?2")?;
            one_row(update.execute(params![game.0, seat, entropy])?, "the seat is free")?;
        }
        Change::SetControl { game, seat, control } => {
            let mut update =
                connection.prepare_cached("UPDATE seat SET control = ?3 WHERE game = ?1 AND seat = ?2")?;
            one_row(update.execute(params![game.0, seat, control])?, "the seat is free")?;
        }
        Change::SetStatus { game, status, at, result } => {
            set_status(connection, *game, *status, *at, result.as_deref())?;
        }
        Change::SetDeadline { game, at } => {
            let mut update = connection.prepare_cached("UPDATE game SET deadline = ?2 WHERE id = ?1")?;
            one_row(update.execute(params![game.0, at.map(u64::cast_signed)])?, "the game is not there")?;
        }
        Change::KeepAnswer { answer, fresh_since } => answer.keep(connection, *fresh_since)?,
        Change::AddSegments(segments) => segments.iter().try_for_each(|segment| segment.add(connection))?,
        Change::Clear { upto } => {
            connection.prepare_cached("DELETE FROM log WHERE id <= ?1")?.execute([upto])?;
        }
    }
    Ok(())
}

fn one_row(changed: usize, otherwise: &str) -> Result<(), StoreError> {
    if changed == 1 { Ok(()) } else { Err(StoreError::Contradiction(otherwise.to_owned())) }
}

fn add_player(connection: &Connection, player: &NewPlayer) -> Result<(), StoreError> {
    let NewPlayer { key, uuid, name, token, created_at } = player;
    connection
        .prepare_cached("INSERT INTO player (id, uuid, name, token, created_at) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![key.0, uuid.as_bytes(), name, token, created_at.cast_signed()])?;
    Ok(())
}

fn add_game(connection: &Connection, game: &NewGame) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO game (id, uuid, creator, ruleset, version, seats, options, title, visibility, invite,
                 move_seconds, server_seed, status, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 'open', ?13)",
        )?
        .execute(params![
            game.key.0,
            game.uuid.as_bytes(),
            game.creator.0,
            game.ruleset,
            game.version,
            game.seats,
            game.options,
            game.title,
            game.visibility,
            game.invite,
            game.move_seconds,
            game.server_seed,
            game.created_at.cast_signed(),
        ])?;
    Ok(())
}

fn set_status(
    connection: &Connection,
    game: GameKey,
    status: Status,
    at: u64,
    result: Option<&str>,
) -> Result<(), StoreError> {
    let column = match status {
        Status::Open => return Err(StoreError::Contradiction("a game does not open again".into())),
        Status::Sealed => "sealed_at",
        Status::Running => "started_at",
        Status::Finished | Status::Void => "finished_at",
    };
    // A game that is over stays over.
    let update = format!(
        "UPDATE game SET status = ?2, {column} = ?3, result = ?4 WHERE id = ?1 AND status NOT IN ('finished', 'void')"
    );
    let changed =
        connection.prepare_cached(&update)?.execute(params![game.0, status, at.cast_signed(), result])?;
    one_row(changed, "the game is over or not there")
}
