//! Connections: one writer, several readers.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use rusqlite::{Connection, OpenFlags, functions::FunctionFlags};

use super::Settings;
use crate::{private_file, store::StoreError};

/// Marks a file as a database of playledger: "plgr".
pub const APPLICATION: i32 = 0x706c_6772;

/// Creates the file, readable only by its owner: it has the seeds of running games. SQLite gives its other
/// files the same permissions.
pub fn make(path: &Path) -> Result<(), StoreError> {
    private_file::options().append(true).create(true).open(path)?;
    Ok(())
}

/// Restricts the permissions of a database that was copied here.
pub fn close_to_others(path: &Path) -> Result<(), StoreError> {
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        private_file::close_to_others(Path::new(&name))?;
    }
    Ok(())
}

pub fn for_writing(path: &Path, settings: &Settings) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(settings.lock_timeout)?;
    claim(&connection, APPLICATION)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // Acknowledged means durable: each commit waits for the disk.
    connection.pragma_update(None, "synchronous", "full")?;
    // `checkpoint.rs` makes checkpoints; this bound holds if it falls behind.
    connection.pragma_update(None, "wal_autocheckpoint", 2_000)?;
    connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
    connection.pragma_update(None, "cache_size", cache(settings.cache_kib / 2))?;
    if let Some(pages) = settings.max_pages {
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Returns the size of a cache as SQLite reads it: below zero it is in KiB.
fn cache(kib: usize) -> i64 {
    i64::try_from(kib.max(64)).map_or(i64::MIN, |kib| -kib)
}

/// Marks an empty file. Fails for a database of another program.
pub fn claim(connection: &Connection, mark: i32) -> Result<(), StoreError> {
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, tables) {
        (found, _) if found == mark => Ok(()),
        (0, 0) => Ok(connection.pragma_update(None, "application_id", mark)?),
        _ => Err(StoreError::Foreign),
    }
}

pub fn for_reading(path: &Path, settings: &Settings) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(settings.lock_timeout)?;
    connection.pragma_update(None, "cache_size", cache(settings.cache_kib / 2 / settings.readers.max(1)))?;
    // SQLite's own knows only the letters of ASCII.
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("lower", 1, flags, |call| {
        Ok(call.get::<Option<String>>(0)?.map(|text| text.to_lowercase()))
    })?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Opens a connection that always sees the present state.
pub fn frozen(path: &Path) -> Result<Connection, StoreError> {
    let connection = for_reading(path, &Settings::default())?;
    connection.execute_batch("BEGIN")?;
    // The first read fixes the snapshot.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// Reading connections, lent for one read each.
pub struct Readers {
    path: PathBuf,
    settings: Settings,
    free: Mutex<Vec<Connection>>,
    /// Whether there is one connection only.
    is_frozen: bool,
}

impl Readers {
    pub fn new(path: &Path, settings: &Settings) -> Result<Self, StoreError> {
        let first = for_reading(path, settings)?;
        Ok(Self {
            path: path.to_owned(),
            settings: settings.clone(),
            free: Mutex::new(vec![first]),
            is_frozen: false,
        })
    }

    /// Lends only this connection.
    pub fn frozen(path: &Path, connection: Connection) -> Self {
        let settings = Settings { readers: 1, ..Settings::default() };
        Self { path: path.to_owned(), settings, free: Mutex::new(vec![connection]), is_frozen: true }
    }

    /// Reads in one snapshot.
    pub fn snapshot<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read(|connection| {
            let snapshot = if self.is_frozen { None } else { Some(connection.unchecked_transaction()?) };
            let done = work(connection);
            drop(snapshot);
            done
        })
    }

    pub fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match free {
            Some(connection) => connection,
            None if self.is_frozen => {
                return Err(StoreError::Other("a snapshot is read twice at once".into()));
            }
            None => for_reading(&self.path, &self.settings)?,
        };
        let done = work(&connection);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.len() < self.settings.readers {
            free.push(connection);
        }
        done
    }
}
