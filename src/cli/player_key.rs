use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::keys;

/// Make a key with which a player signs its moves, and print its public half
///
/// The file is for its owner's eyes only, and an existing one is kept: then its public half is printed again. Give the public
/// half as one of `keys` when you create or join a game, and sign with `playledger sign`.
#[derive(Args)]
pub struct PlayerKey {
    /// The key file
    file: PathBuf,
}

impl PlayerKey {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        println!("{}", keys::player(&self.file)?.public().hex());
        Ok(ExitCode::SUCCESS)
    }
}
