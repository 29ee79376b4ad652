use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::keys::{self, Known};

/// Print the verifier key that this server's receipts are checked against
///
/// The signing key lies beside the database, and is made if there is none yet. It is never printed.
#[derive(Args)]
pub struct Key {
    /// The database file
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db")]
    database: PathBuf,
    /// The name that a new key gets: usually the host name that players know
    #[arg(long, env = "PLAYLEDGER_KEY_NAME", default_value = "playledger")]
    key_name: String,
}

impl Key {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let known = if self.database.exists() { Known::Games } else { Known::Nothing };
        let signer = keys::load(&keys::path_beside(&self.database), &self.key_name, &known, false)?;
        println!("{}", signer.verifier_key());
        Ok(ExitCode::SUCCESS)
    }
}
