//! What a shared database costs against a file: commands and views over HTTP, by one server and by two with games of their own.
//!
//! `DATABASE=postgres://... cargo bench --bench nodes`: an empty database, whose server runs on the same machine here.

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

use std::path::Path;

use client::Failure;
use load::{GAMES, Work, open_games, run};
use machine::rest;
use server::{Server, UNLIMITED};
use table::Table;

/// How often each way is tried.
const ROUNDS: usize = 4;

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
            // What is new is not yet warm.
            if round > 0 {
                println!("  {work:?}: a file {file:.0}, one server {one:.0}, two {two:.0} a second");
                (of_file, of_one, of_two) = (of_file + file, of_one + one, of_two + two);
            }
        }
        println!("{work:?}: one server {:.2} of a file, two {:.2} of one", of_one / of_file, of_two / of_one);
    }
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
