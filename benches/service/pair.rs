//! Whether one build of the server is slower than another.
//!
//! `cargo bench --bench pair -- OLD NEW [ROUNDS]` takes two programs. A processor changes its speed within seconds, and one start
//! of a server differs from the next; so both stand side by side and are loaded in turn for a short while each, and all of it is
//! done again with fresh servers. A server tidies up after its work: whose turn it is not is halted, so that each pays for its
//! own. Said is how much the second does of what the first does, with the error of the mean; and of streams and of memory, how
//! much it takes of what the first takes.

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

/// What is compared, at 64 connections.
const WORKS: [Work; 3] = [Work::Commands, Work::KeyedCommands, Work::Views];
const CONNECTIONS: usize = 64;
const WHILE: Duration = Duration::from_secs(1);
/// How often each server has its turn: often enough that it tidies up several times.
const TURNS: usize = 12;
/// Memory is taken in large pieces: of few streams one sees the pieces.
const STREAMS: usize = 6_000;
/// How often a command is told to all streams of a game.
const TOLD: usize = 40;

/// What is said beside the works: the time until the last stream has told of a command, the memory of a stream, and that of a
/// game that nobody plays.
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

/// Each work by fresh servers of both programs: how much the second does of what the first does, and takes of what it takes.
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
        // The first ones lie where the server had what it needed to start, and say little.
        open_games(server, IDLE_GAMES).await?;
        let before = server.memory();
        // As with streams below, of few one sees the pieces in which memory is taken.
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
    // As with games, the first ones say little of what a stream takes.
    let few = STREAMS / 3;
    let _first = [Watched::open(&servers[0], few).await?, Watched::open(&servers[1], few).await?];
    let mut streams =
        [Watched::open(&servers[0], STREAMS).await?, Watched::open(&servers[1], STREAMS).await?];
    let memory = of(streams[1].each, streams[0].each);
    let time = in_turn(&servers, TOLD, async |at| Ok(streams[at].play().await?.as_secs_f64())).await?;
    ratios.extend([time, memory, of(games[1], games[0])]);
    Ok(ratios)
}

/// Each has its turns while the other is halted, and neither always comes after the other: the sum of the second, of the first's.
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
