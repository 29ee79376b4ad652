//! Compares the speed of two builds of the server.
//!
//! `cargo bench --bench pair -- OLD NEW [ROUNDS]` takes two programs. The speed of a processor changes within
//! seconds, and starts of a server differ. So both run side by side under load in short turns, and each round
//! uses new servers. The idle server is halted, so that its background work falls into its own turns. The
//! output is the second's rate relative to the first's, with the error of the mean; for streams and memory,
//! its relative cost.

#[allow(dead_code, reason = "another bench needs the rest")]
mod client;
#[allow(dead_code, reason = "another bench needs the rest")]
mod load;
#[allow(dead_code, reason = "another bench needs the rest")]
mod server;
#[allow(dead_code, reason = "another bench needs the rest")]
mod streams;
#[allow(dead_code, reason = "another bench needs the rest")]
mod table;

use std::time::Duration;

use client::Failure;
use load::{IDLE_GAMES, Work, open_games, run_for};
use server::{Server, UNLIMITED};
use streams::Watched;

/// The compared work, at 64 connections.
const WORKS: [Work; 3] = [Work::Commands, Work::KeyedCommands, Work::Views];
const CONNECTIONS: usize = 64;
const WHILE: Duration = Duration::from_secs(1);
/// Turns of each server: enough for several compactions.
const TURNS: usize = 12;
/// Memory is allocated in large blocks, so few streams would show only the blocks.
const STREAMS: usize = 6_000;
/// Commands announced to all streams of a game.
const TOLD: usize = 40;

/// Further measures: the time until the last stream has a command, the memory of a stream, and that of an
/// idle game.
const TAKEN: [&str; 3] = ["time to the last stream", "memory of a stream", "memory of a game"];

fn main() -> Result<(), Failure> {
    let mut said = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (Some(old), Some(new)) = (said.next(), said.next()) else {
        return Err("which two programs? cargo bench --bench pair -- OLD NEW [ROUNDS]".into());
    };
    let rounds: usize = said.next().map_or(Ok(10), |rounds| rounds.parse())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut ratios: Vec<Vec<f64>> = Vec::new();
    for _ in 0..rounds {
        let ratio = tokio::task::LocalSet::new().block_on(&runtime, round([&old, &new]))?;
        println!("{}", ratio.iter().map(|ratio| format!("{ratio:.3}")).collect::<Vec<_>>().join(" "));
        ratios.push(ratio);
    }
    let names = WORKS.iter().map(|work| format!("{work:?}")).chain(TAKEN.map(str::to_owned));
    for (at, name) in names.enumerate() {
        let (mean, error) = mean(ratios.iter().map(|ratio| ratio[at]))?;
        println!("{name}: {mean:.3} (+-{error:.3})");
    }
    Ok(())
}

/// Measures each work on fresh servers of both programs. Returns the second's rates and costs relative to the
/// first's.
async fn round(programs: [&str; 2]) -> Result<Vec<f64>, Failure> {
    let folder = tempfile::tempdir()?;
    let start = |at: usize| {
        let database = folder.path().join(format!("{at}.db"));
        Server::start_program(programs[at], &database, &UNLIMITED)
    };
    let servers = [start(0)?, start(1)?];
    let (mut tables, mut games) = (Vec::new(), Vec::new());
    for server in &servers {
        tables.push(open_games(server, load::GAMES).await?);
        // The first games use memory allocated at the start, and say little.
        open_games(server, IDLE_GAMES).await?;
        let before = server.memory();
        // As with streams below, few games would show only blocks of memory.
        open_games(server, 3 * IDLE_GAMES).await?;
        games.push(before.zip(server.memory()).map(|(before, after)| after - before));
    }
    let mut ratios = Vec::new();
    for work in WORKS {
        let of_second = in_turn(&servers, TURNS, async |at| {
            Ok(run_for(WHILE, &[&servers[at]], &mut tables[at], CONNECTIONS, work).await?.a_second)
        });
        ratios.push(of_second.await?);
    }
    // As with games, the first streams say little.
    let few = STREAMS / 3;
    let _first = [Watched::open(&servers[0], few).await?, Watched::open(&servers[1], few).await?];
    let mut streams =
        [Watched::open(&servers[0], STREAMS).await?, Watched::open(&servers[1], STREAMS).await?];
    let memory = of(streams[1].each, streams[0].each);
    let time = in_turn(&servers, TOLD, async |at| Ok(streams[at].play().await?.as_secs_f64())).await?;
    ratios.extend([time, memory, of(games[1], games[0])]);
    Ok(ratios)
}

/// Each has its turns while the other is halted, and neither always comes after the other: the sum of the
/// second, of the first's.
async fn in_turn(
    servers: &[Server; 2],
    turns: usize,
    mut turn: impl AsyncFnMut(usize) -> Result<f64, Failure>,
) -> Result<f64, Failure> {
    let mut sums = [0.0; 2];
    for number in 0..turns {
        for at in if number % 2 == 0 { [0, 1] } else { [1, 0] } {
            servers[1 - at].halt()?;
            sums[at] += turn(at).await?;
            servers[1 - at].go_on()?;
        }
    }
    Ok(sums[1] / sums[0])
}

/// The second of the first; no number where the system does not tell.
fn of(new: Option<f64>, old: Option<f64>) -> f64 {
    new.zip(old).map_or(f64::NAN, |(new, old)| new / old)
}

/// The mean, and its error.
fn mean(values: impl ExactSizeIterator<Item = f64> + Clone) -> Result<(f64, f64), Failure> {
    let count = f64::from(u32::try_from(values.len())?);
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    Ok((mean, (variance / count).sqrt()))
}
