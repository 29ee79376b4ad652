//! Backups of a database file.

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use chrono::DateTime;
use clap::Args;
use playledger::{
    service::ports::{Clock as _, SystemClock},
    store::sqlite,
};

/// Back up a database, even while the server is running
///
/// The backup is one file, checked before the command succeeds. Back up the signing key (`DATABASE.key`)
/// too: receipts are checked with it.
#[derive(Args)]
pub struct Backup {
    /// File to write; must not exist
    #[arg(required_unless_present = "into", conflicts_with = "into")]
    copy: Option<PathBuf>,
    /// Folder to write to, with the time as the name of the file
    #[arg(long)]
    into: Option<PathBuf>,
    /// Number of backups to keep in the folder; older ones are deleted
    #[arg(long, requires = "into")]
    keep: Option<usize>,
    /// Database file
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
}

/// Ending of the backups in a folder.
const ENDING: &str = ".backup.db";

impl Backup {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let copy = match (self.copy, &self.into) {
            (Some(copy), _) => copy,
            (None, Some(folder)) => folder.join(dated(&self.database)?),
            (None, None) => return Err("name a file, or a folder with --into".into()),
        };
        let folder = copy.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(format!("the folder {} does not exist: create it", folder.display()).into());
        }
        let health = sqlite::backup(&self.database, &copy).map_err(|error| {
            format!("cannot back up {} to {}: {error}", self.database.display(), copy.display())
        })?;
        println!("{}: {} games, sound", copy.display(), health.games);
        if let (Some(folder), Some(keep)) = (&self.into, self.keep) {
            delete_old(folder, &self.database, keep.max(1))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the beginning of the names of a database's backups.
fn stem(database: &Path) -> String {
    let stem = database.file_stem().unwrap_or_default();
    format!("{}-", stem.to_string_lossy())
}

/// Returns the name of a backup made now. Names sort by time.
fn dated(database: &Path) -> Result<String, Box<dyn Error>> {
    let now = DateTime::from_timestamp_millis(SystemClock::default().now().try_into()?);
    let now = now.ok_or("the system clock is wrong")?;
    Ok(format!("{}{}{ENDING}", stem(database), now.format("%Y-%m-%d-%H%M%S")))
}

/// Deletes all but the newest backups of a database. Other files stay.
fn delete_old(folder: &Path, database: &Path, keep: usize) -> Result<(), Box<dyn Error>> {
    let stem = stem(database);
    let is_backup = |name: &String| name.starts_with(&stem) && name.ends_with(ENDING);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string().ok().filter(is_backup));
    }
    names.sort_unstable();
    let old = names.len().saturating_sub(keep);
    for name in &names[..old] {
        fs::remove_file(folder.join(name))?;
    }
    Ok(())
}
