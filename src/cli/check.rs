use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::store::sqlite;

/// Examine every page of a database
///
/// Exits with 0 if the file is sound, and with 1 if something in it is damaged.
#[derive(Args)]
pub struct Check {
    /// The database file
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
}

impl Check {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let health =
            sqlite::check(&self.database).map_err(|error| format!("{}: {error}", self.database.display()))?;
        for problem in &health.problems {
            println!("{problem}");
        }
        if !health.problems.is_empty() {
            return Ok(ExitCode::FAILURE);
        }
        let sqlite::Health { games, entries_in_log, segments, .. } = health;
        println!("sound: {games} games, {entries_in_log} entries in the log, {segments} segments");
        Ok(ExitCode::SUCCESS)
    }
}
