use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::{
    config::Database,
    keys::{self, Known},
};

use super::serve::key_path;

/// Print the verifier key that this server's receipts are checked against
///
/// The signing key is made if there is none yet. It is never printed.
#[derive(Args)]
pub struct Key {
    /// The database, beside whose file the signing key lies
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db", hide_env_values = true)]
    database: Database,
    /// The file with the signing key, where it lies elsewhere
    #[arg(long = "key", env = "PLAYLEDGER_KEY")]
    path: Option<PathBuf>,
    /// The name of a new key: usually the host name that players know. `playledger` if it is left out
    #[arg(long = "key-name", env = "PLAYLEDGER_KEY_NAME")]
    name: Option<String>,
}

impl Key {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let path = key_path(self.path.as_deref(), &self.database)?;
        // A key that is made for a database which has one already would have signed nothing.
        let known = match &self.database {
            Database::File(file) if file.exists() => Known::Games,
            _ => Known::Nothing,
        };
        println!("{}", keys::load(&path, self.name.as_deref(), &known, false)?.verifier_key());
        Ok(ExitCode::SUCCESS)
    }
}
