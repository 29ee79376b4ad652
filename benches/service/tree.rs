//! Cost of the public tree: commands with and without it; and for a tree of ten million leaves its size on
//! disk, a start and a proof.
//!
//! `cargo bench --bench tree`. `LEAVES=100000` makes a smaller tree, and `BEFORE=path/to/playledger` names a
//! build without the tree for comparison.

#[allow(dead_code, reason = "another bench needs the rest")]
mod client;
#[allow(dead_code, reason = "another bench needs the rest")]
mod load;
#[allow(dead_code, reason = "another bench needs the rest")]
mod server;
#[allow(dead_code, reason = "another bench needs the rest")]
mod table;

use std::{
    collections::BTreeMap,
    convert::Infallible,
    path::Path,
    time::{Duration, Instant},
};

use client::{Client, Failure};
use load::{GAMES, Work, open_games, run};
use playledger::{
    engine::hash::Bytes32,
    store::{Change, HashRange, LeafRow, NodeRow, Store, TreeChange, Write, sqlite::Settings},
    tree::{
        merkle::{Tiles, grow, of_leaf},
        tile::Tile,
    },
};
use serde_json::Value;
use server::{Server, UNLIMITED};
use sha2::{Digest as _, Sha256};
use table::{Pair, Table};

/// Leaves per write, and leaves per game.
const STEP: u64 = 50_000;
const OF_GAME: u64 = 5;
const PROOFS: usize = 2_000;
/// Pairs of turns of each configuration.
const ROUNDS: usize = 6;

fn main() -> Result<(), Failure> {
    let leaves = std::env::var("LEAVES").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000_000);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let folder = tempfile::tempdir()?;
        commands(&folder.path().join("commands.db")).await?;
        large(&folder.path().join("large.db"), leaves).await
    })
}

fn start(database: &Path, seconds: &str) -> Result<Server, Failure> {
    Server::start_with(database, &[&UNLIMITED[..], &["--checkpoint-seconds", seconds]].concat())
}

/// Measures commands with a checkpoint every ten seconds, every second, and in a build without the tree.
async fn commands(database: &Path) -> Result<(), Failure> {
    const WAYS: [&str; 3] = ["another build", "each 10 s", "each 1 s"];
    let before = std::env::var("BEFORE").ok();
    let mut servers = Vec::new();
    for (way, seconds) in WAYS.iter().zip(["10", "10", "1"]) {
        let database = database.with_extension(way.replace(' ', "-"));
        let server = match &before {
            Some(program) if servers.is_empty() => Server::start_program(program, &database, &UNLIMITED)?,
            _ => start(&database, seconds)?,
        };
        let mut tables = open_games(&server, GAMES).await?;
        // The first round warms up.
        run(&server, &mut tables, 64, Work::Commands).await?;
        servers.push((server, tables, Vec::new()));
    }
    // Each configuration follows each other one equally often, because background work burdens the next.
    for place in [0, 1, 2, 0, 2, 1].repeat(ROUNDS) {
        let (server, tables, rates) = &mut servers[place];
        let rate = run(server, tables, 64, Work::Commands).await?;
        println!("  {:>13}: {rate}", WAYS[place]);
        rates.push(rate.a_second);
    }
    let sum = |place: usize| servers[place].2.iter().sum::<f64>();
    for place in [1, 2] {
        let ratio = sum(place) / sum(0);
        println!(
            "  commands with a checkpoint {}: {ratio:.3} of {}",
            WAYS[place],
            if before.is_some() { "those of the other build" } else { "those of the same" }
        );
    }
    Ok(())
}

/// The tiles at the right edge of a growing tree.
#[derive(Default)]
struct Edge(BTreeMap<u32, Vec<Bytes32>>);

impl Tiles for Edge {
    type Error = Infallible;

    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, Infallible> {
        Ok(self.0.get(&tile.level).cloned().unwrap_or_default())
    }
}

impl Edge {
    fn put(&mut self, level: u32, hash: Bytes32) {
        let hashes = self.0.entry(level).or_default();
        hashes.push(hash);
        if hashes.len() == 256 {
            hashes.clear();
        }
    }
}

/// Fills a tree up to this number of leaves.
async fn fill(database: &Path, leaves: u64) -> Result<(), Failure> {
    let store = Store::open(database, &Settings::default())?;
    let tree = store.tree().await?.ok_or("the tree has not begun")?;
    let (mut size, mut edge) = (tree.size, Edge::default());
    let begun = HashRange { level: 0, first: 0, count: size };
    for hash in store.stretches(vec![begun]).await?.concat() {
        edge.put(0, of_leaf(&hash));
    }
    while size < leaves {
        let count = STEP.min(leaves - size);
        let mut rows = Vec::new();
        while (rows.len() as u64) < count {
            let game = store.new_game_key();
            for seq in 0..OF_GAME.min(count - rows.len() as u64) {
                let head = Sha256::digest((size + rows.len() as u64).to_be_bytes()).into();
                rows.push(LeafRow { game, seq: seq * 30, head });
            }
        }
        let heads: Vec<Bytes32> = rows.iter().map(|row| row.head).collect();
        let Ok(nodes) = grow(&edge, size, &heads);
        for head in &heads {
            edge.put(0, of_leaf(head));
        }
        for node in &nodes {
            edge.put(node.level, node.hash);
        }
        let nodes = nodes
            .iter()
            .map(|node| NodeRow { level: node.level, place: node.place, hash: node.hash })
            .collect();
        let growth = TreeChange::Grow { size, leaves: rows, nodes, after: tree.upto, upto: tree.upto };
        store.write(Write::of(Change::Tree(growth))).await?;
        size += count;
    }
    Ok(())
}

async fn large(database: &Path, leaves: u64) -> Result<(), Failure> {
    let server = start(database, "1")?;
    let mut client = Client::connect(server.address).await?;
    let pair = Pair::new(&mut client).await?;
    Table::open(&mut client, pair, 0).await?;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let listed: Value = serde_json::from_slice(&client.get("/v1/games?limit=1", None).await?)?;
    let game = listed["items"][0]["id"].as_str().ok_or("there is no game")?.to_owned();
    let before = server.size();
    drop(server);
    let begin = Instant::now();
    fill(database, leaves).await?;
    println!("  {leaves} leaves written in {:.0} s", begin.elapsed().as_secs_f64());
    // The next checkpoint stores the leaves of each game.
    let server = start(database, "1")?;
    let mut client = Client::connect(server.address).await?;
    let path = format!("/v1/games/{game}/proof?seq=4");
    let begin = Instant::now();
    while !String::from_utf8_lossy(&client.get("/tlog/checkpoint", None).await?)
        .contains(&format!("\n{leaves}\n"))
    {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    println!(
        "  published, with what is pinned of {} games, after {:.1} s",
        leaves / OF_GAME,
        begin.elapsed().as_secs_f64()
    );
    let mut times = Vec::new();
    for _ in 0..PROOFS {
        let begin = Instant::now();
        client.get(&path, None).await?;
        times.push(begin.elapsed());
    }
    times.sort_unstable();
    println!("  a proof by HTTP: median {:?}, p99 {:?}", times[PROOFS / 2], times[PROOFS * 99 / 100]);
    #[allow(clippy::cast_precision_loss, reason = "far below what fits")]
    let of_leaf = (server.size() - before) * 1_024.0 / leaves as f64;
    println!("  on disk: {of_leaf:.1} bytes a leaf");
    drop(server);
    let mut starts: Vec<Duration> = Vec::new();
    for _ in 0..5 {
        starts.push(start(database, "1")?.started_in);
    }
    starts.sort_unstable();
    println!("  a start with {leaves} leaves: median {:?}", starts[2]);
    Ok(())
}
