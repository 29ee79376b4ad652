//! The command line of `playledger`.

mod cli;

use std::process::ExitCode;

/// Answers are made on one thread and let go on another, which the system's own allocator is slow at.
#[cfg(feature = "server")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match cli::Cli::read().run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("playledger: {error}");
            ExitCode::from(2)
        }
    }
}
