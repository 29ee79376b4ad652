//! The migrations, embedded in the program and applied in order at the start.
//!
//! How many a database has stands in its `user_version`, which changes in the transaction of the migration itself. The
//! first two were counted in a table by an earlier tool. A migration that is out is never edited or taken away.

use rusqlite::{Connection, TransactionBehavior};

use crate::store::StoreError;

/// The first has the number 1.
const MIGRATIONS: [&str; 10] = [
    include_str!("../../../migrations/sqlite/V1__ledger.sql"),
    include_str!("../../../migrations/sqlite/V2__deadline.sql"),
    include_str!("../../../migrations/sqlite/V3__claims.sql"),
    include_str!("../../../migrations/sqlite/V4__limits.sql"),
    include_str!("../../../migrations/sqlite/V5__accounts.sql"),
    include_str!("../../../migrations/sqlite/V6__tables.sql"),
    include_str!("../../../migrations/sqlite/V7__fairlog2.sql"),
    include_str!("../../../migrations/sqlite/V8__bots.sql"),
    include_str!("../../../migrations/sqlite/V9__hooks.sql"),
    include_str!("../../../migrations/sqlite/V10__tree.sql"),
];
/// Where the first ones were counted. Programs of that time refuse a database by it that is too new for them.
const HISTORY: &str = "refinery_schema_history";

/// Brings the schema up to date, and returns its version before and after.
pub fn bring_up_to_date(connection: &mut Connection) -> Result<(u32, u32), StoreError> {
    let known = u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX);
    let has_history = connection.table_exists(None, HISTORY)?;
    let found = version(connection, has_history)?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    // A table that is written anew goes away for a moment from under those that refer to it.
    connection.pragma_update(None, "foreign_keys", false)?;
    for (number, migration) in (1..).zip(MIGRATIONS).filter(|(number, _)| *number > found) {
        let failed = |error: rusqlite::Error| match StoreError::from(error) {
            StoreError::Other(cause) | StoreError::Contradiction(cause) => {
                StoreError::Migration(format!("version {number}: {cause}"))
            }
            known => known,
        };
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        transaction.execute_batch(migration).map_err(failed)?;
        transaction.pragma_update(None, "user_version", number).map_err(failed)?;
        if has_history {
            let note = format!("INSERT INTO {HISTORY} (version, name) VALUES (?1, 'later')");
            transaction.execute(&note, [number]).map_err(failed)?;
        }
        refuse_broken_references(&transaction, number)?;
        transaction.commit().map_err(failed)?;
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok((found, known))
}

fn refuse_broken_references(connection: &Connection, number: u32) -> Result<(), StoreError> {
    let mut broken = connection.prepare("PRAGMA foreign_key_check")?;
    if broken.exists([])? {
        return Err(StoreError::Migration(format!(
            "version {number}: rows refer to others that are not there"
        )));
    }
    Ok(())
}

pub fn is_up_to_date(connection: &Connection) -> Result<bool, StoreError> {
    let found = version(connection, connection.table_exists(None, HISTORY)?)?;
    Ok(usize::try_from(found) == Ok(MIGRATIONS.len()))
}

/// The newest migration that the database has.
fn version(connection: &Connection, has_history: bool) -> Result<u32, StoreError> {
    let counted: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if !has_history {
        return Ok(counted);
    }
    let noted: Option<u32> =
        connection.query_row(&format!("SELECT max(version) FROM {HISTORY}"), [], |row| row.get(0))?;
    Ok(counted.max(noted.unwrap_or(0)))
}
