use std::{error::Error, process::ExitCode};

use clap::Args;
use playledger::{config::Reach, store::postgres::Postgres};

/// Bring the schema of a PostgreSQL database up to date
///
/// A server does so by itself when it starts, one at a time; with this it can be done before, by a role that may change
/// tables.
#[derive(Args)]
pub struct Migrate {
    #[command(flatten)]
    reach: Reach,
}

impl Migrate {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let settings =
            self.reach.server()?.ok_or("a database file is brought up to date when it is served")?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (before, after) = runtime.block_on(Postgres::migrate(&settings))?;
        let steps = after - before;
        println!(
            "{}",
            if steps == 0 { "it is up to date".to_owned() } else { format!("{steps} step(s) done") }
        );
        Ok(ExitCode::SUCCESS)
    }
}
