//! How fast the whole service is, over HTTP, with the load generator on the same machine.
//!
//! `cargo bench --bench service` starts the server on a fresh file, and again on one with 100,000 finished games; a number
//! behind `--` takes another number of games. Rates are of requests that were answered; a command is answered when it is
//! on disk.

mod client;
mod load;
mod server;
mod stored;
mod streams;
mod table;

use std::path::Path;

use client::Failure;
use load::{GAMES, IDLE_GAMES, Rate, Work, open_games, run};
use server::Server;

fn main() -> Result<(), Failure> {
    let stored = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    let fresh = measure(&folder.path().join("fresh.db"), true)?;
    println!("{stored} finished games in the file");
    let full = folder.path().join("full.db");
    stored::fill(&full, stored)?;
    let later = measure(&full, false)?;
    println!("ratio to the fresh file: {:.2}", later / fresh);
    Ok(())
}

/// Measures a server on this file, and gives the rate of commands at 64 connections.
fn measure(database: &Path, whole: bool) -> Result<f64, Failure> {
    let server = Server::start(database)?;
    println!(
        "start: {:.0} ms, {:.0} MiB on disk",
        server.started_in.as_secs_f64() * 1e3,
        server.size() / 1_024.0
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let mut tables = open_games(&server, GAMES).await?;
        let before = server.memory();
        open_games(&server, IDLE_GAMES).await?;
        if let (Some(before), Some(after)) = (before, server.memory()) {
            println!("  {:.1} KiB of memory a live game", (after - before) / f64::from(IDLE_GAMES));
        }
        let first = run(&server, &mut tables, 64, Work::Health).await?;
        println!("  health at 64 connections:   {first}");
        let mut at_64 = None;
        for connections in [1, 16, 64, 256] {
            let commands = run(&server, &mut tables, connections, Work::Commands).await?;
            println!("  commands at {connections:>3} connections: {commands}");
            if connections == 64 {
                at_64 = Some(commands);
            }
        }
        let views = run(&server, &mut tables, 64, Work::Views).await?;
        println!("  views at 64 connections:    {views}");
        let last = run(&server, &mut tables, 64, Work::Health).await?;
        println!("  health at 64 connections:   {last}");
        let commands = at_64.ok_or("nothing was measured at 64 connections")?;
        // The machine may be faster now than it was then; what lies between is compared with the mean.
        let ceiling = f64::midpoint(first.a_second, last.a_second);
        compare("commands", &commands, ceiling);
        compare("views", &views, ceiling);
        println!("  {:.0} MiB on disk afterwards", server.size() / 1_024.0);
        if whole {
            streams::measure(&server, 5_000).await?;
        }
        Ok(commands.a_second)
    })
}

fn compare(name: &str, rate: &Rate, ceiling: f64) {
    let tail = rate.p99.as_secs_f64() / rate.p50.as_secs_f64();
    println!("  {name}: {:.2} of the ceiling, p99 is {tail:.1} times p50", rate.a_second / ceiling);
}
