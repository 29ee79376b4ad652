//! Small tables.

use tokio_postgres::{Row, types::Type};
use uuid::Uuid;

use super::{
    Postgres,
    columns::Int,
    link::{Fail, Value},
    transaction::Transaction,
};
use crate::store::{
    Cell, StoreError,
    small::{SmallChange, SmallStore},
    sql::Statement,
};

pub async fn apply(transaction: &Transaction<'_>, change: &SmallChange) -> Result<(), Fail> {
    let values: Vec<Value<'_>> = change.values.iter().map(|cell| cell as Value<'_>).collect();
    match transaction.run(change.statement.postgres, &values).await? {
        0 if change.must_change => Err(StoreError::Gone.into()),
        _ => Ok(()),
    }
}

fn cell(row: &Row, column: usize) -> Result<Cell, StoreError> {
    let cell = match *row.columns()[column].type_() {
        Type::BOOL => row.try_get::<_, Option<bool>>(column)?.map(|is| Cell::Number(is.into())),
        Type::UUID => row.try_get::<_, Option<Uuid>>(column)?.map(Cell::from),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(column)?.map(Cell::Bytes),
        Type::TEXT => row.try_get::<_, Option<String>>(column)?.map(Cell::Text),
        _ => row.try_get::<_, Option<Int>>(column)?.map(|Int(number)| Cell::Number(number)),
    };
    Ok(cell.unwrap_or(Cell::Null))
}

impl SmallStore for Postgres {
    async fn small_rows(
        &self,
        statement: &'static Statement,
        values: Vec<Cell>,
    ) -> Result<Vec<Vec<Cell>>, StoreError> {
        let values: Vec<Value<'_>> = values.iter().map(|cell| cell as Value<'_>).collect();
        let row = |row: &Row| (0..row.len()).map(|column| cell(row, column)).collect();
        self.all(statement.postgres, &values, row).await
    }
}
