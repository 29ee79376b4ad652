//! The command line of `playledger`.

mod cli;

use std::process::ExitCode;

/// Answers are allocated on one thread and freed on another, which is slow in the system's allocator.
#[cfg(feature = "server")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match cli::Cli::read().and_then(cli::Cli::run) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("playledger: {error}");
            cli::exit_code(&*error)
        }
    }
}
