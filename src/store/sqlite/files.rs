//! The files of a database that no server uses.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use crate::{private_file, store::StoreError};

/// Files that SQLite and the lock keep next to a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", ".lock"];

fn beside(database: &Path) -> impl Iterator<Item = PathBuf> {
    BESIDE.iter().map(|ending| {
        let mut name = database.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}

/// Returns a file that would become part of a database of this name: SQLite applies any write-ahead log that
/// it finds.
pub fn leftover(database: &Path) -> Option<PathBuf> {
    let logs = beside(database).filter(|file| !file.to_string_lossy().ends_with(".lock"));
    [database.to_owned()].into_iter().chain(logs).find(|file| file.exists())
}

/// Removes the files of a database.
pub fn remove(database: &Path) -> Result<(), StoreError> {
    for file in beside(database).chain([database.to_owned()]) {
        match fs::remove_file(file) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(())
}

/// Renames a closed database, unless the name exists.
pub fn rename(database: &Path, name: &Path) -> Result<(), StoreError> {
    if let Some(file) = leftover(name) {
        return Err(StoreError::Contradiction(format!("{} is there", file.display())));
    }
    fs::File::open(database)?.sync_all()?;
    fs::rename(database, name)?;
    private_file::sync_folder_of(name)?;
    remove(database)
}
