use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::store::sqlite;

/// Copy a database, also one that is being served
///
/// The copy is one file that opens and was examined, or it is not made. Keep the signing key beside the database
/// (`DATABASE.key`) as well: receipts that were given are checked against it.
#[derive(Args)]
pub struct Backup {
    /// Where to write the copy; a file that is there is left alone
    copy: PathBuf,
    /// The database file
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
}

impl Backup {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let health = sqlite::backup(&self.database, &self.copy)
            .map_err(|error| format!("no backup was made of {}: {error}", self.database.display()))?;
        println!("{}: {} games, sound", self.copy.display(), health.games);
        Ok(ExitCode::SUCCESS)
    }
}
