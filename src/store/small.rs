//! Small tables, whose statements are the same on both backends: a row is a list of [`Cell`]s.

use super::{Cell, Store, StoreError, backend::contract, sql::Statement};

/// One statement of a write.
pub struct SmallChange {
    pub statement: &'static Statement,
    pub values: Vec<Cell>,
    /// It must change a row. Otherwise the whole write fails with `Gone`.
    pub must_change: bool,
}

impl SmallChange {
    pub fn new(statement: &'static Statement, values: impl Into<Vec<Cell>>) -> Self {
        Self { statement, values: values.into(), must_change: false }
    }

    /// Makes a change that fails with `Gone` if it changes no row.
    pub fn of_existing(statement: &'static Statement, values: impl Into<Vec<Cell>>) -> Self {
        Self { must_change: true, ..Self::new(statement, values) }
    }
}

contract! {
    /// Questions to small tables.
    pub trait SmallStore {
        /// Returns the rows of a query.
        async fn small_rows(statement: &'static Statement, values: Vec<Cell>) -> Vec<Vec<Cell>>;
    }
}
