//! Migrations, embedded in the program and applied in order at the start.
//!
//! `user_version` counts them, and changes in the transaction of each migration. A released migration is
//! never edited or removed.

use rusqlite::{Connection, TransactionBehavior};

use crate::store::StoreError;

/// Number of the first migration. Databases of 0.1 and 0.2 have smaller numbers.
const FIRST: u32 = 11;
/// All migrations, with their numbers.
const MIGRATIONS: &[(u32, &str)] = &[(FIRST, include_str!("../../../migrations/sqlite/V11__ledger.sql"))];
const NEWEST: u32 = MIGRATIONS[MIGRATIONS.len() - 1].0;
/// The table in which 0.1 counted its migrations.
const HISTORY: &str = "refinery_schema_history";

/// Brings the schema up to date, and returns its version before and after.
pub fn bring_up_to_date(connection: &mut Connection) -> Result<(u32, u32), StoreError> {
    let found = version(connection)?;
    if found > NEWEST {
        return Err(StoreError::Newer { found, known: NEWEST });
    }
    // A table is missing for a moment while it is created again, and others refer to it.
    connection.pragma_update(None, "foreign_keys", false)?;
    for (number, migration) in MIGRATIONS.iter().filter(|(number, _)| *number > found) {
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
        refuse_broken_references(&transaction, *number)?;
        transaction.commit().map_err(failed)?;
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok((found, NEWEST))
}

fn refuse_broken_references(connection: &Connection, number: u32) -> Result<(), StoreError> {
    let mut broken = connection.prepare("PRAGMA foreign_key_check")?;
    if broken.exists([])? {
        return Err(StoreError::Migration(format!("version {number}: rows refer to missing rows")));
    }
    Ok(())
}

pub fn is_up_to_date(connection: &Connection) -> Result<bool, StoreError> {
    Ok(version(connection)? == NEWEST)
}

/// Returns the newest migration of the database, 0 if it is empty.
fn version(connection: &Connection) -> Result<u32, StoreError> {
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if (1..FIRST).contains(&found) || connection.table_exists(None, HISTORY)? {
        return Err(StoreError::Older);
    }
    Ok(found)
}
