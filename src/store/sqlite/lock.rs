//! One playledger a database: two writers would not know of each other's log.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
};

use crate::store::StoreError;

/// Held as long as the store is open. The system lets go of it when the process ends, however it ends.
pub struct Lock(#[expect(dead_code, reason = "held for its lock")] File);

pub fn take(database: &Path) -> Result<Lock, StoreError> {
    let mut name = database.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let file =
        OpenOptions::new().write(true).create(true).truncate(false).open(database.with_file_name(name))?;
    match file.try_lock() {
        Ok(()) => Ok(Lock(file)),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(database.to_owned())),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}
