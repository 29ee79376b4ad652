//! What can be asked of the program, one file a command.

mod backup;
mod check;
mod key;
mod verify;

use std::{error::Error, process::ExitCode};

use clap::Parser;

/// Turn-based board games that anyone can replay and check.
#[derive(Parser)]
#[command(version, about)]
pub enum Command {
    Verify(verify::Verify),
    Backup(backup::Backup),
    Check(check::Check),
    Key(key::Key),
}

impl Command {
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self {
            Self::Verify(verify) => verify.run(),
            Self::Backup(backup) => backup.run(),
            Self::Check(check) => check.run(),
            Self::Key(key) => key.run(),
        }
    }
}
