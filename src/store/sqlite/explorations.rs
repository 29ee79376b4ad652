//! Games that are played on from a position, for oneself.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::{Reads, columns::Whole};
use crate::store::{ExplorationChange, ExplorationRow, StoreError, exploration};

pub fn apply(connection: &Connection, change: &ExplorationChange) -> Result<(), StoreError> {
    match change {
        ExplorationChange::Add(row) => add(connection, row),
        ExplorationChange::SetCommands { id, before, commands } => {
            let statement = "UPDATE exploration SET commands = ?3 WHERE uuid = ?1 AND commands = ?2";
            match connection.prepare_cached(statement)?.execute(params![id.as_bytes(), before, commands])? {
                1 => Ok(()),
                _ => Err(StoreError::Gone),
            }
        }
        ExplorationChange::Remove { id, player } => {
            let statement = "DELETE FROM exploration WHERE uuid = ?1 AND player = ?2";
            connection.prepare_cached(statement)?.execute(params![id.as_bytes(), player])?;
            Ok(())
        }
        ExplorationChange::Forget { before } => {
            let statement = "DELETE FROM exploration WHERE created_at < ?1";
            connection.prepare_cached(statement)?.execute([Whole(*before)])?;
            Ok(())
        }
    }
}

fn add(connection: &Connection, row: &ExplorationRow) -> Result<(), StoreError> {
    let ExplorationRow { id, player, game, seq, seat, seed, levels, commands, created_at, .. } = row;
    connection
        .prepare_cached(
            "INSERT INTO exploration (uuid, player, game, seq, seat, seed, levels, commands, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            id.as_bytes(),
            player,
            game,
            Whole(*seq),
            seat,
            seed,
            levels,
            commands,
            Whole(*created_at)
        ])?;
    connection
        .prepare_cached(
            "DELETE FROM exploration WHERE player = ?1 AND uuid NOT IN
             (SELECT uuid FROM exploration WHERE player = ?1 ORDER BY created_at DESC, uuid DESC LIMIT ?2)",
        )?
        .execute(params![player, exploration::MOST])?;
    Ok(())
}

fn exploration(row: &Row) -> rusqlite::Result<ExplorationRow> {
    let (Whole(seq), Whole(created_at)) = (row.get(4)?, row.get(9)?);
    Ok(ExplorationRow {
        id: Uuid::from_bytes(row.get(0)?),
        player: row.get(1)?,
        game: row.get(2)?,
        game_id: Uuid::from_bytes(row.get(3)?),
        seq,
        seat: row.get(5)?,
        seed: row.get(6)?,
        levels: row.get(7)?,
        commands: row.get(8)?,
        created_at,
    })
}

impl Reads {
    pub fn exploration(&self, id: Uuid) -> Result<Option<ExplorationRow>, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT exploration.uuid, player, exploration.game, game.uuid, exploration.seq, seat, seed, levels, commands,
                 exploration.created_at FROM exploration JOIN game ON game.id = exploration.game WHERE exploration.uuid = ?1";
            Ok(connection.prepare_cached(query)?.query_row([id.as_bytes()], exploration).optional()?)
        })
    }

    pub fn has_explorations_before(&self, before: u64) -> Result<bool, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT EXISTS (SELECT 1 FROM exploration WHERE created_at < ?1)";
            Ok(connection.prepare_cached(query)?.query_row([Whole(before)], |row| row.get(0))?)
        })
    }
}
