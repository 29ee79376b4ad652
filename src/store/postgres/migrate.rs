//! The schema, migrated by the first server to start; the others wait.

use super::{
    columns::{Int, get},
    link::Link,
};
use crate::store::StoreError;

/// Number of the first migration. Databases of 0.1 and 0.2 have smaller numbers.
const FIRST: u32 = 2;
const NEWEST: u32 = MIGRATIONS[MIGRATIONS.len() - 1].0;
/// The oldest program, by its newest migration, that can work with the newest schema.
const OLDEST: u32 = FIRST;
/// All migrations, with their numbers.
const MIGRATIONS: &[(u32, &str)] = &[(FIRST, include_str!("../../../migrations/postgres/V2__ledger.sql"))];

/// Brings the schema up to date, and returns its version before and after.
pub async fn bring_up_to_date(link: &Link) -> Result<(u32, u32), StoreError> {
    link.run("BEGIN; SELECT pg_advisory_xact_lock(hashtext('playledger'), hashtext(current_schema()))")
        .await?;
    let done = steps(link).await;
    link.run(if done.is_ok() { "COMMIT" } else { "ROLLBACK" }).await?;
    done
}

async fn steps(link: &Link) -> Result<(u32, u32), StoreError> {
    let found = version(link).await?;
    if (1..FIRST).contains(&found) {
        return Err(StoreError::Older);
    }
    if found >= NEWEST {
        return oldest_allowed(link, found).await.map(|()| (found, found));
    }
    for (number, migration) in MIGRATIONS.iter().filter(|(number, _)| *number > found) {
        let told = |error| StoreError::Migration(format!("step {number}: {}", super::failure::told(&error)));
        link.run(migration).await.map_err(told)?;
    }
    let note = "INSERT INTO ledger (one, id, version, oldest) VALUES ($1, gen_random_uuid(), $2, $3)
        ON CONFLICT (one) DO UPDATE SET version = excluded.version, oldest = excluded.oldest";
    link.execute(note, &[&Int(1), &Int(NEWEST.into()), &Int(OLDEST.into())]).await?;
    Ok((found, NEWEST))
}

/// Returns the version of the schema, 0 before the first migration.
async fn version(link: &Link) -> Result<u32, StoreError> {
    let is_there = "SELECT to_regclass('ledger') IS NOT NULL";
    let Some(row) = link.query(is_there, &[]).await?.pop() else { return Ok(0) };
    if !get::<bool>(&row, 0)? {
        return Ok(0);
    }
    match link.query("SELECT version FROM ledger", &[]).await?.pop() {
        Some(row) => get(&row, 0),
        None => Err(StoreError::Foreign),
    }
}

/// Fails if a newer schema excludes this program.
async fn oldest_allowed(link: &Link, found: u32) -> Result<(), StoreError> {
    let row = link.query("SELECT oldest FROM ledger", &[]).await?.pop().ok_or(StoreError::Foreign)?;
    let oldest: u32 = get(&row, 0)?;
    if oldest > NEWEST { Err(StoreError::Newer { found, known: NEWEST }) } else { Ok(()) }
}
