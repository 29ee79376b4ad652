//! Checkpoints: committed pages move from the write-ahead log into the file in small steps, so that no commit
//! waits for them.

use std::{path::Path, time::Duration};

use super::{Settings, connection, worker::Worker};
use crate::store::StoreError;

const PAUSE: Duration = Duration::from_millis(20);

/// The writer meets and reports a failure here.
pub fn start(path: &Path, settings: &Settings) -> Result<Worker, StoreError> {
    let connection = connection::for_writing(path, &Settings { max_pages: None, ..settings.clone() })?;
    Worker::start("store-checkpoints", PAUSE, move || {
        let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    })
}
