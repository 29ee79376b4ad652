use std::{error::Error, path::PathBuf, process::ExitCode};

use clap::Args;
use playledger::{keys, ledger::player_id};

/// Create a player's signing key and print its public key
///
/// Keep the file private. If it exists, it is kept and its public key is printed again. Send the public
/// key as `key` when you create a player, and sign with `playledger sign`.
#[derive(Args)]
pub struct PlayerKey {
    /// Key file
    file: PathBuf,
    /// Print the id of a player that is created with this key
    #[arg(long)]
    id: bool,
    /// Key file of another device: print the statement that both keys belong to one player
    #[arg(long, value_name = "FILE", requires = "player")]
    link: Option<PathBuf>,
    /// Id of the player, for --link
    #[arg(long, value_name = "ID")]
    player: Option<String>,
}

impl PlayerKey {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let secret = keys::player(&self.file)?;
        match (self.link, self.player) {
            (Some(other), Some(player)) => {
                println!("{}", secret.link(&keys::player(&other)?, &player).write());
            }
            _ if self.id => println!("{}", player_id::derived_text(&secret.public())),
            _ => println!("{}", secret.public().hex()),
        }
        Ok(ExitCode::SUCCESS)
    }
}
