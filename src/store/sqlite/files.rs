//! The files of a database, as long as nobody serves it.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use crate::{private_file, store::StoreError};

/// What SQLite and the lock keep beside a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", ".lock"];

fn beside(database: &Path) -> impl Iterator<Item = PathBuf> {
    BESIDE.iter().map(|ending| {
        let mut name = database.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}

/// A file that would be taken for a part of a database of this name: SQLite plays a write-ahead log into
/// whatever database it finds beside it.
pub fn leftover(database: &Path) -> Option<PathBuf> {
    let logs = beside(database).filter(|file| !file.to_string_lossy().ends_with(".lock"));
    [database.to_owned()].into_iter().chain(logs).find(|file| file.exists())
}

/// Removes what is left of a database.
pub fn remove(database: &Path) -> Result<(), StoreError> {
    for file in beside(database).chain([database.to_owned()]) {
        match fs::remove_file(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

/// Gives a database that was closed its name, if nothing is there.
pub fn rename(database: &Path, name: &Path) -> Result<(), StoreError> {
    if let Some(file) = leftover(name) {
        return Err(StoreError::Contradiction(format!("{} is there", file.display())));
    }
    fs::File::open(database)?.sync_all()?;
    fs::rename(database, name)?;
    private_file::sync_folder_of(name)?;
    remove(database)
}
