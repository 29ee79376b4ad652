//! Backups and examinations of a live database.

use std::{fs, path::Path, time::Duration};

use rusqlite::{Connection, backup::Backup};

use super::{Settings, connection};
use crate::{private_file, store::StoreError};

/// The result of an examination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Examination {
    /// Faults that SQLite found.
    pub problems: Vec<String>,
    pub games: u64,
    pub entries_in_log: u64,
    pub segments: u64,
}

/// Copies a database that may be in use. A failed copy leaves no file.
pub fn backup(database: &Path, copy: &Path) -> Result<Examination, StoreError> {
    if copy.exists() {
        return Err(StoreError::Io(std::io::Error::from(std::io::ErrorKind::AlreadyExists)));
    }
    let settings = Settings::default();
    let draft = copy.with_added_extension("incomplete");
    let _ = fs::remove_file(&draft);
    let source = connection::for_reading(database, &settings)?;
    let made = copy_whole(&source, &draft).and_then(|()| check(&draft));
    match made {
        Ok(health) if health.problems.is_empty() => {
            fs::File::open(&draft)?.sync_all()?;
            fs::rename(&draft, copy)?;
            private_file::sync_folder_of(copy)?;
            Ok(health)
        }
        Ok(health) => {
            let _ = fs::remove_file(&draft);
            Err(StoreError::Corrupt(health.problems.join("; ")))
        }
        Err(error) => {
            let _ = fs::remove_file(&draft);
            Err(error)
        }
    }
}

fn copy_whole(source: &Connection, draft: &Path) -> Result<(), StoreError> {
    // One read transaction copies one moment.
    let snapshot = source.unchecked_transaction()?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    connection::make(draft)?;
    let mut copy = Connection::open(draft)?;
    Backup::new(&snapshot, &mut copy)?.run_to_completion(4_096, Duration::ZERO, None)?;
    // The copy is a single file, without a write-ahead log.
    copy.pragma_update(None, "journal_mode", "delete")?;
    Ok(())
}

/// Examines every page of a database.
pub fn check(database: &Path) -> Result<Examination, StoreError> {
    check_open(&connection::for_reading(database, &Settings::default())?)
}

/// Examines every page of an open database.
pub fn check_open(connection: &Connection) -> Result<Examination, StoreError> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != connection::APPLICATION {
        return Err(StoreError::Foreign);
    }
    let mut problems = Vec::new();
    let mut query = connection.prepare("PRAGMA integrity_check")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            problems.push(line);
        }
    }
    let count = |table: &str| -> u64 {
        let query = format!("SELECT count(*) FROM {table}");
        connection.query_row(&query, [], |row| row.get::<_, i64>(0)).unwrap_or_default().cast_unsigned()
    };
    Ok(Examination {
        problems,
        games: count("game"),
        entries_in_log: count("log"),
        segments: count("segment"),
    })
}
