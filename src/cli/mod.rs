//! What can be asked of the program, one file a command.

mod backup;
mod check;
mod health;
mod key;
mod openapi;
mod serve;
mod verify;

use std::{error::Error, process::ExitCode};

use clap::Parser;

/// Turn-based board games that anyone can replay and check.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(clap::Subcommand)]
enum Command {
    Serve(serve::Serve),
    #[command(name = "openapi")]
    OpenApi(openapi::OpenApi),
    Verify(verify::Verify),
    Backup(backup::Backup),
    Check(check::Check),
    Health(health::Health),
    Key(key::Key),
}

impl Cli {
    /// Carries the command out; without one, serves.
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self.command.unwrap_or(Command::Serve(self.serve)) {
            Command::Serve(serve) => serve.run(),
            Command::OpenApi(openapi) => openapi.run(),
            Command::Verify(verify) => verify.run(),
            Command::Backup(backup) => backup.run(),
            Command::Check(check) => check.run(),
            Command::Health(health) => health.run(),
            Command::Key(key) => key.run(),
        }
    }
}
