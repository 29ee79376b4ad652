//! The server's signing key on disk: made once, beside the database, for its owner's eyes only.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{ledger::receipt::Signer, private_file};

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the signing key {path} cannot be read or made: {cause}")]
    Io { path: PathBuf, cause: io::Error },
    #[error(
        "{path} does not hold a signing key; restore it from a backup, for receipts are checked against it"
    )]
    NotAKey { path: PathBuf },
    #[error("the signing key {0} is a link; put the key itself there")]
    Link(PathBuf),
    #[error("`{0}` cannot name a key: a name has no white space and no plus sign")]
    Name(String),
    #[error("the system gave no random bytes: {0}")]
    Random(getrandom::Error),
}

/// Where the key of a database lies.
pub fn path_beside(database: &Path) -> PathBuf {
    let mut name = database.file_name().unwrap_or_default().to_owned();
    name.push(".key");
    database.with_file_name(name)
}

/// The key in this file. At the first start it is made, under this name, and on disk before it signs anything.
pub fn load_or_make(path: &Path, name: &str) -> Result<Signer, KeyError> {
    let io = |cause| KeyError::Io { path: path.to_owned(), cause };
    // A link could lead the server to sign with a key of somebody else's choice.
    if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(KeyError::Link(path.to_owned()));
    }
    private_file::close_to_others(path).map_err(io)?;
    match fs::read_to_string(path) {
        Ok(text) => Signer::from_secret_text(&text).map_err(|_| KeyError::NotAKey { path: path.to_owned() }),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            make(path, name).map_err(|error| match error {
                Made::Io(cause) => io(cause),
                Made::Key(error) => error,
            })
        }
        Err(cause) => Err(io(cause)),
    }
}

enum Made {
    Io(io::Error),
    Key(KeyError),
}

fn make(path: &Path, name: &str) -> Result<Signer, Made> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|error| Made::Key(KeyError::Random(error)))?;
    let signer = Signer::new(name, &secret).ok_or_else(|| Made::Key(KeyError::Name(name.to_owned())))?;
    write_durably(path, &signer.to_secret_text()).map_err(Made::Io)?;
    Ok(signer)
}

/// Written whole under another name first, so that a crash never leaves half a key, and given its own name only if
/// nobody else was faster.
fn write_durably(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension(format!("key.{}", std::process::id()));
    let mut file = private_file::options().write(true).create_new(true).open(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    linked?;
    private_file::sync_folder_of(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_made_once_and_kept_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = path_beside(&folder.path().join("games.db"));
        assert_eq!(path.file_name().unwrap(), "games.db.key");
        let made = load_or_make(&path, "play.example").unwrap().verifier_key();
        let kept = load_or_make(&path, "another.example").unwrap().verifier_key();
        assert_eq!(made, kept);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_broken_key_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db.key");
        fs::write(&path, "PRIVATE+KEY+half").unwrap();
        assert!(matches!(load_or_make(&path, "a"), Err(KeyError::NotAKey { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "PRIVATE+KEY+half");
        assert!(matches!(load_or_make(&folder.path().join("b.key"), "a b"), Err(KeyError::Name(_))));
    }
}
