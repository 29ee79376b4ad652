use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::keys;

/// Create a player's signing key and print its public key
///
/// Keep the file private. If it exists, it is kept and its public key is printed again. Send the public
/// key in `keys` when you create or join a game, and sign with `playledger sign`.
#[derive(Args)]
pub struct PlayerKey {
    /// Key file
    file: PathBuf,
}

impl PlayerKey {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        println!("{}", keys::player(&self.file)?.public().hex());
        Ok(ExitCode::SUCCESS)
    }
}
