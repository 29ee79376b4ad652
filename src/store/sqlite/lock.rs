//! The lock of a database: two writers would corrupt each other's log.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
};

use crate::{private_file, store::StoreError};

/// Held while the store is open. The system releases it when the process ends.
pub struct Lock(#[expect(dead_code, reason = "held for their locks")] [Option<File>; 2]);

/// Locks a database under any of its names: the file itself where the system separates such locks from
/// SQLite's, and a file next to its real name.
pub fn take(database: &Path) -> Result<Lock, StoreError> {
    let mut name = database.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let beside = private_file::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(database.with_file_name(name))?;
    lock(&beside, database)?;
    let itself = if cfg!(target_os = "linux") { Some(File::open(database)?) } else { None };
    if let Some(file) = &itself {
        lock(file, database)?;
    }
    Ok(Lock([Some(beside), itself]))
}

fn lock(file: &File, database: &Path) -> Result<(), StoreError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(database.to_owned())),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Resolves links in a name. Fails for a file with a second hard link, under which the write-ahead log would
/// have another name.
pub fn true_name(database: &Path) -> Result<PathBuf, StoreError> {
    let path = database.canonicalize()?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&path.metadata()?) > 1 {
        return Err(StoreError::SecondName);
    }
    Ok(path)
}
