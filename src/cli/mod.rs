//! The commands of the program, a file each.

#[cfg(feature = "server")]
mod admin;
mod arena;
#[cfg(feature = "server")]
mod backup;
#[cfg(feature = "server")]
mod bridge;
#[cfg(feature = "server")]
mod check;
#[cfg(feature = "server")]
mod client;
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
mod service_manager;
#[cfg(feature = "server")]
mod settings_file;
#[cfg(feature = "server")]
mod shown_log;
mod sign;
mod verify;
#[cfg(feature = "server")]
mod witness;

use std::{error::Error, process::ExitCode};

use clap::{Arg, Command as Declaration, CommandFactory as _, FromArgMatches as _, Parser};

/// A server for turn-based board games that anyone can verify
#[derive(Parser)]
#[command(
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_help = "Each flag can also be set by an environment variable: --public-url is PLAYLEDGER_PUBLIC_URL."
)]
#[cfg_attr(not(feature = "server"), command(arg_required_else_help = true))]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// File with settings (TOML); a flag or a variable counts more
    #[cfg(feature = "server")]
    #[arg(long, global = true, env = "PLAYLEDGER_CONFIG", value_name = "FILE")]
    config: Option<std::path::PathBuf>,
    #[cfg(feature = "server")]
    #[command(flatten)]
    serve: serve::Serve,
}

#[derive(clap::Subcommand)]
enum Command {
    #[cfg(feature = "server")]
    Serve(Box<serve::Serve>),
    #[cfg(feature = "server")]
    Admin(Box<admin::Admin>),
    #[cfg(feature = "server")]
    Check(check::Check),
    #[cfg(feature = "server")]
    Backup(backup::Backup),
    #[cfg(feature = "server")]
    Restore(restore::Restore),
    #[cfg(feature = "server")]
    Health(health::Health),
    #[cfg(feature = "server")]
    Key(key::Key),
    #[cfg(feature = "server")]
    Migrate(migrate::Migrate),
    #[cfg(feature = "server")]
    Move(moving::Move),
    Verify(verify::Verify),
    #[cfg(feature = "server")]
    Follow(follow::Follow),
    #[cfg(feature = "server")]
    Witness(witness::Witness),
    Arena(arena::Arena),
    #[cfg(feature = "server")]
    Bridge(bridge::Bridge),
    #[cfg(feature = "server")]
    PlayerKey(player_key::PlayerKey),
    Sign(sign::Sign),
    #[cfg(feature = "server")]
    #[command(name = "openapi")]
    OpenApi(openapi::OpenApi),
}

impl Cli {
    /// Parses the command line. Exits with a message if it is wrong, or with the help.
    pub fn read() -> Result<Self, Box<dyn Error>> {
        let declaration = one_line_a_flag(Self::command());
        let arguments: Vec<_> = std::env::args_os().collect();
        #[cfg(feature = "server")]
        let arguments = settings_file::expanded(arguments, &declaration)?;
        let matches = declaration.get_matches_from(arguments);
        Ok(Self::from_arg_matches(&matches)?)
    }

    /// Runs the command; without one, serves.
    pub fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        match self.command {
            Some(Command::Verify(verify)) => verify.run(),
            Some(Command::Arena(arena)) => arena.run(),
            Some(Command::Sign(sign)) => sign.run(),
            #[cfg(not(feature = "server"))]
            None => Err("this build has no server: see `playledger --help`".into()),
            #[cfg(feature = "server")]
            None => self.serve.run(),
            #[cfg(feature = "server")]
            Some(Command::Bridge(bridge)) => bridge.run(),
            #[cfg(feature = "server")]
            Some(Command::Serve(serve)) => serve.run(),
            #[cfg(feature = "server")]
            Some(Command::Admin(admin)) => admin.run(),
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

/// Shortens the help: no variables, which follow from the flags, and no value names that repeat the flag.
fn one_line_a_flag(declaration: Declaration) -> Declaration {
    let plain = |argument: Arg| {
        let repeats = argument.get_long().is_some_and(|flag| {
            let names = argument.get_value_names().unwrap_or_default();
            names.iter().any(|name| {
                name.eq_ignore_ascii_case(argument.get_id().as_str()) || name.eq_ignore_ascii_case(flag)
            })
        });
        #[cfg(feature = "server")]
        let argument = argument.hide_env(true);
        if repeats && argument.get_action().takes_values() { argument.value_name("VALUE") } else { argument }
    };
    let names: Vec<String> = declaration.get_subcommands().map(|one| one.get_name().to_owned()).collect();
    let declaration = declaration.mut_args(plain);
    names
        .into_iter()
        .fold(declaration, |declaration, name| declaration.mut_subcommand(name, |one| one.mut_args(plain)))
}

/// Exit code of a failure that may go away by itself, as in `sysexits.h`.
const TEMPORARY: u8 = 75;

/// A failure that may go away by itself: the database cannot be reached yet, or another server still has it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Temporary(pub String);

/// Returns the exit code of a failure. A service manager tries again after a temporary one.
pub fn exit_code(failure: &(dyn Error + 'static)) -> ExitCode {
    ExitCode::from(if failure.is::<Temporary>() { TEMPORARY } else { 2 })
}
