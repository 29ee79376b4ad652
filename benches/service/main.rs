//! Speed of the whole service over HTTP, with the load generator on the same machine.
//!
//! `cargo bench --bench service` starts the server on a new file, and again on one with 100,000 finished
//! games. A number after `--` changes that number. Rates count answered requests; a command is answered after
//! it is on disk.

mod abandoned;
#[allow(dead_code, reason = "another bench needs the rest")]
mod client;
mod load;
mod reads;
#[allow(dead_code, reason = "another bench needs the rest")]
mod server;
mod stored;
mod streams;
mod table;

use std::path::Path;

use client::Failure;
use load::{GAMES, IDLE_GAMES, Rate, Work, open_games, open_games_with, run};
use server::{Server, UNLIMITED};
use table::Signs;

fn main() -> Result<(), Failure> {
    let stored = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    let fresh = measure(&folder.path().join("fresh.db"), true)?;
    println!("{stored} finished games in the file");
    let full = folder.path().join("full.db");
    stored::fill(&full, stored)?;
    // The file was filled with another key and without a tree. The first start makes a tree of all games.
    let first = Server::start_with(&full, &[&UNLIMITED[..], &["--new-key"]].concat())?;
    println!("first start: {:.0} ms", first.started_in.as_secs_f64() * 1e3);
    drop(first);
    let later = measure(&full, false)?;
    println!("ratio to the fresh file: {:.2}", later / fresh);
    Ok(())
}

/// Measures a server on this file. Returns the rate of commands at 64 connections.
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
        // The log grows and is compacted, so later measurements are slower. Each is once before the other.
        let mut rounds = Vec::new();
        for work in [Work::Commands, Work::KeyedCommands, Work::KeyedCommands, Work::Commands] {
            rounds.push(run(&server, &mut tables, 64, work).await?);
        }
        let (commands, keyed) = (rounds[0].mean(&rounds[3]), rounds[1].mean(&rounds[2]));
        println!("  commands at  64 connections, without keys:     {commands}");
        println!("  commands at  64 connections, each under a key: {keyed}");
        for connections in [1, 16, 256] {
            let commands = run(&server, &mut tables, connections, Work::KeyedCommands).await?;
            println!("  commands at {connections:>3} connections, each under a key: {commands}");
        }
        let views = run(&server, &mut tables, 64, Work::Views).await?;
        println!("  views at 64 connections:    {views}");
        let drafts = run(&server, &mut tables, 64, Work::Drafts).await?;
        println!("  drafts at 64 connections:   {drafts}");
        let own = run(&server, &mut tables, 64, Work::OwnViews).await?;
        println!("  their seats' own views:     {own}");
        let last = run(&server, &mut tables, 64, Work::Health).await?;
        println!("  health at 64 connections:   {last}");
        // The speed of the machine changes, so compare with the mean of the rounds around.
        let ceiling = f64::midpoint(first.a_second, last.a_second);
        compare("commands under keys", &keyed, ceiling);
        compare("commands without", &commands, ceiling);
        let (rate, tail) =
            (keyed.a_second / commands.a_second, keyed.p99.as_secs_f64() / commands.p99.as_secs_f64());
        println!("  keys: {rate:.2} of the commands without, with {tail:.2} of their p99");
        compare("views", &views, ceiling);
        println!("  {:.0} MiB on disk afterwards", server.size() / 1_024.0);
        if whole {
            signed(&server).await?;
            reads::measure(&server).await?;
            streams::measure(&server, 5_000).await?;
        }
        Ok(commands.a_second)
    })
}

/// Measures signed commands against commands signed in vain.
async fn signed(server: &Server) -> Result<(), Failure> {
    let mut without = open_games_with(server, GAMES, Signs::InVain).await?;
    let mut with = open_games_with(server, GAMES, Signs::Always).await?;
    let mut rounds = Vec::new();
    for is_signed in [false, true, true, false] {
        let tables = if is_signed { &mut with } else { &mut without };
        rounds.push(run(server, tables, 64, Work::Commands).await?);
    }
    let (unsigned, signed) = (rounds[0].mean(&rounds[3]), rounds[1].mean(&rounds[2]));
    println!("  commands at  64 connections, signed:           {signed}");
    println!("  the same, with nothing to check:               {unsigned}");
    println!("  signed: {:.2} of those without", signed.a_second / unsigned.a_second);
    Ok(())
}

fn compare(name: &str, rate: &Rate, ceiling: f64) {
    let tail = rate.p99.as_secs_f64() / rate.p50.as_secs_f64();
    println!("  {name}: {:.2} of the ceiling, p99 is {tail:.1} times p50", rate.a_second / ceiling);
}
