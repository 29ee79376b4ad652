//! Cost of a shared database compared with a file: commands and views over HTTP, by one server and by two
//! with separate games.
//!
//! `DATABASE=postgres://... cargo bench --bench nodes`: an empty database, whose server runs on the same
//! machine here.

#[allow(dead_code, reason = "another bench needs the rest")]
mod client;
#[allow(dead_code, reason = "another bench needs the rest")]
mod load;
#[allow(dead_code, reason = "another bench needs the rest")]
#[path = "../machine.rs"]
mod machine;
#[allow(dead_code, reason = "another bench needs the rest")]
mod server;
#[allow(dead_code, reason = "another bench needs the rest")]
mod table;

use std::{path::Path, time::Instant};

use http_body_util::BodyExt as _;

use client::{Client, Failure, events_in};
use load::{GAMES, Work, open_games, run, run_in_turn};
use machine::rest;
use server::{Server, UNLIMITED};
use table::{Pair, Table};

/// Rounds of each configuration.
const ROUNDS: usize = 4;
/// Moves followed from one server to the other.
const MOVES: usize = 1_000;

fn main() -> Result<(), Failure> {
    let Ok(shared) = std::env::var("DATABASE") else {
        println!("nothing is measured: DATABASE=postgres://... names an empty database");
        return Ok(());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, measure(&shared))
}

async fn measure(shared: &str) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let key = folder.path().join("key");
    let key = key.to_str().ok_or("the folder has no name")?;
    let flags = [&UNLIMITED[..], &["--key", key, "--standbys", "0"]].concat();
    let file = folder.path().join("games.db");
    let alone = Server::start_with(&file, &UNLIMITED)?;
    let nodes =
        [Server::start_with(Path::new(shared), &flags)?, Server::start_with(Path::new(shared), &flags)?];
    let mut own = open_games(&alone, GAMES).await?;
    let mut first = open_games(&nodes[0], GAMES).await?;
    let mut second = open_games(&nodes[1], GAMES).await?;
    for work in [Work::Commands, Work::Views] {
        let (mut of_file, mut of_one, mut of_two) = (0.0, 0.0, 0.0);
        for round in 0..=ROUNDS {
            let file = run(&alone, &mut own, 64, work).await?.a_second;
            rest()?;
            let one = run(&nodes[0], &mut first, 64, work).await?.a_second;
            rest()?;
            let two = together(&nodes, [&mut first, &mut second], work).await?;
            rest()?;
            // The first round warms up.
            if round > 0 {
                println!("  {work:?}: a file {file:.0}, one server {one:.0}, two {two:.0} a second");
                (of_file, of_one, of_two) = (of_file + file, of_one + one, of_two + two);
            }
        }
        println!("{work:?}: one server {:.2} of a file, two {:.2} of one", of_one / of_file, of_two / of_one);
    }
    let silent = [&flags[..], &["--bells", "poll"]].concat();
    let silent =
        [Server::start_with(Path::new(shared), &silent)?, Server::start_with(Path::new(shared), &silent)?];
    let (mut apart, mut in_turn, mut unheard) = (0.0, 0.0, 0.0);
    for _ in 0..ROUNDS {
        rest()?;
        apart += together(&nodes, [&mut first, &mut second], Work::Commands).await?;
        rest()?;
        in_turn += run_in_turn(&[&nodes[0], &nodes[1]], &mut first, 64, Work::Commands).await?.a_second;
        rest()?;
        unheard += together(&silent, [&mut first, &mut second], Work::Commands).await?;
    }
    println!("each request to the other server: {:.2} of games that stay at one", in_turn / apart);
    println!("with bells: {:.2} of without", apart / unheard);
    told_elsewhere(&nodes).await
}

/// Measures the time from an answer until the other server announces the command.
async fn told_elsewhere([here, there]: &[Server; 2]) -> Result<(), Failure> {
    let (mut player, mut watcher) =
        (Client::connect(here.address).await?, Client::connect(there.address).await?);
    let pair = Pair::new(&mut player).await?;
    let mut table = Table::open(&mut player, pair, 0).await?;
    let mut events = watcher.stream(&format!("{}/events", table.path)).await?;
    let mut times = Vec::new();
    while times.len() < MOVES && table.goes_on() {
        table.play(&mut player).await?;
        let answered = Instant::now();
        loop {
            let frame = events.frame().await.ok_or("the stream has ended")??;
            let text = frame.into_data().unwrap_or_default();
            if events_in(&text) > 0 {
                break;
            }
        }
        times.push(answered.elapsed());
    }
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!("told at the other server: p50 {:.1} ms, p99 {:.1} ms of {}", at(50), at(99), times.len());
    Ok(())
}

async fn together(
    nodes: &[Server; 2],
    [first, second]: [&mut Vec<Table>; 2],
    work: Work,
) -> Result<f64, Failure> {
    let both = tokio::join!(run(&nodes[0], first, 32, work), run(&nodes[1], second, 32, work));
    Ok(both.0?.a_second + both.1?.a_second)
}
