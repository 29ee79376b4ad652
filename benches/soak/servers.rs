//! The servers, the witness of their tree and its followers, as processes that can be killed.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::world::Addresses;

pub struct Servers {
    nodes: Vec<Option<Process>>,
    _witness: Process,
    flags: Vec<String>,
    addresses: Addresses,
    next: usize,
    kills: usize,
    /// The key of the tree, for followers.
    key: String,
    folder: TempDir,
    database: String,
}

/// A process, killed like a power loss when dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a program. Returns its first lines.
fn start(args: &[String], lines: usize) -> (Process, Vec<String>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playledger"));
    let mut child = command.args(args).stdout(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(child.stdout.take().unwrap()).lines().take(lines);
    let said = said.collect::<Result<_, _>>().unwrap();
    (Process(child), said)
}

impl Servers {
    pub fn start(more: &[String]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let shared = std::env::var("DATABASE").ok();
        let count = if shared.is_some() { 2 } else { 1 };
        let database = shared.clone().unwrap_or_else(|| file("games.db"));
        let mut flags: Vec<String> =
            "--listen 127.0.0.1:0 --log-format off --requests-per-second 0 --players-of-client 0 \
            --games-a-day 0 --games-of-player 1000000 --checkpoint-seconds 2 --keep-alive-seconds 2"
                .split_whitespace()
                .map(str::to_owned)
                .collect();
        flags.extend(["--database".into(), database.clone()]);
        if shared.is_some() {
            flags.extend(["--key".into(), file("key"), "--standbys".into(), "0".into()]);
        }
        flags.extend_from_slice(more);
        // The first run of a server makes the key of the tree, which the witness needs.
        let (first, said) = start(&flags, 1);
        let key = key_of_tree(&said[0]);
        drop(first);
        let name = key.split('+').next().unwrap();
        let witness = [
            "witness",
            "--listen",
            "127.0.0.1:0",
            "--log",
            &format!("{name}={key}"),
            "--database",
            &file("witness.db"),
        ];
        let (witness, said) = start(&witness.map(str::to_owned), 2);
        flags.extend(["--witness".into(), said[1].split_once("--witness ").unwrap().1.to_owned()]);
        let mut servers = Self {
            nodes: Vec::new(),
            _witness: witness,
            flags,
            addresses: Arc::default(),
            next: 0,
            kills: 0,
            key,
            database,
            folder,
        };
        for node in 0..count {
            servers.nodes.push(None);
            servers.addresses.lock().unwrap().push(([127, 0, 0, 1], 1).into());
            servers.begin(node);
        }
        servers
    }

    fn begin(&mut self, node: usize) {
        let (child, said) = start(&self.flags, 1);
        self.addresses.lock().unwrap()[node] = address(&said[0]).parse().unwrap();
        self.nodes[node] = Some(child);
    }

    pub fn addresses(&self) -> Addresses {
        Arc::clone(&self.addresses)
    }

    /// Kills the next server like a power loss, and starts it again.
    pub fn kill_next(&mut self) {
        let node = self.next;
        self.next = (node + 1) % self.nodes.len();
        self.nodes[node] = None;
        self.begin(node);
        self.kills += 1;
    }

    /// Returns the size of each server: memory, threads and open files.
    pub fn sizes(&self) -> String {
        let size = |Process(child): &Process| {
            let read =
                |file: &str| fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap_or_default();
            let status = read("status");
            let line =
                |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("?").trim();
            let open = fs::read_dir(format!("/proc/{}/fd", child.id())).map_or(0, Iterator::count);
            format!("{}, {} threads, {open} open", line("VmRSS:"), line("Threads:"))
        };
        let sizes: Vec<String> = self.nodes.iter().flatten().map(size).collect();
        sizes.join("; ")
    }

    /// Follows the tree as any reader can, and compares it with earlier signatures.
    pub fn follow_the_tree(&self) {
        let url = format!("http://{}", self.addresses.lock().unwrap()[0]);
        let (status, said) = self.run(&["follow", "--key", &self.key, "--state", "followed", &url]);
        // A new follower may fail, but must not find a contradiction.
        assert_ne!(status, Some(1), "{said}");
    }

    /// Checks the whole database and each chain, after the last server has stopped.
    pub fn check(&self) -> String {
        let (status, said) = self.run(&["check", "--database", &self.database]);
        assert_eq!(status, Some(0), "{said}");
        said.lines().next().unwrap_or_default().to_owned()
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_playledger"));
        let done = command.current_dir(self.folder.path()).args(args).output().unwrap();
        (done.status.code(), String::from_utf8([done.stdout, done.stderr].concat()).unwrap())
    }

    pub const fn kills(&self) -> usize {
        self.kills
    }

    /// Returns the size of a database file.
    pub fn megabytes(&self) -> u64 {
        fs::metadata(PathBuf::from(&self.database)).map_or(0, |file| file.len() >> 20)
    }
}

fn address(said: &str) -> &str {
    said.split_once("listens on http://").unwrap().1.trim_end_matches('/')
}

fn key_of_tree(said: &str) -> String {
    let text = ureq::get(format!("http://{}/v1/keys", address(said)))
        .call()
        .unwrap()
        .body_mut()
        .read_to_string()
        .unwrap();
    let keys: Value = serde_json::from_str(&text).unwrap();
    let log = keys["keys"].as_array().unwrap().iter().find(|key| key["use"] == "log").unwrap();
    log["key"].as_str().unwrap().to_owned()
}
