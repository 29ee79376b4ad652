//! The watermark: the size of the public tree when this server last signed it, stored next to the signing
//! key.
//!
//! A backup that is copied into place is older than its key. A server that continued from it would sign a
//! second history of games whose receipts players have. The watermark refuses that, and names the right way.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use crate::private_file;

pub struct Watermark {
    path: PathBuf,
    /// The signing key. Signatures of another key say nothing about this database.
    key: String,
}

impl Watermark {
    pub fn new(key_file: &Path, verifier_key: &str) -> Self {
        let mut name = key_file.file_name().unwrap_or_default().to_owned();
        name.push(".mark");
        Self { path: key_file.with_file_name(name), key: verifier_key.to_owned() }
    }

    /// Returns the size of the last signed tree.
    fn size(&self) -> io::Result<Option<u64>> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut lines = text.lines();
        let is_own = lines.next() == Some(self.key.as_str());
        Ok(lines.next().filter(|_| is_own).and_then(|size| size.parse().ok()))
    }

    /// Fails if the database has a smaller tree than the last signed one.
    pub fn refuse_older(&self, size: u64) -> Result<(), String> {
        match self.size().map_err(|error| format!("{}: {error}", self.path.display()))? {
            Some(signed) if size < signed => Err(format!(
                "this database is older than its key: the key has signed a public tree of {signed} leaves, the database has {size}. Do not copy a backup into place, because players hold receipts for later moves. Restore it with `playledger restore BACKUP`, or put the newest database back"
            )),
            _ => Ok(()),
        }
    }

    /// Stores the size of a signed tree.
    pub fn keep(&self, size: u64) -> io::Result<()> {
        if self.size()? >= Some(size) {
            return Ok(());
        }
        let draft = self.path.with_added_extension(format!("{}.incomplete", std::process::id()));
        let mut file = private_file::options().write(true).create(true).truncate(true).open(&draft)?;
        file.write_all(format!("{}\n{size}\n", self.key).as_bytes())?;
        file.sync_all()?;
        fs::rename(&draft, &self.path)?;
        private_file::sync_folder_of(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_database_is_refused_for_the_key_that_signed_and_for_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("games.db.key");
        let mark = Watermark::new(&key, "play.example+01");
        assert_eq!(mark.refuse_older(0), Ok(()), "nothing was signed yet");
        mark.keep(10).unwrap();
        assert_eq!((mark.refuse_older(10), mark.refuse_older(11)), (Ok(()), Ok(())));
        let refused = mark.refuse_older(9).unwrap_err();
        assert!(refused.contains("playledger restore") && refused.contains("10 leaves"), "{refused}");
        assert_eq!(Watermark::new(&key, "play.example+02").refuse_older(0), Ok(()), "another key signs now");
        mark.keep(12).unwrap();
        assert!(mark.refuse_older(11).is_err());
    }
}
