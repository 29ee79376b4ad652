//! Copy of a file into this database. It can be resumed after a stop; servers start only after its end.

use std::error::Error;

use futures_util::future::try_join_all;
use tokio_postgres::types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use uuid::Uuid;

use super::{
    Postgres,
    columns::{Int, get},
    link::{Fail, Link, Value, again},
};
use crate::store::{Cell, CopiedTable, Entry, GameKey, StoreError};

impl ToSql for Cell {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self, kind) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Number(number), &Type::BOOL) => (*number != 0).to_sql(kind, out),
            (Self::Number(number), _) => Int(*number).to_sql(kind, out),
            (Self::Text(text), _) => text.to_sql(kind, out),
            (Self::Bytes(bytes), &Type::UUID) => Uuid::from_slice(bytes)?.to_sql(kind, out),
            (Self::Bytes(bytes), _) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl Postgres {
    /// Begins or resumes the copy of a ledger. Fails for a database with other games.
    pub async fn begin_import(&self, keys: &[String]) -> Result<(), StoreError> {
        let is_begun = self.is("SELECT moving FROM ledger", &[]).await?;
        let known: Vec<String> = self.all("SELECT key FROM signing_key", &[], |row| get(row, 0)).await?;
        let is_empty = known.is_empty() && !self.is("SELECT EXISTS (SELECT 1 FROM player)", &[]).await?;
        let is_same = is_begun && known.iter().all(|key| keys.contains(key));
        if !is_empty && !is_begun && known.iter().all(|key| keys.contains(key)) {
            let why =
                "this file was already moved, and games may have continued there: rename it to FILE.moved";
            return Err(StoreError::Contradiction(why.into()));
        }
        if !(is_empty || is_same) {
            return Err(StoreError::Contradiction("this database already contains games".into()));
        }
        self.reader().execute("UPDATE ledger SET moving = true", &[]).await.map(|_| ())
    }

    /// Ends the copy. Servers may start now.
    pub async fn end_import(&self) -> Result<(), StoreError> {
        self.reader().execute("UPDATE ledger SET moving = false, hooks = hooks + 1", &[]).await.map(|_| ())
    }

    /// Adds rows to a table, and skips existing ones.
    pub async fn import(&self, table: &CopiedTable, rows: &[Vec<Cell>]) -> Result<(), StoreError> {
        Ok(again!(self.reader(), link => import(&link, table, rows).await.map_err(Fail::Wire))?)
    }

    /// Adds the log of a game, each entry with its time.
    pub async fn import_log(&self, game: GameKey, entries: &[(u64, Entry)]) -> Result<(), StoreError> {
        let table = CopiedTable {
            name: "log",
            columns: "game, seq, at, x, head, body, secret, landmark",
            read: None,
        };
        let row = |(at, entry): &(u64, Entry)| {
            vec![
                Cell::Number(game.0),
                Cell::Number(entry.seq.cast_signed()),
                Cell::Number(at.cast_signed()),
                Cell::Bytes(entry.x.to_vec()),
                Cell::Bytes(entry.head.to_vec()),
                Cell::Bytes(entry.body.clone()),
                entry.secret.clone().map_or(Cell::Null, Cell::Bytes),
                Cell::Number(entry.is_landmark.into()),
            ]
        };
        self.import(&table, &entries.iter().map(row).collect::<Vec<_>>()).await
    }
}

/// One transaction, with its statements pipelined.
async fn import(link: &Link, table: &CopiedTable, rows: &[Vec<Cell>]) -> Result<(), tokio_postgres::Error> {
    let Some(first) = rows.first() else { return Ok(()) };
    let places: Vec<String> = (1..=first.len()).map(|place| format!("${place}")).collect();
    let CopiedTable { name, columns, .. } = table;
    let insert =
        format!("INSERT INTO {name} ({columns}) VALUES ({}) ON CONFLICT DO NOTHING", places.join(", "));
    // Prepares the statement once for all rows.
    link.prepared(&insert).await?;
    link.run("BEGIN").await?;
    let added = try_join_all(rows.iter().map(async |row| {
        let values: Vec<Value<'_>> = row.iter().map(|cell| cell as Value<'_>).collect();
        link.execute(&insert, &values).await
    }));
    let added = added.await;
    link.run(if added.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
    added.map(|_| ())
}
