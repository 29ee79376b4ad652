//! What can be asked of the program, one file a command.

mod arena;
#[cfg(feature = "server")]
mod backup;
#[cfg(feature = "server")]
mod bridge;
#[cfg(feature = "server")]
mod check;
#[cfg(feature = "server")]
mod follow;
#[cfg(feature = "server")]
mod health;
#[cfg(feature = "server")]
mod key;
#[cfg(feature = "server")]
mod migrate;
#[cfg(feature = "server")]
mod moving;
#[cfg(feature = "server")]
mod openapi;
#[cfg(feature = "server")]
mod player_key;
#[cfg(feature = "server")]
mod remote_log;
#[cfg(feature = "server")]
mod restore;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod shown_log;
mod sign;
mod verify;
#[cfg(feature = "server")]
mod witness;

use std::{error::Error, process::ExitCode};

use clap::Parser;

/// Turn-based board games that anyone can replay and check.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
#[cfg_attr(not(feature = "server"), command(arg_required_else_help = true))]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[cfg(feature = "server")]
    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(clap::Subcommand)]
enum Command {
    Verify(verify::Verify),
    Arena(arena::Arena),
    Sign(sign::Sign),
    #[cfg(feature = "server")]
    Bridge(bridge::Bridge),
    #[cfg(feature = "server")]
    Serve(Box<serve::Serve>),
    #[cfg(feature = "server")]
    #[command(name = "openapi")]
    OpenApi(openapi::OpenApi),
    #[cfg(feature = "server")]
    Backup(backup::Backup),
    #[cfg(feature = "server")]
    Restore(restore::Restore),
    #[cfg(feature = "server")]
    Check(check::Check),
    #[cfg(feature = "server")]
    Migrate(migrate::Migrate),
    #[cfg(feature = "server")]
    Move(moving::Move),
    #[cfg(feature = "server")]
    Health(health::Health),
    #[cfg(feature = "server")]
    Key(key::Key),
    #[cfg(feature = "server")]
    PlayerKey(player_key::PlayerKey),
    #[cfg(feature = "server")]
    Follow(follow::Follow),
    #[cfg(feature = "server")]
    Witness(witness::Witness),
}

impl Cli {
    /// Carries the command out; without one, serves.
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self.command {
            Some(Command::Verify(verify)) => verify.run(),
            Some(Command::Arena(arena)) => arena.run(),
            Some(Command::Sign(sign)) => sign.run(),
            #[cfg(not(feature = "server"))]
            None => Err("this build does not serve: see `playledger --help`".into()),
            #[cfg(feature = "server")]
            None => self.serve.run(),
            #[cfg(feature = "server")]
            Some(Command::Bridge(bridge)) => bridge.run(),
            #[cfg(feature = "server")]
            Some(Command::Serve(serve)) => serve.run(),
            #[cfg(feature = "server")]
            Some(Command::OpenApi(openapi)) => openapi.run(),
            #[cfg(feature = "server")]
            Some(Command::Backup(backup)) => backup.run(),
            #[cfg(feature = "server")]
            Some(Command::Restore(restore)) => restore.run(),
            #[cfg(feature = "server")]
            Some(Command::Check(check)) => check.run(),
            #[cfg(feature = "server")]
            Some(Command::Health(health)) => Ok(health.run()),
            #[cfg(feature = "server")]
            Some(Command::Key(key)) => key.run(),
            #[cfg(feature = "server")]
            Some(Command::PlayerKey(key)) => key.run(),
            #[cfg(feature = "server")]
            Some(Command::Migrate(migrate)) => migrate.run(),
            #[cfg(feature = "server")]
            Some(Command::Move(moving)) => moving.run(),
            #[cfg(feature = "server")]
            Some(Command::Witness(witness)) => witness.run(),
            #[cfg(feature = "server")]
            Some(Command::Follow(follow)) => follow.run(),
        }
    }
}
