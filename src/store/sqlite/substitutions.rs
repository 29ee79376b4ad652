//! Seats that are offered to another player.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::{Sqlite, columns::nature};
use crate::store::{
    GameKey, StoreError, SubstitutionChange, SubstitutionRow, sql, traits::SubstitutionStore,
};

pub fn apply(connection: &Connection, change: &SubstitutionChange) -> Result<(), StoreError> {
    match change {
        SubstitutionChange::Offer { game, seat, player, id, code } => {
            let statement = "INSERT INTO substitution (game, seat, player, uuid, code) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (game, seat) DO UPDATE SET player = ?3, uuid = ?4, code = ?5, asker = NULL, taken = NULL";
            connection.prepare_cached(statement)?.execute(params![
                game,
                seat,
                player,
                id.as_bytes(),
                code
            ])?;
        }
        SubstitutionChange::Ask { id, asker, taken, before } => {
            let statement = "UPDATE substitution SET asker = ?2, taken = ?3 WHERE uuid = ?1 AND asker IS ?4";
            let asked = connection.prepare_cached(statement)?.execute(params![
                id.as_bytes(),
                asker,
                taken,
                before
            ])?;
            if asked == 0 {
                return Err(StoreError::Gone);
            }
        }
        SubstitutionChange::Withdraw { game, seat } => {
            let statement = sql::DELETE_SUBSTITUTION.sqlite;
            connection.prepare_cached(statement)?.execute(params![game, seat])?;
        }
    }
    Ok(())
}

const QUERY: &str = sql::SUBSTITUTIONS.sqlite;

fn row(row: &Row) -> rusqlite::Result<SubstitutionRow> {
    let asker: Option<[u8; 16]> = row.get(6)?;
    Ok(SubstitutionRow {
        id: Uuid::from_bytes(row.get(0)?),
        code: row.get(1)?,
        game: Uuid::from_bytes(row.get(2)?),
        seat: row.get(3)?,
        player: row.get(4)?,
        asker: row.get::<_, Option<_>>(5)?.zip(asker.map(Uuid::from_bytes)),
        asker_name: row.get(7)?,
        taken: row.get(8)?,
        asker_nature: nature(row, 9)?,
    })
}

impl SubstitutionStore for Sqlite {
    async fn substitution_by_code(&self, code: &str) -> Result<Option<SubstitutionRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let mut query = connection.prepare_cached(&format!("{QUERY} WHERE code = ?1"))?;
            Ok(query.query_row([code], row).optional()?)
        })
    }

    async fn substitution(&self, game: GameKey, seat: u8) -> Result<Option<SubstitutionRow>, StoreError> {
        self.reads.readers.read(|connection| {
            let query = format!("{QUERY} WHERE substitution.game = ?1 AND seat = ?2");
            Ok(connection.prepare_cached(&query)?.query_row(params![game, seat], row).optional()?)
        })
    }
}
