//! Clients that play while servers and databases die, and a judge of everything they heard.
//!
//! A client sends each command with a key to one server after another until it is answered. The judge
//! compares all answers, views and streams with the final log.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::super::support::Server;

/// The servers, wherever they are just now.
pub type Addresses = Arc<Mutex<Vec<SocketAddr>>>;

/// Addresses of the servers, and random numbers.
#[derive(Clone)]
pub struct World {
    pub addresses: Addresses,
    stop: Arc<AtomicBool>,
    chance: Arc<AtomicU64>,
    /// Time of the last answer.
    pub answered: Arc<AtomicU64>,
}

/// Everything that clients heard of a game.
pub struct Record {
    game: String,
    /// For each key: the seq of its entry, and its head by the receipt.
    receipts: BTreeMap<String, (u64, String)>,
    streamed: JoinHandle<Vec<u64>>,
}

impl World {
    pub fn new(addresses: &Addresses, seed: u64) -> Self {
        println!("seed {seed}");
        let (stop, chance) = (Arc::default(), Arc::new(AtomicU64::new(seed | 1)));
        Self { addresses: Arc::clone(addresses), stop, chance, answered: Arc::default() }
    }

    pub fn random(&self, below: usize) -> usize {
        let next = |mut x: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            Some(x ^ (x << 17))
        };
        let drawn = self.chance.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).unwrap();
        usize::try_from(drawn >> 11).unwrap() % below
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends a request to one server after another until one gives a final answer.
    fn ask(
        &self,
        method: &str,
        path: &str,
        token: &str,
        key: Option<&str>,
        body: Option<&Value>,
    ) -> (u16, Value) {
        let begin = Instant::now();
        loop {
            assert!(begin.elapsed() < Duration::from_mins(2), "{method} {path} is not answered");
            let address = {
                let addresses = self.addresses.lock().unwrap();
                addresses[self.random(addresses.len())]
            };
            let agent: ureq::Agent = ureq::Agent::config_builder()
                .http_status_as_error(false)
                .timeout_global(Some(Duration::from_secs(15)))
                .build()
                .into();
            let mut request =
                ureq::http::Request::builder().method(method).uri(format!("http://{address}{path}"));
            if !token.is_empty() {
                request = request.header("Authorization", format!("Bearer {token}"));
            }
            if let Some(key) = key {
                request = request.header("Idempotency-Key", key);
            }
            let text = body.map(Value::to_string).unwrap_or_default();
            let request = request.header("Content-Type", "application/json").body(text).unwrap();
            let Ok(mut answer) = agent.run(request) else {
                thread::yield_now();
                continue;
            };
            let status = answer.status().as_u16();
            let Ok(text) = answer.body_mut().read_to_string() else { continue };
            if !matches!(status, 429 | 500..) {
                self.answered.fetch_add(1, Ordering::Relaxed);
                return (status, serde_json::from_str(&text).unwrap_or_default());
            }
            assert_ne!(status, 500, "{text}");
        }
    }

    fn get(&self, path: &str, token: &str) -> Value {
        let (status, body) = self.ask("GET", path, token, None, None);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    fn post(&self, path: &str, token: &str, key: &str, body: &Value) -> Value {
        let (status, answer) = self.ask("POST", path, token, Some(key), Some(body));
        assert!(matches!(status, 200 | 201), "{path}: {status} {answer}");
        answer
    }

    /// Lets a number of clients play until they are stopped.
    pub fn play(&self, clients: usize) -> Vec<JoinHandle<Vec<Record>>> {
        (0..clients)
            .map(|client| {
                let world = self.clone();
                thread::spawn(move || {
                    let mut records = Vec::new();
                    while !world.stopped() {
                        records.push(world.play_game(&format!("{client}-{}", records.len())));
                    }
                    records
                })
            })
            .collect()
    }

    fn player(&self, name: &str) -> String {
        let (status, made) = self.ask("POST", "/v1/players", "", None, Some(&json!({"name": name})));
        assert_eq!(status, 201, "{made}");
        made["token"].as_str().unwrap().to_owned()
    }

    /// Two players play a game until they are stopped.
    fn play_game(&self, name: &str) -> Record {
        let tokens = [self.player("Ada"), self.player("Bob")];
        let ruleset = ["industrial-waste", "ecopolis"][self.random(2)];
        let new = json!({"ruleset": ruleset, "seats": 2});
        let made = self.post("/v1/games", &tokens[0], &format!("{name}-new"), &new);
        let game = format!("/v1/games/{}", made["id"].as_str().unwrap());
        self.post(&format!("{game}/seats"), &tokens[1], &format!("{name}-join"), &json!({}));
        let streamed = self.follow(&game);
        let (mut receipts, mut newest) = (BTreeMap::new(), 0);
        while !self.stopped() {
            let legal_of = |token: &str| self.get(&format!("{game}/view?with=legal"), token);
            let view = self.get(&format!("{game}/view"), &tokens[0]);
            let seq = view["seq"].as_u64().unwrap();
            assert!(seq >= newest, "a view went back from {newest} to {seq}");
            let Some(seat) = view["to_act"][0].as_u64() else { break };
            let token = &tokens[usize::try_from(seat).unwrap()];
            let legal = legal_of(token);
            let commands = legal["legal"]["commands"].as_array().unwrap();
            let command = &commands[self.random(commands.len())]["command"];
            let key = format!("{name}-{}", receipts.len());
            let sent = json!({"expected_seq": legal["seq"], "command": command});
            let done = self.post(&format!("{game}/commands"), token, &key, &sent);
            newest = done["view"]["seq"].as_u64().unwrap();
            let lines: Vec<&str> = done["receipt"].as_str().unwrap().lines().collect();
            receipts.insert(key, (lines[2].parse().unwrap(), lines[4].to_owned()));
        }
        Record { game, receipts, streamed }
    }

    /// Follows a game from its first entry on, at whichever server is there.
    fn follow(&self, game: &str) -> JoinHandle<Vec<u64>> {
        let (world, path) = (self.clone(), format!("{game}/events?after=-1"));
        thread::spawn(move || {
            let mut seen: Vec<u64> = Vec::new();
            while !world.stopped() && !world.follow_on(&path, &mut seen) {}
            seen
        })
    }

    /// Follows until the connection is lost; says whether the game has ended.
    fn follow_on(&self, path: &str, seen: &mut Vec<u64>) -> bool {
        let address = {
            let addresses = self.addresses.lock().unwrap();
            addresses[self.random(addresses.len())]
        };
        let agent: ureq::Agent =
            ureq::Agent::config_builder().timeout_recv_response(Some(Duration::from_secs(15))).build().into();
        let mut request = agent.get(format!("http://{address}{path}")).header("Accept", "text/event-stream");
        if let Some(last) = seen.last() {
            request = request.header("Last-Event-ID", last.to_string());
        }
        let Ok(answer) = request.call() else {
            thread::yield_now();
            return false;
        };
        for line in BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok) {
            if let Some(seq) = line.strip_prefix("id: ").and_then(|id| id.parse::<u64>().ok()) {
                if seen.last() != Some(&seq) {
                    assert_eq!(seq, seen.len() as u64, "a stream has a gap or goes back");
                    seen.push(seq);
                }
            } else if line == "event: end" {
                return true;
            }
            if self.stopped() {
                return false;
            }
        }
        false
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Compares all records with the servers' games. Returns the number of acknowledged commands.
pub fn judge(server: &Server, records: Vec<Record>) -> usize {
    let mut acknowledged = 0;
    for Record { game, receipts, streamed } in records {
        let mut entries: Vec<(String, String)> = Vec::new();
        loop {
            let after = i64::try_from(entries.len()).unwrap() - 1;
            let page = server.get(&format!("{game}/log?after={after}&limit=100")).expect(200);
            let items = page["items"].as_array().unwrap();
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            entries.extend(items.iter().map(|item| (text(&item["body"]["type"]), text(&item["head"]))));
            if items.len() < 100 {
                break;
            }
        }
        for (key, (seq, head)) in &receipts {
            let entry = entries.get(usize::try_from(*seq).unwrap());
            assert_eq!(
                entry.map(|(_, head)| head),
                Some(head),
                "{game}: the receipt of {key} for entry {seq}"
            );
        }
        let own: BTreeSet<u64> = receipts.values().map(|(seq, _)| *seq).collect();
        assert_eq!(own.len(), receipts.len(), "{game}: two keys led to one entry");
        let commands = entries.iter().filter(|(kind, _)| kind == "cmd").count();
        assert_eq!(commands, receipts.len(), "{game}: each key led to one command");
        let seen = streamed.join().unwrap();
        assert!(seen.len() <= entries.len(), "{game}: a stream told what is not there");
        acknowledged += receipts.len();
    }
    acknowledged
}
