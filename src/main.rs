//! The command line of `playledger`.

mod command;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match command::Cli::parse().run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("playledger: {error}");
            ExitCode::from(2)
        }
    }
}
