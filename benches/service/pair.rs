//! Whether one build of the server is slower than another.
//!
//! `cargo bench --bench pair -- OLD NEW [ROUNDS]` takes two programs. A processor changes its speed within seconds, and one start
//! of a server differs from the next; so both stand side by side and are loaded in turn for a short while each, and all of it is
//! done again with fresh servers. Said is how much the second does of what the first does, with the error of the mean; and of
//! streams and of memory, how much it takes of what the first takes.

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
use table::Table;

/// What is compared, at 64 connections.
const WORKS: [Work; 3] = [Work::Commands, Work::KeyedCommands, Work::Views];
const CONNECTIONS: usize = 64;
const WHILE: Duration = Duration::from_millis(600);
/// How often each server has its turn.
const TURNS: usize = 8;
const STREAMS: usize = 2_000;
/// How often a command is told to all streams of a game.
const TOLD: usize = 20;

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
    let mut both: Vec<(Server, Vec<Table>)> = Vec::new();
    for (number, program) in programs.into_iter().enumerate() {
        let server = Server::start_program(program, &folder.path().join(format!("{number}.db")), &UNLIMITED)?;
        let tables = open_games(&server, load::GAMES).await?;
        both.push((server, tables));
    }
    let mut games = Vec::new();
    for (server, _) in &both {
        // The first ones lie where the server had what it needed to start, and say little.
        open_games(server, IDLE_GAMES).await?;
        let before = server.memory();
        open_games(server, IDLE_GAMES).await?;
        games.push(before.zip(server.memory()).map(|(before, after)| after - before));
    }
    let mut ratios = Vec::new();
    for work in WORKS {
        let mut done = [0.0; 2];
        for turn in 0..TURNS {
            // Neither always comes after the other.
            for at in if turn % 2 == 0 { [0, 1] } else { [1, 0] } {
                let (server, tables) = &mut both[at];
                done[at] += run_for(WHILE, &[server], tables, CONNECTIONS, work).await?.a_second;
            }
        }
        ratios.push(done[1] / done[0]);
    }
    let [old, new] = &both[..] else { return Err("there are two".into()) };
    ratios.extend(streams(&old.0, &new.0).await?);
    ratios.push(of(games[1], games[0]));
    Ok(ratios)
}

/// What the streams of the second take of what those of the first take: time, and memory.
async fn streams(old: &Server, new: &Server) -> Result<[f64; 2], Failure> {
    let mut both = [Watched::open(old, STREAMS).await?, Watched::open(new, STREAMS).await?];
    let mut taken = [Duration::ZERO; 2];
    for turn in 0..TOLD {
        for at in if turn % 2 == 0 { [0, 1] } else { [1, 0] } {
            taken[at] += both[at].play().await?;
        }
    }
    Ok([taken[1].div_duration_f64(taken[0]), of(both[1].each, both[0].each)])
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
