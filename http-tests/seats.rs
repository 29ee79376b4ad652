//! Seats that sign, take back, pause, plan ahead and change hands: and the replay of each game holds.

mod ahead_and_back;
mod away;
mod signing;

use playledger::ledger::{
    encoding::unhex,
    player_secret::PlayerSecret,
    signed::{Message, Spot},
};
use serde_json::{Value, json};

use super::support::{Player, Server, no_check_fails};

const HOUR: u64 = 3_600_000;

fn secret(byte: u8) -> PlayerSecret {
    PlayerSecret::new(&[byte; 32])
}

fn key(byte: u8) -> String {
    secret(byte).public().hex()
}

/// Opens a game of Industrial Waste, at which everybody takes a seat with these keys.
fn game(players: &[(&Player, &[u8])], terms: &Value) -> String {
    let mut new = json!({"ruleset": "industrial-waste", "seats": players.len(), "options": {"first_seat": 0, "max_rounds": 2}});
    new.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
    let keys = |bytes: &[u8]| bytes.iter().map(|byte| key(*byte)).collect::<Vec<_>>();
    new["keys"] = json!(keys(players[0].1));
    let game = players[0].0.creates(&new);
    for (player, bytes) in &players[1..] {
        let invite = players[0].0.get(&game).expect(200)["invite"].clone();
        player.post(&format!("{game}/seats"), &json!({"invite": invite, "keys": keys(bytes)})).expect(201);
    }
    game
}

fn view(player: &Player, game: &str) -> Value {
    player.get(&format!("{game}/view?with=legal")).expect(200)
}

/// Signs an act of a seat, as of the newest entry.
fn signed(player: &Player, game: &str, seat: u64, byte: u8, message: &Message) -> Value {
    let view = view(player, game);
    let head = unhex(view["head"].as_str().unwrap()).unwrap();
    let id = game.rsplit('/').next().unwrap();
    let spot = Spot { game: id, seat, seen: view["seq"].as_u64().unwrap(), head: &head };
    secret(byte).sign(message, spot).write()
}

/// A request of these commands, signed with this key.
fn play(player: &Player, game: &str, seat: u64, byte: u8, commands: &[Value]) -> Value {
    let message = Message::play(&commands.iter().collect::<Vec<_>>()).unwrap();
    let signed = signed(player, game, seat, byte, &message);
    json!({"expected_seq": signed["seen"], "commands": commands, "signed": signed})
}

fn loan() -> Value {
    json!({"type": "take_loan", "count": 1})
}

/// What each check says of the replay.
fn report(server: &Server, game: &str) -> Value {
    let replay = server.get(&format!("{game}/replay")).text();
    let body = json!({"replay": replay, "players": [key(1)]}).to_string();
    no_check_fails(server.audit(&body).expect(200))
}

fn outcome<'r>(report: &'r Value, name: &str) -> &'r Value {
    let checks = report["checks"].as_array().unwrap();
    &checks.iter().find(|check| check["name"] == name).unwrap()["outcome"]
}

/// Both seats resign but one, so that the game is over.
fn finish(game: &str, player: &Player, body: &Value) {
    player.post(&format!("{game}/resignation"), body).expect(200);
}
