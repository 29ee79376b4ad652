//! The content of a database, for a copy to another store without running servers.

use std::{path::Path, sync::Arc};

use rusqlite::{Connection, types::ValueRef};
use uuid::Uuid;

use super::{
    Reads, Settings,
    claims::LoggedClaim,
    columns::Whole,
    connection,
    lock::{self, Lock},
    log_index::SharedLogIndex,
    migrate,
};
use crate::store::{Cell, CopiedTable, GameKey, Opening, StoreError};

pub struct Export {
    connection: Connection,
    reads: Reads,
    _lock: Lock,
}

impl Export {
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Io(std::io::Error::from(std::io::ErrorKind::NotFound)));
        }
        let path = &lock::true_name(path)?;
        let lock = lock::take(path)?;
        let settings = Settings::default();
        let mut connection = connection::for_writing(path, &settings)?;
        migrate::bring_up_to_date(&mut connection)?;
        let index = Arc::new(SharedLogIndex::scan(path, &settings)?);
        let reads = Reads::new(path, &settings, index)?;
        Ok(Self { connection, reads, _lock: lock })
    }

    /// Returns some rows of a table.
    pub fn rows(&self, table: &CopiedTable, from: u64, count: u64) -> Result<Vec<Vec<Cell>>, StoreError> {
        let CopiedTable { name, columns, read } = table;
        let read = read.map_or_else(|| format!("SELECT {columns} FROM {name}"), str::to_owned);
        let mut query = self.connection.prepare_cached(&format!("{read} LIMIT ?1 OFFSET ?2"))?;
        let width = query.column_count();
        let mut rows = query.query([Whole(count), Whole(from)])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(
                (0..width).map(|column| Ok(cell(row.get_ref(column)?))).collect::<Result<_, StoreError>>()?,
            );
        }
        Ok(found)
    }

    /// Returns the claims in log rows: digest, fingerprint, time, game, `seq`, and last `seq` of the commit.
    pub fn logged_claims(&self) -> Result<Vec<Vec<Cell>>, StoreError> {
        let mut query =
            self.connection.prepare("SELECT game, seq, claim FROM log WHERE claim IS NOT NULL")?;
        let mut rows = query.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let claim = LoggedClaim::read(row.get_ref(2)?.as_blob().map_err(rusqlite::Error::from)?)?;
            found.push(vec![
                Cell::Bytes(claim.digest.to_vec()),
                Cell::Bytes(claim.fingerprint.to_vec()),
                Cell::Number(claim.at.cast_signed()),
                Cell::Number(row.get(0)?),
                Cell::Number(row.get(1)?),
                Cell::Number(claim.last.cast_signed()),
            ]);
        }
        Ok(found)
    }

    /// Returns all games, oldest first.
    pub fn games(&self) -> Result<Vec<(Uuid, GameKey)>, StoreError> {
        let mut query = self.connection.prepare("SELECT uuid, id FROM game ORDER BY id")?;
        let games = query.query_map([], |row| Ok((Uuid::from_bytes(row.get(0)?), row.get(1)?)))?;
        Ok(games.collect::<rusqlite::Result<_>>()?)
    }

    pub fn opening(&self, game: Uuid) -> Result<Option<Opening>, StoreError> {
        self.reads.opening(game)
    }
}

pub fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Integer(number) => Cell::Number(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        // No column has fractions.
        ValueRef::Null | ValueRef::Real(_) => Cell::Null,
    }
}
