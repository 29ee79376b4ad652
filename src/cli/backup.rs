use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::store::sqlite;

/// Back up a database, even while the server is running
///
/// The backup is one file, checked before the command succeeds. Back up the signing key (`DATABASE.key`)
/// too: receipts are checked with it.
#[derive(Args)]
pub struct Backup {
    /// File to write; must not exist
    copy: PathBuf,
    /// Database file
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
}

impl Backup {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let health = sqlite::backup(&self.database, &self.copy)
            .map_err(|error| format!("cannot back up {}: {error}", self.database.display()))?;
        println!("{}: {} games, sound", self.copy.display(), health.games);
        Ok(ExitCode::SUCCESS)
    }
}
