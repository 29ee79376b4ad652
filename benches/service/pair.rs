//! Whether one build of the server is slower than another.
//!
//! `cargo bench --bench pair -- OLD NEW [ROUNDS]` takes two programs. A processor changes its speed within seconds, and one start
//! of a server differs from the next; so both stand side by side and are loaded in turn for a short while each, and all of it is
//! done again with fresh servers. Said is how much the second does of what the first does, with the error of the mean.

#[allow(dead_code, reason = "another bench needs the rest")]
mod client;
#[allow(dead_code, reason = "another bench needs the rest")]
mod load;
#[allow(dead_code, reason = "another bench needs the rest")]
mod server;
#[allow(dead_code, reason = "another bench needs the rest")]
mod table;

use std::time::Duration;

use client::Failure;
use load::{Work, open_games, run_for};
use server::{Server, UNLIMITED};
use table::Table;

/// What is compared, at 64 connections.
const WORKS: [Work; 3] = [Work::Commands, Work::KeyedCommands, Work::Views];
const CONNECTIONS: usize = 64;
const WHILE: Duration = Duration::from_millis(600);
/// How often each server has its turn.
const TURNS: usize = 8;

fn main() -> Result<(), Failure> {
    let mut said = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let (Some(old), Some(new)) = (said.next(), said.next()) else {
        return Err("which two programs? cargo bench --bench pair -- OLD NEW [ROUNDS]".into());
    };
    let rounds: usize = said.next().map_or(Ok(10), |rounds| rounds.parse())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut ratios: Vec<[f64; WORKS.len()]> = Vec::new();
    for _ in 0..rounds {
        let ratio = tokio::task::LocalSet::new().block_on(&runtime, round([&old, &new]))?;
        println!("{}", ratio.map(|ratio| format!("{ratio:.3}")).join(" "));
        ratios.push(ratio);
    }
    for (at, work) in WORKS.iter().enumerate() {
        let (mean, error) = mean(ratios.iter().map(|ratio| ratio[at]))?;
        println!("{work:?}: {mean:.3} (+-{error:.3})");
    }
    Ok(())
}

/// Each work by fresh servers of both programs: how much the second does of what the first does.
async fn round(programs: [&str; 2]) -> Result<[f64; WORKS.len()], Failure> {
    let folder = tempfile::tempdir()?;
    let mut both: Vec<(Server, Vec<Table>)> = Vec::new();
    for (number, program) in programs.into_iter().enumerate() {
        let server = Server::start_program(program, &folder.path().join(format!("{number}.db")), &UNLIMITED)?;
        let tables = open_games(&server, load::GAMES).await?;
        both.push((server, tables));
    }
    let mut ratios = [0.0; WORKS.len()];
    for (ratio, work) in ratios.iter_mut().zip(WORKS) {
        let mut done = [0.0; 2];
        for turn in 0..TURNS {
            // Neither always comes after the other.
            for at in if turn % 2 == 0 { [0, 1] } else { [1, 0] } {
                let (server, tables) = &mut both[at];
                done[at] += run_for(WHILE, &[server], tables, CONNECTIONS, work).await?.a_second;
            }
        }
        *ratio = done[1] / done[0];
    }
    Ok(ratios)
}

/// The mean, and its error.
fn mean(values: impl ExactSizeIterator<Item = f64> + Clone) -> Result<(f64, f64), Failure> {
    let count = f64::from(u32::try_from(values.len())?);
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    Ok((mean, (variance / count).sqrt()))
}
