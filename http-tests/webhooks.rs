//! Being told without looking, by an address of one's own.

mod arriving;
mod setting_up;
mod telling;

use serde_json::{Value, json};

use super::support::{Clock, Player, Server, eventually, receiver::Receiver};

const DAY: u64 = 24 * 3_600 * 1_000;

pub fn server(receiver: &Receiver, clock: &Clock) -> Server {
    let flags = receiver.flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Server::with_clock_and(clock, &flags)
}

/// Returns a confirmed webhook, and its path.
fn proved(player: &Player, under: &str, url: &str, more: &Value) -> (String, Value) {
    let mut order = json!({"url": url, "format": "standard"});
    order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = player.post(under, &order).expect(201);
    let id = made["id"].as_str().unwrap().to_owned();
    eventually("the webhook is proved", || {
        let all = player.get(under).expect(200);
        all["items"]
            .as_array()
            .unwrap()
            .iter()
            .find(|hook| hook["id"] == id && hook["state"] == "on")
            .cloned()
    });
    (format!("{under}/{id}"), made)
}

fn choose(player: &Player, game: &str, column: u64) {
    let seq = player.get(&format!("{game}/view")).expect(200)["seq"].clone();
    let command = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": column}});
    player.post(&format!("{game}/commands"), &command).expect(201);
}

fn deliveries(player: &Player, hook: &str) -> Vec<Value> {
    player.get(&format!("{hook}/deliveries")).expect(200)["items"].as_array().unwrap().clone()
}
