//! Checkpoints: what is committed moves from the write-ahead log into the file, little by little, so that no commit has to
//! wait for it.

use std::{path::Path, time::Duration};

use super::{Settings, connection, routine::Routine};
use crate::store::StoreError;

const PAUSE: Duration = Duration::from_millis(20);

/// A failure here is met again, and told, by the writer.
pub fn start(path: &Path, settings: &Settings) -> Result<Routine, StoreError> {
    let connection = connection::for_writing(path, &Settings { max_pages: None, ..settings.clone() })?;
    Routine::start("store-checkpoints", PAUSE, move || {
        let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    })
}
