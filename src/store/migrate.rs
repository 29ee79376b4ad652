//! The migrations, embedded in the program and applied in order at the start.

use rusqlite::Connection;

use super::StoreError;

mod embedded {
    refinery::embed_migrations!("migrations");
}

pub fn bring_up_to_date(connection: &mut Connection) -> Result<(), StoreError> {
    let runner = embedded::migrations::runner();
    let known = runner.get_migrations().iter().map(|migration| version(migration.version())).max();
    let known = known.unwrap_or_default();
    if let Some(found) = applied(connection)?.filter(|found| *found > known) {
        return Err(StoreError::Newer { found, known });
    }
    runner.run(connection).map(|_| ()).map_err(|error| StoreError::Migration(error.to_string()))
}

/// The newest migration that the database has.
fn applied(connection: &Connection) -> Result<Option<u32>, StoreError> {
    const HISTORY: &str = "refinery_schema_history";
    if !connection.table_exists(None, HISTORY)? {
        return Ok(None);
    }
    let query = format!("SELECT max(version) FROM {HISTORY}");
    Ok(connection.query_row(&query, [], |row| row.get(0))?)
}

fn version(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}
