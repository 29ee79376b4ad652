//! Explorations.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::{Reads, Sqlite, columns::Whole};
use crate::store::{
    Change, ExplorationChange, ExplorationRow, StoreError, Write, exploration, sql,
    traits::{Database as _, ExplorationStore},
};

pub fn apply(connection: &Connection, change: &ExplorationChange) -> Result<(), StoreError> {
    match change {
        ExplorationChange::Add(row) => add(connection, row),
        ExplorationChange::SetCommands { id, before, commands } => {
            let statement = sql::SET_EXPLORED_COMMANDS.sqlite;
            match connection.prepare_cached(statement)?.execute(params![id.as_bytes(), before, commands])? {
                1 => Ok(()),
                _ => Err(StoreError::Gone),
            }
        }
        ExplorationChange::Remove { id, player } => {
            let statement = sql::DELETE_EXPLORATION.sqlite;
            connection.prepare_cached(statement)?.execute(params![id.as_bytes(), player])?;
            Ok(())
        }
        ExplorationChange::Forget { before } => {
            let statement = sql::DELETE_OLD_EXPLORATIONS.sqlite;
            connection.prepare_cached(statement)?.execute([Whole(*before)])?;
            Ok(())
        }
    }
}

fn add(connection: &Connection, row: &ExplorationRow) -> Result<(), StoreError> {
    let ExplorationRow { id, player, game, seq, seat, seed, levels, commands, created_at, .. } = row;
    connection.prepare_cached(sql::ADD_EXPLORATION.sqlite)?.execute(params![
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
    connection.prepare_cached(sql::TRIM_EXPLORATIONS.sqlite)?.execute(params![player, exploration::MOST])?;
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
    pub fn has_explorations_before(&self, before: u64) -> Result<bool, StoreError> {
        self.readers.read(|connection| {
            let query = sql::HAS_OLD_EXPLORATIONS.sqlite;
            Ok(connection.prepare_cached(query)?.query_row([Whole(before)], |row| row.get(0))?)
        })
    }
}

impl ExplorationStore for Sqlite {
    async fn exploration(&self, id: Uuid) -> Result<Option<ExplorationRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = sql::EXPLORATION.sqlite;
            Ok(connection.prepare_cached(query)?.query_row([id.as_bytes()], exploration).optional()?)
        })
    }

    async fn forget_explorations(&self, before: u64) -> Result<(), StoreError> {
        if self.reads.has_explorations_before(before)? {
            let forget = ExplorationChange::Forget { before };
            self.write(Write::of(Change::Exploration(forget))).await?;
        }
        Ok(())
    }
}
