//! Seats: signatures, takebacks, pauses, plans and substitutes. The replay of each game verifies.

mod ahead_and_back;
mod away;
mod signing;

use playledger::{
    engine::Fields,
    ledger::{
        encoding::unhex,
        message::{Message, Seating, Spot},
        player_secret::PlayerSecret,
        terms::{Clock, Terms},
    },
};
use serde_json::{Value, json};
use uuid::{NoContext, Timestamp, Uuid};

use super::support::{Player, Server, no_check_fails};

const HOUR: u64 = 3_600_000;

fn secret(byte: u8) -> PlayerSecret {
    PlayerSecret::new(&[byte; 32])
}

fn key(byte: u8) -> String {
    secret(byte).public().hex()
}

/// Returns a claim of a seat, signed by this key.
fn claim(game: &str, seat: u64, byte: u8, seating: Seating, terms: &Terms) -> Value {
    let id = game.rsplit('/').next().unwrap();
    let nonce = *Uuid::now_v7().as_bytes();
    let nonce = std::array::from_fn(|place| nonce[place % 16]);
    secret(byte).claim(seating, (id, seat), nonce, terms).unwrap().write()
}

/// The terms of a game, as its log has them.
fn terms(player: &Player, game: &str) -> Terms {
    let log = player.get(&format!("{game}/log?limit=1")).expect(200);
    Terms::read(&mut Fields::of(&log["items"][0]["body"], "").unwrap()).unwrap()
}

/// Returns a game id with the server's time.
fn new_id(player: &Player) -> String {
    let created = player.get("/v1/me").expect(200)["created_at"].as_str().unwrap().to_owned();
    let at = chrono::DateTime::parse_from_rfc3339(&created).unwrap().timestamp().cast_unsigned();
    Uuid::new_v7(Timestamp::from_unix(NoContext, at, 0)).to_string()
}

/// Opens a game of Industrial Waste with these players. A seat with a key signs.
fn game(players: &[(&Player, &[u8])], more: &Value) -> String {
    let options = json!({"first_seat": 0, "max_rounds": 2, "open_cash": false});
    let mut new =
        json!({"ruleset": "industrial-waste", "seats": players.len(), "options": options, "rated": false});
    new.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    if let [byte] = players[0].1 {
        let id = new_id(players[0].0);
        let mut terms = Terms::of("industrial-waste", 1, options, players.len() as u64);
        let clock = &new["clock"];
        terms.clock = clock["move_seconds"].as_u64().map(|seconds| Clock {
            move_seconds: u32::try_from(seconds).unwrap(),
            bank_seconds: u32::try_from(clock["bank_seconds"].as_u64().unwrap_or(0)).unwrap(),
        });
        terms.takebacks = new["takebacks"] == true;
        terms.substitutes = new["substitutes"] == true;
        let join = Seating::Join { player: &players[0].0.id, commit: None };
        new["signed"] = claim(&id, 0, *byte, join, &terms);
        new["id"] = json!(id);
        new["version"] = json!(1);
    }
    let game = players[0].0.creates(&new);
    for (seat, (player, bytes)) in (1..).zip(&players[1..]) {
        let invite = players[0].0.get(&game).expect(200)["invite"].clone();
        let mut join = json!({"invite": invite});
        if let [byte] = bytes {
            join["seat"] = json!(seat);
            let seating = Seating::Join { player: &player.id, commit: None };
            join["signed"] = claim(&game, seat, *byte, seating, &terms(players[0].0, &game));
        }
        player.post(&format!("{game}/seats"), &join).expect(201);
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

/// Sends commands in a request signed with this key.
fn play(player: &Player, game: &str, seat: u64, byte: u8, commands: &[Value]) -> Value {
    let message = Message::commands(&commands.iter().collect::<Vec<_>>()).unwrap();
    let signed = signed(player, game, seat, byte, &message);
    json!({"expected_seq": signed["seen"], "commands": commands, "signed": signed})
}

fn loan() -> Value {
    json!({"type": "take_loan", "count": 1})
}

/// Returns the outcome of each check of the replay.
fn report(server: &Server, game: &str) -> Value {
    let replay = server.get(&format!("{game}/replay")).text();
    let body = json!({"replay": replay, "players": [key(1)]}).to_string();
    no_check_fails(server.audit(&body).expect(200))
}

fn outcome<'r>(report: &'r Value, name: &str) -> &'r Value {
    let checks = report["checks"].as_array().unwrap();
    &checks.iter().find(|check| check["name"] == name).unwrap()["outcome"]
}

/// All seats but one resign, which ends the game.
fn finish(game: &str, player: &Player, body: &Value) {
    player.post(&format!("{game}/resignation"), body).expect(200);
}
