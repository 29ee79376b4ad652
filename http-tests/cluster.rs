//! Several servers on one database: deaths and freezes of servers, connections and databases.

mod judge;
mod postgres;
mod trouble;
mod wire;

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use playledger::service::feed::Position;
use serde_json::json;
use tempfile::TempDir;

use super::support::{
    Clock, Server, database, eventually, play_one, play_to_the_end,
    program::{Program, run},
    table,
};
use judge::{Addresses, World, judge};
use postgres::{Postgres, address};
use wire::Wire;

const ASKED: &str = "PLAYLEDGER_TEST_ROUNDS";

/// Servers on one database, which can be killed and started again.
struct Nodes {
    programs: Vec<Option<Program>>,
    flags: Vec<String>,
    addresses: Addresses,
}

impl Nodes {
    fn start(count: usize, database: &str, key: &str, standbys: &str) -> Self {
        Self::with(count, database, key, &["--standbys", standbys])
    }

    fn with(count: usize, database: &str, key: &str, more: &[&str]) -> Self {
        let flags = ["--database", database, "--key", key, "--requests-per-second", "0"];
        let unlimited = ["--players-of-client", "0", "--games-a-day", "0", "--keep-alive-seconds", "1"];
        let flags = flags.iter().chain(&unlimited).chain(more).map(|flag| (*flag).to_owned()).collect();
        let mut nodes = Self { programs: Vec::new(), flags, addresses: Arc::default() };
        for _ in 0..count {
            let program = nodes.new_program();
            nodes.addresses.lock().unwrap().push(program.server().address);
            nodes.programs.push(Some(program));
        }
        nodes
    }

    fn new_program(&self) -> Program {
        Program::serve_with(&self.flags.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Kills a server like a power loss, and starts another in its place.
    fn kill(&mut self, node: usize) {
        self.programs[node].take().unwrap().kill();
        let program = self.new_program();
        self.addresses.lock().unwrap()[node] = program.server().address;
        self.programs[node] = Some(program);
    }

    /// Returns two servers, each to be asked alone.
    fn both(&self) -> [Server; 2] {
        let addresses: [_; 2] = self.addresses.lock().unwrap().clone().try_into().unwrap();
        addresses.map(Server::at)
    }

    /// Returns all servers, to be asked in turn.
    fn server(&self) -> Server {
        Server::together(self.addresses.lock().unwrap().clone())
    }
}

/// Starts a database without standbys, and two servers on it with these flags.
fn two_servers(more: &[&str]) -> (TempDir, Postgres, Nodes) {
    let folder = tempfile::tempdir().unwrap();
    let (postgres, key) = (Postgres::start(folder.path()), folder.path().join("key"));
    let flags = [&["--standbys", "0"], more].concat();
    let nodes = Nodes::with(2, &address(&[postgres.port]), key.to_str().unwrap(), &flags);
    (folder, postgres, nodes)
}

/// Starts a database without standbys, and a server that reaches it through a `Wire`.
fn server_behind_a_wire() -> (TempDir, Postgres, Wire, Nodes) {
    let folder = tempfile::tempdir().unwrap();
    let (postgres, key) = (Postgres::start(folder.path()), folder.path().join("key"));
    let wire = Wire::to(postgres.port);
    let nodes = Nodes::start(1, &address(&[wire.address.port()]), key.to_str().unwrap(), "0");
    (folder, postgres, wire, nodes)
}

fn rounds() -> usize {
    std::env::var(ASKED).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(10)
}

fn seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_nanos() & u128::from(u64::MAX)).unwrap()
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn nothing_acknowledged_is_lost_when_servers_and_the_database_die() {
    let (folder, postgres, mut nodes) = two_servers(&[]);
    let world = World::new(&nodes.addresses, seed());
    let clients = world.play(4);
    for _ in 0..rounds() {
        let before = world.answered.load(Ordering::Relaxed);
        eventually("something is answered", || {
            (world.answered.load(Ordering::Relaxed) > before + 20).then_some(())
        });
        match world.random(5) {
            0 => {
                postgres.crash();
                postgres.go();
            }
            node => nodes.kill(node % 2),
        }
    }
    world.stop();
    let records = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    println!("{} commands, none lost", judge(&nodes.server(), records));
    let (status, said) = run(folder.path(), &["check", "--database", &address(&[postgres.port])]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn a_standby_takes_over_with_all_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let (primary, key) = (Postgres::start(folder.path()), folder.path().join("key"));
    let standby = primary.standby(folder.path(), "standby");
    let both = address(&[primary.port, standby.port]);
    let nodes = Nodes::start(2, &both, key.to_str().unwrap(), "1");
    let world = World::new(&nodes.addresses, seed());
    let clients = world.play(4);
    let go_on = || {
        let before = world.answered.load(Ordering::Relaxed);
        eventually("play goes on", || (world.answered.load(Ordering::Relaxed) > before + 200).then_some(()));
    };
    go_on();
    primary.crash();
    standby.promote();
    // The new primary has no standby, so it accepts no writes, which could be lost.
    let server = nodes.server();
    let told = eventually("nothing may be written", || {
        Some(server.get("/health/ready")).filter(|answer| answer.status == 503)
    });
    assert!(told.json()["detail"].as_str().unwrap().contains("1 synchronous standby"), "{}", told.text());
    let _third = standby.standby(folder.path(), "third");
    go_on();
    world.stop();
    let records = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    println!("{} commands, none lost", judge(&nodes.server(), records));
    // Each server checks for itself, and play continues as soon as one has seen the third database.
    for server in nodes.both() {
        eventually("two copies are counted", || {
            server.get("/metrics").text().contains("playledger_durable_copies 2").then_some(())
        });
    }
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn too_few_standbys_are_told_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (postgres, key) = (Postgres::start(folder.path()), folder.path().join("key"));
    let flags = ["--key", key.to_str().unwrap(), "--listen", "127.0.0.1:0", "--database"];
    let (status, said) = run(folder.path(), &[&flags[..], &[&address(&[postgres.port])]].concat());
    assert_ne!(status, Some(0));
    assert!(said.contains("refuses_writes=the database needs 1 synchronous standby"), "{said}");
    assert!(said.contains("synchronous_standby_names"), "{said}");
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn all_servers_sign_with_one_key() {
    let folder = tempfile::tempdir().unwrap();
    let (postgres, key) = (Postgres::start(folder.path()), folder.path().join("key"));
    let database = address(&[postgres.port]);
    let nodes = Nodes::start(2, &database, key.to_str().unwrap(), "0");
    let keys = |server: &Server| server.get("/v1/keys").expect(200);
    let server = nodes.server();
    assert_eq!(keys(&server), keys(&server));
    Program::serve_with(&["--database", folder.path().join("alone.db").to_str().unwrap()]).kill();
    let own = ["--listen", "127.0.0.1:0", "--standbys", "0", "--database", &database];
    for (flags, told) in
        [(&["--key", "alone.db.key"][..], "is not the key"), (&[], "give each the same file with --key")]
    {
        let (status, said) = run(folder.path(), &[&own[..], flags].concat());
        assert_ne!(status, Some(0));
        assert!(said.contains(told), "{said}");
    }
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn a_commit_whose_answer_is_lost_is_done_once() {
    let (folder, postgres, wire, nodes) = server_behind_a_wire();
    let server = nodes.server();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    for _ in 0..10 {
        let before = wire.swallowed();
        wire.swallow_next_commit();
        let view = ada.get(&format!("{game}/view")).expect(200)["seq"].as_u64().unwrap();
        play_one(&game, &[&ada, &bob]);
        let after = ada.get(&format!("{game}/view")).expect(200)["seq"].as_u64().unwrap();
        assert!(after > view);
        eventually("the answer was lost", || (wire.swallowed() > before).then_some(()));
    }
    // A new player and a new game also survive the loss of the answer to their commit.
    wire.swallow_next_commit();
    let eve = server.player("Eve");
    wire.swallow_next_commit();
    eve.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let (status, said) = run(folder.path(), &["check", "--database", &address(&[postgres.port])]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.starts_with("sound: 2 games"), "{said}");
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn without_its_database_a_server_says_so_in_time_and_goes_on_after_it() {
    let (_folder, _postgres, wire, nodes) = server_behind_a_wire();
    let server = nodes.server();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    wire.cut();
    let begin = Instant::now();
    ada.get(&format!("{game}/view")).problem(503, "storage_unavailable");
    assert!(begin.elapsed() < Duration::from_secs(30), "every wait is bounded");
    assert_eq!(server.get("/health/live").status, 200);
    eventually("it is not ready", || (server.get("/health/ready").status == 503).then_some(()));
    wire.mend();
    eventually("it is ready again", || (server.get("/health/ready").status == 200).then_some(()));
    play_one(&game, &[&ada, &bob]);
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn what_one_server_does_is_told_at_the_others() {
    let (_folder, _postgres, nodes) = two_servers(&[]);
    let [here, there] = nodes.both();
    let (ada, bob) = (here.player("Ada"), here.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 3}));
    let mut events = there.send("GET", &format!("{game}/events?after=-1")).stream();
    let mut inbox = there.send("GET", "/v1/me/events").token(&ada.token).stream();
    play_to_the_end(&game, &[&ada, &bob], |count| count / 2);
    let newest = ada.get(&format!("{game}/view")).expect(200)["seq"].as_u64().unwrap();
    let told: Vec<String> = (0..=newest).map(|_| events.next().unwrap().id).collect();
    assert_eq!(told, (0..=newest).map(|seq| seq.to_string()).collect::<Vec<_>>());
    // The player gets a notice of each turn and of the end, with continuous ids.
    let mut finished = None;
    while finished.is_none() {
        let event = inbox.next().unwrap();
        Position::read(&event.id).unwrap();
        finished = (event.kind == "finished").then_some(event);
    }
    let eve = here.player("Eve");
    let elsewhere = || there.send("GET", "/v1/me").token(&eve.token).go().status;
    assert_eq!(elsewhere(), 200);
    assert_eq!(eve.send("DELETE", "/v1/me").go().status / 100, 2);
    assert_eq!(elsewhere(), 401, "a token ends everywhere at once");
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn a_file_is_carried_over_whole() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start(folder.path());
    let file = folder.path().join("games.db");
    let (token, game, seen, running) = {
        let alone = Program::serve_with(&["--database", file.to_str().unwrap(), "--checkpoint-seconds", "1"]);
        let server = alone.server();
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        let game = table(&[&ada, &bob], &json!({"max_rounds": 3}));
        play_to_the_end(&game, &[&ada, &bob], |count| count / 3);
        let running = table(&[&ada, &bob], &json!({"first_seat": 0}));
        play_one(&running, &[&ada, &bob]);
        eventually("the game is pinned", || {
            (server.get(&format!("{game}/proof")).status == 200).then_some(())
        });
        let seen = ada.get(&format!("{game}/view")).expect(200);
        (ada.token.clone(), game, seen, running)
    };
    let database = address(&[postgres.port]);
    let carry = ["move", "--from", "games.db", "--to", &database];
    let (status, said) = run(folder.path(), &carry);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("2 games with"), "{said}");
    assert!(!file.exists() && folder.path().join("games.db.moved").exists());
    let key = folder.path().join("games.db.key");
    let nodes = Nodes::start(2, &database, key.to_str().unwrap(), "0");
    let server = nodes.server();
    let view = server.send("GET", &format!("{game}/view")).token(&token).go().expect(200);
    assert_eq!((&view["seq"], &view["state"]), (&seen["seq"], &seen["state"]));
    assert_eq!(server.get(&format!("{game}/proof")).status, 200);
    assert_eq!(server.get(&format!("{running}/view")).expect(200)["seq"], 4);
    let (status, said) = run(folder.path(), &["check", "--database", &database]);
    assert_eq!(status, Some(0), "{said}");
    // The message was sent, and the receiver's server has continued.
    drop(nodes);
    std::fs::rename(folder.path().join("games.db.moved"), &file).unwrap();
    let (status, said) = run(folder.path(), &carry);
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("was already moved"), "{said}");
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn a_deadline_is_acted_on_once() {
    if database::nodes() < 2 {
        return;
    }
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let new = json!({"ruleset": "ecopolis", "seats": 2, "clock": {"move_seconds": 100}, "options": {"first_seat": 0}});
    let games: Vec<String> = (0..20)
        .map(|_| {
            let game = ada.creates(&new);
            bob.post(&format!("{game}/seats"), &json!({})).expect(201);
            game
        })
        .collect();
    clock.advance(101_000);
    for game in &games {
        let acted = eventually("the autopilot decides", || {
            server.look_at_the_clock();
            let log = server.get(&format!("{game}/log?limit=100")).expect(200);
            let kind = |item: &serde_json::Value| item["body"]["by"] == "autopilot";
            let acted = log["items"].as_array().unwrap().iter().filter(|item| kind(item)).count();
            (acted > 0).then_some(acted)
        });
        assert_eq!(acted, 1, "{game}");
    }
}
