use std::{error::Error, path::Path, process::ExitCode};

use clap::Args;
use playledger::{
    config::{Database, Reach},
    service::{
        public_tree::inspect::{inspect_shared_tree, inspect_tree},
        reading::inspect::inspect,
    },
    store::{
        Leaf, Opening, Store, StoreError,
        postgres::{Postgres, Settings},
        sqlite::{self, Inspection},
        traits::GameStore as _,
    },
};
use uuid::Uuid;

/// Check a database: every page, every hash chain, every game
///
/// Replays every game. Exits with 0 if everything is sound, and with 1 if something is damaged. The
/// server may keep running. A PostgreSQL database is migrated first, as at a start.
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    reach: Reach,
}

impl Check {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match (self.reach.server()?, &self.reach.database) {
            (None, Database::File(path)) => check_file(path),
            (Some(settings), _) => {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
                runtime.block_on(check_server(Settings { standbys: 0, ..settings }))
            }
            (None, Database::Server(_)) => Err("it is no database".into()),
        }
    }
}

/// Prints the faults, or the success.
fn tell(problems: &[String], sound: impl FnOnce() -> String) -> ExitCode {
    for problem in problems {
        println!("{problem}");
    }
    if problems.is_empty() {
        println!("{}", sound());
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

async fn check_server(settings: Settings) -> Result<ExitCode, Box<dyn Error>> {
    let server = Postgres::connect(&settings).await?;
    let entries = server.count_entries().await?;
    let (mut problems, mut last, mut games) = (Vec::new(), 0, 0);
    while let Some((page, end)) = server.games_with_leaves(last).await? {
        (last, games) = (end, games + page.len());
        for (game, leaves) in page {
            let opening = server.opening(game).await;
            let cause = opening.map_err(Into::into).and_then(|opening| damage(opening, &leaves)).err();
            problems.extend(cause.map(|cause| format!("game {game}: {cause}")));
        }
    }
    let (size, found) = inspect_shared_tree(&Store::Server(server)).await?;
    problems.extend(found);
    Ok(tell(&problems, || {
        format!(
            "sound: {games} games, {entries} entries; all chains are valid; the public tree has {size} leaves"
        )
    }))
}

fn check_file(database: &Path) -> Result<ExitCode, Box<dyn Error>> {
    let told = |error: StoreError| format!("{}: {error}", database.display());
    let (health, inspection) = Inspection::examine(database).map_err(told)?;
    let mut problems = health.problems.clone();
    let mut tree = String::new();
    let mut chains = "an earlier version wrote the file, so the chains were not checked";
    if let Some(inspection) = inspection {
        chains = "all chains are valid";
        let mut show = |game: Uuid, leaves: &[Leaf]| {
            let opening = inspection.opening(game).map_err(Into::into);
            let cause = opening.and_then(|opening| damage(opening, leaves)).err();
            problems.extend(cause.map(|cause| format!("game {game}: {cause}")));
        };
        inspection.each_game(&mut show).map_err(told)?;
        let (size, found) = inspect_tree(&inspection).map_err(told)?;
        problems.extend(found);
        if size > 0 {
            tree = format!("; the public tree has {size} leaves");
        }
    }
    let sqlite::Examination { games, entries_in_log, segments, .. } = health;
    Ok(tell(&problems, || {
        format!(
            "sound: {games} games, {entries_in_log} entries in the log, {segments} segments; {chains}{tree}"
        )
    }))
}

fn damage(opening: Option<Opening>, leaves: &[Leaf]) -> Result<(), Box<dyn Error>> {
    let Some(opening) = opening else { return Ok(()) };
    for Leaf { place, seq, head } in leaves {
        let entry = opening.entries.iter().find(|entry| entry.seq == *seq);
        if entry.is_none_or(|entry| entry.head != *head) {
            return Err(format!("leaf {place} of the tree is not the head of its entry {seq}").into());
        }
    }
    Ok(inspect(opening)?)
}
