//! Cost of the most expensive requests, and the cost of one client at its worst for another.
//!
//! `cargo bench --bench dearest`. Processor time is that of the server's threads on Linux. Time of a worker
//! delays other requests; time of other threads does not. Each request is sent five times, and the highest
//! cost counts.

mod abandoned;
#[allow(dead_code, reason = "another bench needs the rest")]
mod client;
#[allow(dead_code, reason = "another bench needs the rest")]
mod server;

use std::{
    net::{Ipv4Addr, SocketAddr},
    time::{Duration, Instant},
};

use abandoned::{play_out, table};
use client::{Client, Failure};
use http_body_util::BodyExt as _;
use hyper::Method;
use serde_json::{Value, json};
use server::Server;

/// Repetitions of each request.
const TIMES: usize = 5;
/// Length of an attack.
const ATTACK: Duration = Duration::from_secs(10);
/// Over how many connections.
const CONNECTIONS: usize = 32;
/// Where a long game is looked at.
const LATE: &str = "4000";

fn main() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("games.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, async {
        let server = Server::start(&database)?;
        let long = Long::play(&server).await?;
        drop(server);
        let server = Server::start(&database)?;
        let mut costs = measure(&server, &long).await?;
        let memory = (server.memory(), server.peak());
        drop(server);
        costs.sort_by_key(|cost| std::cmp::Reverse(cost.worker));
        println!("{:<64} {:>10} {:>10} {:>10}", "request", "worker ms", "others ms", "bytes");
        for Cost { name, worker, elsewhere, bytes } in costs {
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            println!("{name:<64} {:>10.2} {:>10.2} {bytes:>10}", ms(worker), ms(elsewhere));
        }
        if let (Some(memory), Some(peak)) = memory {
            println!("memory: {:.0} MiB at most, {:.0} MiB afterwards", peak / 1_024.0, memory / 1_024.0);
        }
        let server = Server::start_with(&database, &[])?;
        println!("\nanother client's requests, p50 and p99:");
        watch(&server, "alone", None, &long)?;
        for dear in Dear::ALL {
            watch(&server, dear.name(), Some(dear), &long)?;
        }
        Ok(())
    })
}

/// A long game made with eight requests, and requests for it.
struct Long {
    tokens: Vec<String>,
    path: String,
    replay: String,
    key: String,
    receipt: String,
}

impl Long {
    async fn play(server: &Server) -> Result<Self, Failure> {
        let mut client = Client::connect(server.address).await?;
        for _ in 0..100 {
            play_out(&mut client, "ecopolis", 12).await?;
        }
        let (path, tokens, receipt) = play_out(&mut client, "industrial-waste", 200).await?;
        let replay = client.get(&format!("{path}/replay"), None).await?;
        let keys: Value = serde_json::from_slice(&client.get("/v1/keys", None).await?)?;
        let key = keys["keys"][0]["key"].as_str().unwrap_or_default().to_owned();
        Ok(Self { tokens, path, replay: String::from_utf8(replay.to_vec())?, key, receipt })
    }
}

#[derive(Default)]
struct Cost {
    name: &'static str,
    worker: Duration,
    elsewhere: Duration,
    bytes: usize,
}

/// A request: its name, method, path, and body.
type Asked = (&'static str, Method, String, Option<String>);

async fn measure(server: &Server, long: &Long) -> Result<Vec<Cost>, Failure> {
    let Long { path, replay, key, receipt, .. } = long;
    let get = |name, path: String| -> Asked { (name, Method::GET, path, None) };
    let audit = |name, body: String| -> Asked { (name, Method::POST, "/v1/audits".into(), Some(body)) };
    let of = |rest: &str| format!("{path}{rest}");
    let many = json!({"replay": replay, "receipts": vec![receipt; 2_000], "keys": vec![key; 50]});
    let spaces = " ".repeat((16 << 20) - replay.len());
    let entries =
        format!("{{\"entries\":[{}", r#"{"body":{"at":0,"seat":0,"seq":1,"type":"leave"}},"#.repeat(300_000));
    let asked = [
        get("GET view of a long game, from the disk", of("/view")),
        get("GET list of 100 games", "/v1/games?limit=100".into()),
        get("GET own games", "/v1/me/games?limit=100".into()),
        get("GET games that wait", "/v1/me/games?turn=mine".into()),
        get("GET view late in a long game", of(&format!("/view?seq={LATE}"))),
        get("GET 100 events late in a long game", of(&format!("/events?limit=100&after={LATE}"))),
        get("GET 100 entries late in a long game", of(&format!("/log?limit=100&after={LATE}"))),
        get("GET replay of a long game", of("/replay")),
        get("GET the document", "/openapi.json".into()),
        get("GET Swagger UI", "/docs/swagger-ui-bundle.js".into()),
        get("GET rules", "/v1/rulesets/ecopolis/rules".into()),
        get("GET metrics", "/metrics".into()),
        audit("POST audit of a long game", replay.clone()),
        audit("POST audit of a long game, 2,000 receipts, 50 keys", many.to_string()),
        audit("POST audit of 16 MiB, most of it spaces", format!("{spaces}{replay}")),
        audit("POST audit of 300,000 entries that are none", entries + "0]}"),
        audit("POST audit of 16 MiB that is one list", format!("[{}0]", "0,".repeat((8 << 20) - 2))),
        ("POST player", Method::POST, "/v1/players".into(), Some(json!({"name": "Eve"}).to_string())),
        (
            "POST game",
            Method::POST,
            "/v1/games".into(),
            Some(json!({"ruleset": "ecopolis", "seats": 4, "title": "x".repeat(100)}).to_string()),
        ),
    ];
    let mut costs = Vec::new();
    // Each worker allocates its memory at first use.
    for _ in 0..16 {
        let mut client = Client::connect(server.address).await?;
        client.get("/v1/games?status=finished&limit=100", None).await?;
    }
    if let Some(memory) = server.memory() {
        println!("memory: {:.0} MiB before", memory / 1_024.0);
    }
    for (name, method, path, body) in asked {
        let mut client = Client::connect(server.address).await?;
        let token =
            Some(long.tokens[0].as_str()).filter(|_| path.starts_with("/v1/me") || path == "/v1/games");
        let cost = dearest(server, name, async || {
            Ok(client.send(method.clone(), &path, token, body.clone()).await?.1.len())
        });
        costs.push(cost.await?);
    }
    costs.push(stream(server, long).await?);
    costs.push(inbox(server, long).await?);
    costs.push(resignation(server).await?);
    Ok(costs)
}

/// Repeats a request, and returns the highest cost.
async fn dearest(
    server: &Server,
    name: &'static str,
    mut ask: impl AsyncFnMut() -> Result<usize, Failure>,
) -> Result<Cost, Failure> {
    let mut cost = Cost { name, ..Cost::default() };
    for _ in 0..TIMES {
        let meter = Meter::start(server);
        cost.bytes = ask().await?;
        meter.stop(&mut cost);
    }
    Ok(cost)
}

/// Processor time of a server's threads at the start.
struct Meter<'s> {
    server: &'s Server,
    worker: Duration,
    all: Duration,
}

impl<'s> Meter<'s> {
    fn start(server: &'s Server) -> Self {
        Self { server, worker: server.ran("actix-rt"), all: server.ran("") }
    }

    /// Keeps the time since the start, if it is a new maximum.
    fn stop(self, cost: &mut Cost) {
        let worker = self.server.ran("actix-rt").saturating_sub(self.worker);
        let all = self.server.ran("").saturating_sub(self.all);
        cost.worker = cost.worker.max(worker);
        cost.elsewhere = cost.elsewhere.max(all.saturating_sub(worker));
    }
}

/// A stream of a long game from its beginning.
async fn stream(server: &Server, long: &Long) -> Result<Cost, Failure> {
    let path = format!("{}/events?after=-1", long.path);
    let last = long.replay.matches("\"body\":").count() - 1;
    dearest(server, "GET stream of a long game from its beginning", async || {
        let mut body = Client::connect(server.address).await?.stream(&path).await?;
        let mut read = Vec::new();
        let end = format!("id: {last}\n");
        while let Some(frame) = body.frame().await {
            read.extend(frame?.into_data().unwrap_or_default());
            let tail = &read[read.len().saturating_sub(4_096)..];
            if tail.windows(end.len()).any(|window| window == end.as_bytes()) {
                break;
            }
        }
        Ok(read.len())
    })
    .await
}

/// Reads the inbox of a player who missed a long game.
async fn inbox(server: &Server, long: &Long) -> Result<Cost, Failure> {
    dearest(server, "GET inbox from its beginning", async || {
        let mut client = Client::connect(server.address).await?;
        let mut body = client.inbox(&long.tokens[0], "0-0").await?;
        let first = body.frame().await.ok_or("the stream has ended")??;
        Ok(first.into_data().unwrap_or_default().len())
    })
    .await
}

/// The last of four resigns, and the autopilot plays some 4,800 commands.
async fn resignation(server: &Server) -> Result<Cost, Failure> {
    let mut cost = Cost { name: "POST resignation that plays 4,800 commands", ..Cost::default() };
    for _ in 0..TIMES {
        let mut client = Client::connect(server.address).await?;
        let (path, tokens) = table(&mut client, "industrial-waste", 200).await?;
        for token in &tokens {
            let meter = Meter::start(server);
            let path = format!("{path}/resignation");
            cost.bytes = client.send(Method::POST, &path, Some(token), Some("{}".into())).await?.1.len();
            meter.stop(&mut cost);
        }
    }
    Ok(cost)
}

/// Expensive requests that a client may repeat.
#[derive(Clone, Copy)]
enum Dear {
    Events,
    Past,
    Audits,
    Lists,
    Resignations,
}

impl Dear {
    const ALL: [Self; 5] = [Self::Events, Self::Past, Self::Audits, Self::Lists, Self::Resignations];

    const fn name(self) -> &'static str {
        match self {
            Self::Events => "beside pages of events of a long game",
            Self::Past => "beside views of the past",
            Self::Audits => "beside audits",
            Self::Lists => "beside lists of 100 games",
            Self::Resignations => "beside games that are begun and left",
        }
    }

    /// Sends a request. Returns whether the next one may follow at once.
    async fn ask(self, client: &mut Client, long: &Long, number: usize) -> Result<bool, Failure> {
        let (method, path, body) = match self {
            Self::Events => {
                (Method::GET, format!("{}/events?limit=100&after={}", long.path, number * 131 % 4_600), None)
            }
            Self::Past => (Method::GET, format!("{}/view?seq={}", long.path, number * 131 % 4_600), None),
            Self::Lists => (Method::GET, "/v1/games?limit=100".to_owned(), None),
            Self::Audits => (Method::POST, "/v1/audits".to_owned(), Some(long.replay.clone())),
            Self::Resignations => return Ok(play_out(client, "industrial-waste", 200).await.is_ok()),
        };
        Ok(client.send(method, &path, None, body).await?.0.is_success())
    }
}

/// Attacks with many connections from one address. Refused requests are repeated a little later.
async fn attack(address: SocketAddr, dear: Dear, long: &Long) -> Result<(), Failure> {
    let begin = Instant::now();
    let attackers = (0..CONNECTIONS).map(async |connection| {
        let own = Ipv4Addr::new(127, 0, 0, 2);
        let mut client = Client::connect_from(own, address).await?;
        let mut number = connection;
        while begin.elapsed() < ATTACK {
            match dear.ask(&mut client, long, number).await {
                Ok(true) => {}
                Ok(false) => tokio::time::sleep(Duration::from_millis(200)).await,
                // A refused upload is not read to its end.
                Err(_) => client = Client::connect_from(own, address).await?,
            }
            number += CONNECTIONS;
        }
        Ok::<_, Failure>(())
    });
    futures_util::future::try_join_all(attackers).await.map(drop)
}

/// Measures the wait of a calm client during an attack within the limits.
fn watch(server: &Server, name: &str, dear: Option<Dear>, long: &Long) -> Result<(), Failure> {
    let address = server.address;
    let mut times = std::thread::scope(|scope| {
        let attacker = scope.spawn(move || match dear {
            Some(dear) => alone(attack(address, dear, long)),
            None => Ok(()),
        });
        let times = scope.spawn(move || alone(calm(address, long)));
        let gone = "a thread has ended early";
        attacker.join().map_err(|_| gone)??;
        times.join().map_err(|_| gone)?
    })?;
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!("  {name:<42} {:>6.2} ms {:>6.2} ms", at(50), at(99));
    Ok(())
}

/// Runs a task on its own thread.
fn alone<T>(task: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    tokio::task::LocalSet::new().block_on(&runtime, task)
}

/// Returns the waits of a client with few requests.
async fn calm(address: SocketAddr, long: &Long) -> Result<Vec<Duration>, Failure> {
    let (begin, mut client) = (Instant::now(), Client::connect(address).await?);
    let mut times = Vec::new();
    while begin.elapsed() < ATTACK {
        for path in ["/health/live", &long.path] {
            let asked = Instant::now();
            client.get(path, None).await?;
            times.push(asked.elapsed());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(times)
}
