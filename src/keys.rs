//! Key files: created once, next to the database, readable only by their owner.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    ledger::player_secret::PlayerSecret,
    private_file,
    tree::{
        secret_key::SecretKey,
        signer::{Cosigner, Signer},
    },
};

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("the signing key {path} cannot be read or made: {cause}")]
    Io { path: PathBuf, cause: io::Error },
    #[error(
        "{path} does not contain a signing key: restore it from a backup, because receipts are checked with it"
    )]
    NotAKey { path: PathBuf },
    #[error("the signing key {0} is a link: put the key file itself there")]
    Link(PathBuf),
    #[error(
        "the signing key {0} is missing, and this database was signed with another one: put that key there (where servers share a database, each needs a copy). To restore a backup use `playledger restore`. To continue with a new key, start with --new-key"
    )]
    Missing(PathBuf),
    #[error(
        "{path} is not the key that signed this database, {signed}: put that one back. To restore a backup use `playledger restore`. To continue with this key, start with --new-key"
    )]
    Other { path: PathBuf, signed: String },
    #[error("the signing key {path} has the name `{name}`, which cannot change: remove --key-name")]
    Named { path: PathBuf, name: String },
    #[error("`{0}` is not a valid key name: spaces and plus signs are not allowed")]
    Name(String),
    #[error("the system returned no random bytes: {0}")]
    Random(getrandom::Error),
}

/// Default name of a key.
const DEFAULT_NAME: &str = "playledger";

/// Returns the path of a database's key.
pub fn path_beside(database: &Path) -> PathBuf {
    with_ending(database, ".key")
}

/// Returns the path where a key is kept after a restore has ended it, named after its public key.
pub fn path_of_ended(path: &Path, key: &str) -> Option<PathBuf> {
    let id = key.split('+').nth(1).filter(|id| id.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some(with_ending(path, &format!(".ended-{id}")))
}

/// Returns the key that follows this one after a restore. An interrupted restore has left it.
pub fn next(path: &Path, name: &str) -> Result<Signer, KeyError> {
    let path = with_ending(path, ".next");
    read(&path)?.map_or_else(|| make(&path, name), Ok)
}

/// Puts the next key in the place of an ended one.
pub fn succeed(path: &Path) -> Result<(), KeyError> {
    let io = |cause| KeyError::Io { path: path.to_owned(), cause };
    if let Some(old) = read(path)? {
        let aside = path_of_ended(path, &old.verifier_key().to_string());
        fs::rename(path, aside.ok_or_else(|| KeyError::NotAKey { path: path.to_owned() })?).map_err(io)?;
    }
    fs::rename(with_ending(path, ".next"), path).map_err(io)?;
    private_file::sync_folder_of(path).map_err(io)
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// The known keys of a database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KnownKey {
    /// No signature exists.
    Nothing,
    /// Games of a version that did not store its key.
    Games,
    /// This key signed last.
    Key(String),
}

/// Loads the key of a database. Creates one under this name for a new database, durably before it signs. A
/// database with games gets a new key only if `may_be_new`.
pub fn load(path: &Path, name: Option<&str>, known: &KnownKey, may_be_new: bool) -> Result<Signer, KeyError> {
    let Some(signer) = read(path)? else {
        if !may_be_new && *known != KnownKey::Nothing {
            return Err(KeyError::Missing(path.to_owned()));
        }
        return make(path, name.unwrap_or(DEFAULT_NAME));
    };
    let own = signer.verifier_key().name().to_owned();
    if name.is_some_and(|name| name != own) {
        return Err(KeyError::Named { path: path.to_owned(), name: own });
    }
    match known {
        KnownKey::Key(signed) if !may_be_new && *signed != signer.verifier_key().to_string() => {
            Err(KeyError::Other { path: path.to_owned(), signed: signed.clone() })
        }
        _ => Ok(signer),
    }
}

/// Returns the key in this file, if the file exists.
pub fn read(path: &Path) -> Result<Option<Signer>, KeyError> {
    read_as(path, |text| Signer::from_secret_text(text).ok())
}

/// Reads a file, if it exists.
fn read_as<T>(path: &Path, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, KeyError> {
    let io = |cause| KeyError::Io { path: path.to_owned(), cause };
    // A link could make the server sign with a key that another person chose.
    if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(KeyError::Link(path.to_owned()));
    }
    private_file::close_to_others(path).map_err(io)?;
    match fs::read_to_string(path) {
        Ok(text) => parse(&text).map(Some).ok_or_else(|| KeyError::NotAKey { path: path.to_owned() }),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(io(cause)),
    }
}

/// Creates a key of this name in a new file.
pub fn make(path: &Path, name: &str) -> Result<Signer, KeyError> {
    let signer = Signer::new(name, &random()?).ok_or_else(|| KeyError::Name(name.to_owned()))?;
    keep(path, &signer.to_secret_text())?;
    Ok(signer)
}

/// Returns the witness key in this file, and creates it if necessary. Without a name, it is named after its
/// public key.
pub fn witness(path: &Path, name: Option<&str>) -> Result<Cosigner, KeyError> {
    if let Some(cosigner) = read_as(path, |text| Cosigner::from_secret_text(text).ok())? {
        return Ok(cosigner);
    }
    let secret = random()?;
    let own_name = || format!("witness/{}", SecretKey::new(&secret).mark());
    let name = name.map_or_else(own_name, str::to_owned);
    let cosigner = Cosigner::new(&name, &secret).ok_or(KeyError::Name(name))?;
    keep(path, &cosigner.to_secret_text())?;
    Ok(cosigner)
}

/// Returns the player key in this file, and creates it if necessary.
pub fn player(path: &Path) -> Result<PlayerSecret, KeyError> {
    if let Some(secret) = read_as(path, PlayerSecret::from_text)? {
        return Ok(secret);
    }
    let secret = PlayerSecret::new(&random()?);
    keep(path, &secret.to_text())?;
    Ok(secret)
}

fn random() -> Result<[u8; 32], KeyError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(KeyError::Random)?;
    Ok(bytes)
}

fn keep(path: &Path, text: &str) -> Result<(), KeyError> {
    write_durably(path, text).map_err(|cause| KeyError::Io { path: path.to_owned(), cause })
}

/// Writes the file under another name first, so that a crash leaves no half key, and renames it only if no
/// other process was faster.
fn write_durably(path: &Path, text: &str) -> io::Result<()> {
    let draft = path.with_extension(format!("key.{}", std::process::id()));
    // A file of a crash was never used.
    let _ = fs::remove_file(&draft);
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

    fn load(path: &Path, name: &str) -> Result<Signer, KeyError> {
        super::load(path, Some(name), &KnownKey::Nothing, false)
    }

    #[test]
    fn the_key_is_made_once_and_kept_for_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = path_beside(&folder.path().join("games.db"));
        assert_eq!(path.file_name().unwrap(), "games.db.key");
        let made = load(&path, "play.example").unwrap().verifier_key();
        let kept = super::load(&path, None, &KnownKey::Nothing, false).unwrap().verifier_key();
        assert_eq!(made, kept);
        assert!(matches!(load(&path, "another.example"), Err(KeyError::Named { .. })));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode(), 0o600);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
            load(&path, "play.example").unwrap();
            assert_eq!(mode(), 0o600, "a copy that others could read is closed to them");
        }
    }

    #[test]
    fn the_key_of_a_player_is_made_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.key");
        let made = player(&path).unwrap().public();
        assert_eq!(player(&path).unwrap().public(), made);
        fs::write(&path, "something else").unwrap();
        assert!(matches!(player(&path), Err(KeyError::NotAKey { .. })), "nothing is written over");
    }

    #[test]
    fn a_broken_key_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db.key");
        fs::write(&path, "PRIVATE+KEY+half").unwrap();
        assert!(matches!(load(&path, "a"), Err(KeyError::NotAKey { .. })));
        assert_eq!(fs::read_to_string(&path).unwrap(), "PRIVATE+KEY+half");
        assert!(matches!(load(&folder.path().join("b.key"), "a b"), Err(KeyError::Name(_))));
    }

    #[test]
    fn a_database_goes_on_with_its_own_key_unless_somebody_says_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db.key");
        let missing = super::load(&path, Some("a"), &KnownKey::Games, false);
        assert!(matches!(missing, Err(KeyError::Missing(_))));
        let made = super::load(&path, Some("a"), &KnownKey::Games, true).unwrap().verifier_key();
        let known = KnownKey::Key(made.to_string());
        assert_eq!(super::load(&path, Some("a"), &known, false).unwrap().verifier_key(), made);
        fs::remove_file(&path).unwrap();
        let other = load(&path, "a").unwrap().verifier_key();
        let refused = super::load(&path, Some("a"), &known, false);
        assert!(matches!(refused, Err(KeyError::Other { .. })));
        assert_eq!(super::load(&path, Some("a"), &known, true).unwrap().verifier_key(), other);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_to_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let (path, elsewhere) = (folder.path().join("games.db.key"), folder.path().join("elsewhere"));
        make(&elsewhere, "a").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        assert!(matches!(load(&path, "a"), Err(KeyError::Link(_))));
    }
}
