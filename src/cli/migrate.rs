use std::{error::Error, process::ExitCode};

use clap::Args;
use playledger::{config::Reach, store::postgres::Postgres};

/// Migrate the schema of a PostgreSQL database
///
/// A server does this when it starts. Run it first, as the owner of the tables, if the role of the server may
/// not alter them.
#[derive(Args)]
pub struct Migrate {
    #[command(flatten)]
    reach: Reach,
}

impl Migrate {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let settings = self.reach.server()?.ok_or("a database file is upgraded when the server starts")?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (before, after) = runtime.block_on(Postgres::migrate(&settings))?;
        let steps = after - before;
        println!(
            "{}",
            if steps == 0 {
                "the database is up to date".to_owned()
            } else {
                format!("{steps} migration(s) applied")
            }
        );
        Ok(ExitCode::SUCCESS)
    }
}
