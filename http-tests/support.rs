//! Support of the tests: servers, clients, a still clock, and games.

mod answer;
mod client;
pub mod database;
pub mod mail_server;
pub mod program;
pub mod raw;
pub mod receiver;
pub mod recorder;
mod server;
mod stream;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use playledger::service::ports;
use serde_json::{Value, json};

pub use answer::{Answer, DOCUMENT, operation, validator};
pub use client::{Player, Request};
pub use server::Server;
pub use stream::{Event, Stream};

/// A clock that stands still until it is set.
#[derive(Clone)]
pub struct Clock(Arc<Mutex<u64>>);

impl Default for Clock {
    fn default() -> Self {
        Self::at(1_800_000_000_000)
    }
}

impl Clock {
    pub fn at(time: u64) -> Self {
        Self(Arc::new(Mutex::new(time)))
    }

    pub fn advance(&self, milliseconds: u64) {
        *self.0.lock().unwrap() += milliseconds;
    }
}

impl ports::Clock for Clock {
    fn now(&self) -> u64 {
        *self.0.lock().unwrap()
    }
}

/// Repeats `look` until it returns a value, and fails after a while.
#[track_caller]
pub fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_mins(1) {
        if let Some(found) = look() {
            return found;
        }
        // The server needs the processor too.
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("after a minute it is still not so that {what}");
}

/// Returns a report after a check that it has no failures.
pub fn no_check_fails(report: Value) -> Value {
    let checks = report["checks"].as_array().unwrap();
    assert!(checks.iter().any(|check| check["outcome"] == "pass"), "{report}");
    assert!(checks.iter().all(|check| check["outcome"] != "fail"), "{report}");
    report
}

/// Returns a view without its time.
pub fn timeless(mut view: Value) -> Value {
    view["now"] = Value::Null;
    view
}

/// Starts a game of Industrial Waste with these players.
pub fn table(players: &[&Player], options: &Value) -> String {
    table_of("industrial-waste", players, options)
}

/// Starts a game, created by the first player and joined by the others.
pub fn table_of(ruleset: &str, players: &[&Player], options: &Value) -> String {
    let game = players[0].creates(&json!({"ruleset": ruleset, "seats": players.len(), "options": options}));
    for player in &players[1..] {
        player.post(&format!("{game}/seats"), &json!({})).expect(201);
    }
    game
}

/// Plays the first listed command of the seat to act. Returns the receipt.
pub fn play_one(game: &str, players: &[&Player]) -> String {
    let view = players[0].get(&format!("{game}/view")).expect(200);
    let player = players[usize::try_from(view["to_act"][0].as_u64().unwrap()).unwrap()];
    let legal = player.legal(game);
    let sent = json!({"expected_seq": legal["seq"], "command": legal["commands"][0]["command"]});
    player.post(&format!("{game}/commands"), &sent).expect(201)["receipt"].as_str().unwrap().to_owned()
}

/// Lets every seat play its listed commands, chosen by `choose`, to the end; gives the receipts.
pub fn play_to_the_end(
    game: &str,
    players: &[&Player],
    mut choose: impl FnMut(usize) -> usize,
) -> Vec<String> {
    let mut receipts = Vec::new();
    loop {
        let view = players[0].get(&format!("{game}/view")).expect(200);
        let Some(seat) = view["to_act"][0].as_u64() else { return receipts };
        let player = players[usize::try_from(seat).unwrap()];
        let legal = player.legal(game);
        let all = legal["commands"].as_array().unwrap();
        // Loans are always legal, so other commands are preferred.
        let some: Vec<&Value> =
            all.iter().filter(|listed| listed["command"]["type"] != "take_loan").collect();
        let command = &some[choose(some.len())]["command"];
        let sent = json!({"expected_seq": legal["seq"], "command": command});
        let done = player.post(&format!("{game}/commands"), &sent).expect(201);
        receipts.push(done["receipt"].as_str().unwrap().to_owned());
    }
}
