//! One playledger a database: two writers would not know of each other's log.

use std::{
    fs::{File, TryLockError},
    path::{Path, PathBuf},
};

use crate::{private_file, store::StoreError};

/// Held as long as the store is open. The system lets go of it when the process ends, however it ends.
pub struct Lock(#[expect(dead_code, reason = "held for their locks")] [Option<File>; 2]);

/// Locks a database. Whatever name it is called by, it is the same file: the file itself is locked where the
/// system keeps such locks apart from those of SQLite, and everywhere one beside its true name, as earlier
/// versions did.
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

/// The name of a database without links in it. A file with a second name is refused: under that one, the
/// write-ahead log would be another.
pub fn true_name(database: &Path) -> Result<PathBuf, StoreError> {
    let path = database.canonicalize()?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&path.metadata()?) > 1 {
        return Err(StoreError::SecondName);
    }
    Ok(path)
}
