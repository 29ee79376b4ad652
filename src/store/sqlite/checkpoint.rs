//! Checkpoints: committed pages move from the write-ahead log into the file in small steps, so that no commit
//! waits for them.

use std::{path::Path, time::Duration};

use super::{Settings, connection, worker::Worker};
use crate::store::StoreError;

const PAUSE: Duration = Duration::from_millis(20);

/// The writer meets and reports a failure here.
pub fn start(path: &Path, settings: &Settings) -> Result<Worker, StoreError> {
    let connection = connection::for_writing(path, &Settings { max_pages: None, ..settings.clone() })?;
    let mut last = (0, 0);
    Worker::start("store-checkpoints", PAUSE, move || {
        // The pages in the log, and those that are in the file by now.
        let pages = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
            Ok((row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        });
        let seen = pages.unwrap_or_default();
        std::mem::replace(&mut last, seen) != seen
    })
}
