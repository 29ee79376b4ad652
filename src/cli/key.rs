use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::{
    config::Database,
    keys::{self, KnownKey},
};

use super::serve::key_path;

/// Print the verifier key that receipts are checked with
///
/// With `--key-name`, creates the signing key if there is none. The signing key itself is never printed.
#[derive(Args)]
pub struct Key {
    /// Database; the signing key is next to its file
    #[arg(long, env = "PLAYLEDGER_DATABASE", default_value = "playledger.db", hide_env_values = true)]
    database: Database,
    /// File with the signing key, if it is elsewhere
    #[arg(long = "key", env = "PLAYLEDGER_KEY")]
    path: Option<PathBuf>,
    /// Name of a key to create, usually the host name that players know
    #[arg(long = "key-name", env = "PLAYLEDGER_KEY_NAME")]
    name: Option<String>,
}

impl Key {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let path = key_path(self.path.as_deref(), &self.database)?;
        // A new key for a database with another key would have signed nothing.
        let known = match &self.database {
            Database::File(file) if file.exists() => KnownKey::Games,
            _ => KnownKey::Nothing,
        };
        let missing = || {
            format!(
                "{} is missing: the first start of the server makes it. Name the database with --database or --config, or make a key with --key-name",
                path.display()
            )
        };
        let signer = match &self.name {
            Some(name) => keys::load(&path, Some(name), &known, false)?,
            None => keys::read(&path)?.ok_or_else(missing)?,
        };
        println!("{}", signer.verifier_key());
        Ok(ExitCode::SUCCESS)
    }
}
