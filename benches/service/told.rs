//! Cost of notifications: commands with and without webhooks, messages per second, and memory of many
//! webhooks.
//!
//! `cargo bench --bench told`. The receiver is on this machine and uses plain HTTP; each message has its own
//! connection.

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
use serde_json::json;
use server::Server;
use table::{Pair, Signs, Table};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// Webhooks of a player: the most allowed.
const OF_PLAYER: usize = 10;
const PLAYERS: usize = 10_000;
/// Players with webhooks who are notified at the same time.
const AT_ONCE: usize = 1_000;

fn main() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let (receiver, came) = receive().await?;
        let folder = tempfile::tempdir()?;
        commands(&folder.path().join("commands.db"), receiver).await?;
        messages(&folder.path().join("messages.db"), receiver, &came).await
    })
}

fn start(database: &std::path::Path) -> Result<Server, Failure> {
    let flags = ["--requests-per-second", "0", "--players-of-client", "0", "--games-a-day", "0"];
    let more = ["--games-of-player", "1000000", "--webhook-allow", "127.0.0.1"];
    Server::start_with(database, &[&flags[..], &more[..]].concat())
}

/// Receives messages and returns their bodies.
async fn receive() -> Result<(SocketAddr, Rc<Cell<usize>>), Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, came) = (listener.local_addr()?, Rc::new(Cell::new(0)));
    let count = Rc::clone(&came);
    tokio::task::spawn_local(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let count = Rc::clone(&count);
            tokio::task::spawn_local(async move {
                if echo(stream).await.is_ok() {
                    count.set(count.get() + 1);
                }
            });
        }
    });
    Ok((address, came))
}

async fn echo(mut stream: TcpStream) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    loop {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err("it ends too soon".into());
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0_usize) {
            let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            return Ok(stream.write_all(answer.as_bytes()).await?);
        }
    }
}

async fn add_hook(
    client: &mut Client,
    token: &str,
    receiver: SocketAddr,
    place: usize,
) -> Result<(), Failure> {
    let order = json!({"url": format!("http://{receiver}/{place}"), "format": "standard", "types": ["turn"]});
    client.post_json("/v1/webhooks", Some(token), &order).await.map(|_| ())
}

/// Measures commands without webhooks, and with one per player.
async fn commands(database: &std::path::Path, receiver: SocketAddr) -> Result<(), Failure> {
    let servers = [start(&database.with_extension("none"))?, start(&database.with_extension("one"))?];
    let mut tables = Vec::new();
    for server in &servers {
        tables.push(open_games(server, GAMES).await?);
    }
    let mut client = Client::connect(servers[1].address).await?;
    add_hook(&mut client, tables[1][0].pair.token(0), receiver, 0).await?;
    let mut rates = [Vec::new(), Vec::new()];
    // The first round warms up.
    for (server, tables) in servers.iter().zip(&mut tables) {
        run(server, tables, 64, Work::Commands).await?;
    }
    for place in [0, 1, 1, 0, 0, 1, 1, 0] {
        let rate = run(&servers[place], &mut tables[place], 64, Work::Commands).await?;
        println!("  {}: {rate}", ["no webhook ", "one webhook"][place]);
        rates[place].push(rate.a_second);
    }
    let mean = |rates: &[f64]| rates.iter().sum::<f64>() / 4.0;
    println!("  commands with one webhook: {:.3} of those without", mean(&rates[1]) / mean(&rates[0]));
    Ok(())
}

/// Measures many webhooks: confirmations and messages per second, and memory.
async fn messages(
    database: &std::path::Path,
    receiver: SocketAddr,
    came: &Cell<usize>,
) -> Result<(), Failure> {
    let server = start(database)?;
    let mut client = Client::connect(server.address).await?;
    let mut pairs = Vec::new();
    for _ in 0..PLAYERS / 2 {
        pairs.push(Pair::new(&mut client).await?);
    }
    let (before, begin) = (server.memory().unwrap_or_default(), Instant::now());
    came.set(0);
    let shares = pairs.chunks(pairs.len().div_ceil(32)).map(|share| {
        let (share, address) = (share.to_vec(), server.address);
        tokio::task::spawn_local(async move {
            let mut client = Client::connect(address).await?;
            for pair in share {
                for number in 0..2 * OF_PLAYER {
                    add_hook(&mut client, pair.token(number % 2), receiver, number).await?;
                }
            }
            Ok::<_, Failure>(())
        })
    });
    for share in shares.collect::<Vec<_>>() {
        share.await??;
    }
    let hooks = PLAYERS * OF_PLAYER;
    until(came, hooks).await;
    println!("  {hooks} webhooks added and proved in {:.0} s", begin.elapsed().as_secs_f64());
    let taken = server.memory().unwrap_or_default() - before;
    #[allow(clippy::cast_precision_loss, reason = "far below what fits")]
    let (hooks, told) = (hooks as f64, (AT_ONCE * OF_PLAYER) as f64);
    println!("  memory: {:.0} bytes a webhook", taken * 1_024.0 / hooks);
    came.set(0);
    let (begin, mut client) = (Instant::now(), Client::connect(server.address).await?);
    for pair in pairs.into_iter().take(AT_ONCE) {
        Table::open_with(&mut client, pair, 0, Signs::Never).await?;
    }
    let opened = begin.elapsed();
    until(came, AT_ONCE * OF_PLAYER).await;
    let all = begin.elapsed();
    println!(
        "  {told} messages of {AT_ONCE} games that began within {:.1} s had arrived after {:.1} s: {:.0} a second to one host",
        opened.as_secs_f64(),
        all.as_secs_f64(),
        told / all.as_secs_f64()
    );
    Ok(())
}

async fn until(came: &Cell<usize>, count: usize) {
    while came.get() < count {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
