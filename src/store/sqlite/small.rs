//! Small tables.

use rusqlite::{
    Connection, ToSql, params_from_iter,
    types::{ToSqlOutput, Value, ValueRef},
};

use super::{Sqlite, export::cell};
use crate::store::{
    Cell, StoreError,
    small::{SmallChange, SmallStore},
    sql::Statement,
};

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Number(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}

pub fn apply(connection: &Connection, change: &SmallChange) -> Result<(), StoreError> {
    let SmallChange { statement, values, must_change } = change;
    match connection.prepare_cached(statement.sqlite)?.execute(params_from_iter(values))? {
        0 if *must_change => Err(StoreError::Gone),
        _ => Ok(()),
    }
}

impl SmallStore for Sqlite {
    async fn small_rows(
        &self,
        statement: &'static Statement,
        values: Vec<Cell>,
    ) -> Result<Vec<Vec<Cell>>, StoreError> {
        self.read_aside(move |reads| {
            reads.readers.read(|connection| {
                let mut query = connection.prepare_cached(statement.sqlite)?;
                let width = query.column_count();
                let mut rows = query.query(params_from_iter(&values))?;
                let mut found = Vec::new();
                while let Some(row) = rows.next()? {
                    let cells = (0..width).map(|column| Ok(cell(row.get_ref(column)?)));
                    found.push(cells.collect::<Result<_, StoreError>>()?);
                }
                Ok(found)
            })
        })
        .await
    }
}
