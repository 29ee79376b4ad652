//! Cost of thinking bots for other players.
//!
//! `cargo bench --bench machines`: commands at 64 connections, with and without 200 games in which a person
//! plays against the hardest level and decides every second.

#[allow(dead_code, reason = "another bench needs the rest")]
mod client;
#[allow(dead_code, reason = "another bench needs the rest")]
mod load;
#[allow(dead_code, reason = "another bench needs the rest")]
mod server;
#[allow(dead_code, reason = "another bench needs the rest")]
mod table;

use std::{
    cell::Cell,
    net::SocketAddr,
    rc::Rc,
    time::{Duration, Instant},
};

use client::{Client, Failure};
use load::{GAMES, Work, open_games, run};
use serde_json::{Value, json};
use server::Server;

const AGAINST_MACHINES: usize = 200;
const PEOPLE: usize = 4;
/// Decision time of a person.
const PACE: Duration = Duration::from_secs(1);
const RULESETS: [&str; 2] = ["industrial-waste", "ecopolis"];

fn main() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let server = Server::start(&folder.path().join("games.db"))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let mut tables = open_games(&server, GAMES).await?;
        let (plays, commands) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0_u32)));
        for _ in 0..PEOPLE {
            let (plays, commands) = (Rc::clone(&plays), Rc::clone(&commands));
            let address = server.address;
            tokio::task::spawn_local(async move {
                if let Err(error) = person(address, &plays, &commands).await {
                    println!("  a person stops: {error}");
                }
            });
        }
        // Each twice, and neither always first.
        let (mut calm, mut busy) = (Vec::new(), Vec::new());
        for thinks in [false, true, true, false] {
            plays.set(thinks);
            // Lets pending decisions finish or begin.
            tokio::time::sleep(3 * PACE).await;
            let (thought, began, before) = (server.ran("bots"), Instant::now(), commands.get());
            let rate = run(&server, &mut tables, 64, Work::Commands).await?;
            let part =
                server.ran("bots").saturating_sub(thought).as_secs_f64() / began.elapsed().as_secs_f64();
            println!(
                "  {}: {rate}; machines think on {part:.2} of a processor, people sent {} commands",
                if thinks { "beside machines" } else { "alone          " },
                commands.get() - before
            );
            if thinks { busy.push(rate) } else { calm.push(rate) }
        }
        let (calm, busy) = (calm[0].mean(&calm[1]), busy[0].mean(&busy[1]));
        println!(
            "  p99 beside {AGAINST_MACHINES} games against the hardest: {:.2} of that without; rate {:.2}",
            busy.p99.as_secs_f64() / calm.p99.as_secs_f64(),
            busy.a_second / calm.a_second
        );
        Ok(())
    })
}

/// Plays many games at once, each against the hardest machine, at the pace of a person.
async fn person(address: SocketAddr, plays: &Cell<bool>, commands: &Cell<u32>) -> Result<(), Failure> {
    let mut client = Client::connect(address).await?;
    let made = client.post_json("/v1/players", None, &json!({"name": "Person"})).await?;
    let token = made["token"].as_str().unwrap_or_default().to_owned();
    let count = AGAINST_MACHINES / PEOPLE;
    let (mut games, mut is_connected) = (vec![String::new(); count], true);
    for number in (0..count).cycle() {
        tokio::time::sleep(PACE / u32::try_from(count)?).await;
        if !plays.get() {
            // The server closes silent connections.
            is_connected = false;
            continue;
        }
        if !std::mem::replace(&mut is_connected, true) {
            client = Client::connect(address).await?;
        }
        if games[number].is_empty() {
            let bots = json!([{"seat": 1, "level": "hardest"}]);
            let new = json!({"ruleset": RULESETS[number % 2], "seats": 2, "bots": bots});
            let made = client.post_json("/v1/games", Some(&token), &new).await?;
            games[number] = format!("/v1/games/{}", made["id"].as_str().unwrap_or_default());
        }
        let view = client.get(&format!("{}/view?with=legal", games[number]), Some(&token)).await?;
        let view: Value = serde_json::from_slice(&view)?;
        if view["status"] != "running" {
            games[number].clear();
        } else if view["to_act"][0] == 0 {
            let listed = view["legal"]["commands"].as_array().map(Vec::as_slice).unwrap_or_default();
            let chosen = listed.iter().map(|one| &one["command"]).find(|one| one["type"] != "take_loan");
            let sent = json!({"expected_seq": view["seq"], "command": chosen});
            client.post_json(&format!("{}/commands", games[number]), Some(&token), &sent).await?;
            commands.set(commands.get() + 1);
        }
    }
    Ok(())
}
