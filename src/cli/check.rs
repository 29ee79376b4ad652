use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::{
    service::{ServiceError, read::inspect::inspect},
    store::{
        StoreError,
        sqlite::{self, Inspection},
    },
};
use uuid::Uuid;

/// Examine every page of a database, walk the chain of every game, and play it again
///
/// Exits with 0 if all is sound, and with 1 if something is damaged. A server may be running on the database.
#[derive(Args)]
pub struct Check {
    /// The database file
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
}

impl Check {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let told = |error: StoreError| format!("{}: {error}", self.database.display());
        let health = sqlite::check(&self.database).map_err(told)?;
        let mut problems = health.problems.clone();
        let mut chains = "an earlier version wrote it, so their chains were not walked";
        if let Some(inspection) = Inspection::open(&self.database).map_err(told)? {
            chains = "their chains hold";
            for game in inspection.games().map_err(told)? {
                problems.extend(damage(&inspection, game).err().map(|cause| format!("game {game}: {cause}")));
            }
        }
        for problem in &problems {
            println!("{problem}");
        }
        if !problems.is_empty() {
            return Ok(ExitCode::FAILURE);
        }
        let sqlite::Health { games, entries_in_log, segments, .. } = health;
        println!("sound: {games} games, {entries_in_log} entries in the log, {segments} segments; {chains}");
        Ok(ExitCode::SUCCESS)
    }
}

fn damage(inspection: &Inspection, game: Uuid) -> Result<(), ServiceError> {
    match inspection.opening(game)? {
        Some(opening) => inspect(opening),
        None => Ok(()),
    }
}
