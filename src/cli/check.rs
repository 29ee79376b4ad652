use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::{
    service::{read::inspect::inspect, tree::inspect::inspect_tree},
    store::{
        StoreError,
        sqlite::{self, Inspection, Leaf},
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
        let mut tree = String::new();
        let mut chains = "an earlier version wrote it, so their chains were not walked";
        if let Some(inspection) = Inspection::open(&self.database).map_err(told)? {
            chains = "their chains hold";
            let mut show = |game: Uuid, leaves: &[Leaf]| {
                let cause = damage(&inspection, game, leaves).err();
                problems.extend(cause.map(|cause| format!("game {game}: {cause}")));
            };
            inspection.each_game(&mut show).map_err(told)?;
            let (size, found) = inspect_tree(&inspection).map_err(told)?;
            problems.extend(found);
            if size > 0 {
                tree = format!("; the public tree has {size} leaves");
            }
        }
        for problem in &problems {
            println!("{problem}");
        }
        if !problems.is_empty() {
            return Ok(ExitCode::FAILURE);
        }
        let sqlite::Health { games, entries_in_log, segments, .. } = health;
        println!(
            "sound: {games} games, {entries_in_log} entries in the log, {segments} segments; {chains}{tree}"
        );
        Ok(ExitCode::SUCCESS)
    }
}

fn damage(inspection: &Inspection, game: Uuid, leaves: &[Leaf]) -> Result<(), Box<dyn Error>> {
    let Some(opening) = inspection.opening(game)? else { return Ok(()) };
    for Leaf { place, seq, head } in leaves {
        let entry = opening.entries.iter().find(|entry| entry.seq == *seq);
        if entry.is_none_or(|entry| entry.head != *head) {
            return Err(format!("leaf {place} of the tree is not the head of its entry {seq}").into());
        }
    }
    Ok(inspect(opening)?)
}
