//! Databases that earlier versions wrote open, and say the same.
//!
//! `earlier/0.1.0.sqlite` was written by version 0.1.0, and the file beside it holds what that version said of it: an open,
//! a sealed, a running game with a clock, one of each kind that is finished, one that is void, and two requests under keys.
//! `earlier/0.2.0.sqlite` has tables of fairlog/2 of every kind: signed, paused, taken back, handed on, with a machine, planned,
//! noted and talked at. What was asked of that version stands with its answers in the file beside it.

use std::{fs, path::Path, sync::Arc};

use chrono::DateTime;
use playledger::ledger::player_secret::PlayerSecret;
use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{Clock, Player, Server, play_one};

/// A folder with the database, and what was said of it.
fn folder(version: &str) -> (Arc<TempDir>, Value) {
    let earlier = Path::new(env!("CARGO_MANIFEST_DIR")).join("http-tests/earlier");
    let folder = tempfile::tempdir().unwrap();
    fs::copy(earlier.join(format!("{version}.sqlite")), folder.path().join("games.db")).unwrap();
    fs::copy(earlier.join(format!("{version}.key")), folder.path().join("games.db.key")).unwrap();
    let said = fs::read(earlier.join(format!("{version}.json"))).unwrap();
    (Arc::new(folder), serde_json::from_slice(&said).unwrap())
}

/// A minute after it was written, so that no deadline has passed.
fn clock(said: &Value) -> Clock {
    let created = said["games"]["void"]["created_at"].as_str().unwrap();
    let created = DateTime::parse_from_rfc3339(created).unwrap().timestamp_millis();
    Clock::at(created.cast_unsigned() + 60_000)
}

/// A game as it was said then, without what has come to be said since.
fn as_then(mut game: Value) -> Value {
    for field in ["waits_for", "takebacks", "substitutes", "end", "format"] {
        game.as_object_mut().unwrap().remove(field);
    }
    if let Some(clock) = game["clock"].as_object_mut() {
        clock.remove("bank_seconds");
    }
    // Of a seat that had resigned it was said that the autopilot plays it.
    for seat in game["seats"].as_array_mut().unwrap() {
        if let Some(player) = seat["player"].as_object_mut() {
            player.retain(|field, _| field != "bot" && field != "level");
        }
        if seat["control"] == "resigned" {
            seat["control"] = json!("autopilot");
        }
    }
    game
}

fn says_the_same(server: &Server, said: &Value) {
    let ada = said["ada"].as_str().unwrap();
    for (title, game) in said["games"].as_object().unwrap() {
        let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
        let shown = server.send("GET", &path).token(ada).go().expect(200);
        assert_eq!(&as_then(shown), game, "{title}");
    }
    let mut list = server.get("/v1/games?limit=100").expect(200);
    let games = list["items"].as_array_mut().unwrap();
    for game in games {
        *game = as_then(game.take());
    }
    assert_eq!(list, said["list"]);
}

#[test]
fn a_database_of_the_first_version_opens_and_says_the_same() {
    let (folder, said) = folder("0.1.0");
    let server = Server::on(&folder, &clock(&said));
    says_the_same(&server, &said);
    for title in ["finished industrial-waste", "finished ecopolis", "void"] {
        let path = format!("/v1/games/{}", said["games"][title]["id"].as_str().unwrap());
        server.verifies(&path);
    }
}

/// What the log of the first version has no words for.
#[test]
fn a_game_of_the_first_version_ends_by_the_rules_it_began_with() {
    let (folder, said) = folder("0.1.0");
    let server = Server::on(&folder, &clock(&said));
    let [ada, bob] = ["ada", "bob"].map(|who| Player::with(&server, said[who].as_str().unwrap().to_owned()));
    let game = |title: &str| format!("/v1/games/{}", said["games"][title]["id"].as_str().unwrap());
    let (open, running) = (game("open"), game("running"));
    let keys = json!({"keys": [PlayerSecret::new(&[1; 32]).public().hex()]});
    bob.post(&format!("{open}/seats"), &keys).problem(409, "old_format");
    ada.post(&format!("{open}/bots"), &json!({"level": "easy"})).problem(409, "old_format");
    let plan = json!({"rules": [{"phase": "accident", "command": {"type": "bribe"}}]});
    let of_the_second = [
        ("PUT", "plan", plan),
        ("PUT", "keys", keys),
        ("POST", "takebacks", json!({"expected_seq": 5, "to": 4})),
        ("POST", "pauses", json!({})),
        ("POST", "substitutions", json!({})),
    ];
    for (method, path, body) in of_the_second {
        let asked = ada.send(method, &format!("{running}/{path}")).json(&body).go();
        asked.problem(409, "old_format");
    }
    bob.post(&format!("{open}/seats"), &json!({})).expect(201);
    ada.send("POST", &format!("{running}/resignation")).go().expect(200);
}

/// The schema of the first version had no deadlines. Games from then are looked at once, and get their true deadline.
#[test]
fn a_database_of_the_first_schema_gets_its_deadlines() {
    let (folder, said) = folder("0.1.0");
    let raw = Connection::open(folder.path().join("games.db")).unwrap();
    raw.execute_batch(
        "DROP INDEX game_due; ALTER TABLE game DROP COLUMN deadline;
         DELETE FROM refinery_schema_history WHERE version = 2;",
    )
    .unwrap();
    drop(raw);
    let server = Server::on(&folder, &clock(&said));
    server.look_at_the_clock();
    says_the_same(&server, &said);
}

#[test]
fn a_database_that_was_brought_up_to_date_is_refused_by_earlier_versions() {
    let (folder, said) = folder("0.1.0");
    drop(Server::on(&folder, &clock(&said)));
    let raw = Connection::open(folder.path().join("games.db")).unwrap();
    let newest = "SELECT max(version) FROM refinery_schema_history";
    let newest: u32 = raw.query_row(newest, [], |row| row.get(0)).unwrap();
    assert!(newest > 2, "version 0.1.0 knows two, and looks here");
}

/// Whether all that was said is said still, but for the time; more may be said by now.
fn still_holds(now: &Value, then: &Value) -> bool {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            let holds = |field: &str, then| now.get(field).is_some_and(|now| still_holds(now, then));
            then.iter().all(|(field, then)| {
                matches!(field.as_str(), "now" | "title" | "detail" | "text" | "prompt") || holds(field, then)
            })
        }
        (Value::Array(now), Value::Array(then)) => {
            now.len() == then.len() && now.iter().zip(then).all(|(now, then)| still_holds(now, then))
        }
        _ => now == then,
    }
}

/// What the second version was asked and said, and the database that it left.
fn second() -> (Server, Value) {
    let (folder, said) = folder("0.2.0");
    let server = Server::on(&folder, &Clock::at(said["at"].as_u64().unwrap()));
    (server, said)
}

#[test]
fn a_database_of_the_second_version_opens_and_says_the_same() {
    let (server, said) = second();
    for asked in said["asked"].as_array().unwrap() {
        let mut request = server.send("GET", asked["path"].as_str().unwrap());
        if let Some(who) = asked["who"].as_str() {
            request = request.token(said["tokens"][who].as_str().unwrap());
        }
        let answer = request.go();
        assert_eq!(json!(answer.status), asked["status"], "{}", asked["path"]);
        let (now, then) = (answer.json(), &asked["answer"]);
        assert!(still_holds(&now, then), "{} as {}\nis {now}\nwas {then}", asked["path"], asked["who"]);
    }
}

/// Their ids are in its logs, and are others than those that machines have in a new database.
#[test]
fn the_machines_of_the_second_version_stay_who_they_are() {
    let (server, _) = second();
    let bots = server.get("/v1/players?bot=true&limit=100").expect(200)["items"].clone();
    let ids: Vec<&str> = bots.as_array().unwrap().iter().map(|bot| bot["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 16, "none came beside them");
    assert!(ids.iter().all(|id| id.starts_with("706c6179-6c65-8467")), "{ids:?}");
}

#[test]
fn games_of_the_second_version_verify_and_go_on() {
    let (server, said) = second();
    let game = |title: &str| format!("/v1/games/{}", said["games"][title].as_str().unwrap());
    for title in ["finished industrial-waste", "finished ecopolis", "resigned", "void"] {
        server.verifies(&game(title));
    }
    let players =
        ["ada", "bob"].map(|who| Player::with(&server, said["tokens"][who].as_str().unwrap().to_owned()));
    for title in ["running", "taken back", "handed on"] {
        play_one(&game(title), &[&players[0], &players[1]]);
    }
}
