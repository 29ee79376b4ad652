//! Tables before they start.

use playledger::ledger::receipt::Note;
use serde_json::{Value, json};

use super::support::{Server, table};

const NEW: &str = r#"{"ruleset":"industrial-waste","seats":2}"#;

fn new() -> Value {
    serde_json::from_str(NEW).unwrap()
}

#[test]
fn a_table_is_opened_joined_left_and_joined_again() {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    let mut three = new();
    three["seats"] = json!(3);
    three["title"] = json!("  Friday  ");
    let created = ada.post("/v1/games", &three);
    assert_eq!(
        created.header("location"),
        Some(format!("/v1/games/{}", created.json()["id"].as_str().unwrap()).as_str())
    );
    let created = created.expect(201);
    assert_eq!((&created["title"], &created["status"]), (&json!("Friday"), &json!("open")));
    assert_eq!(created["options"], json!({"open_cash": false, "max_rounds": 40, "first_seat": null}));
    assert!(created["receipt"].as_str().unwrap().starts_with("fairlog/3 receipt\n"));
    let game = format!("/v1/games/{}", created["id"].as_str().unwrap());

    assert_eq!(
        bob.post(&format!("{game}/seats"), &json!({})).expect(201)["seats"][1]["player"]["name"],
        "Bob"
    );
    bob.post(&format!("{game}/seats"), &json!({})).problem(409, "already_seated");
    let left = bob.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    assert_eq!(left["seats"][1]["player"], json!(null));
    bob.send("DELETE", &format!("{game}/seats/mine")).go().problem(403, "not_seated");
    assert_eq!(
        cyd.post(&format!("{game}/seats"), &json!({})).expect(201)["seats"][1]["player"]["name"],
        "Cyd"
    );
    let started = bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    assert_eq!(started["status"], "running");
    assert_eq!(started["to_act"].as_array().unwrap().len(), 1);
    bob.send("DELETE", &format!("{game}/seats/mine")).go().problem(409, "game_not_open");
    server.player("Dan").post(&format!("{game}/seats"), &json!({})).problem(409, "game_not_open");
}

#[test]
fn a_table_is_called_off_by_its_creator_alone() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&new());
    bob.send("DELETE", &game).go().problem(403, "not_host");
    assert_eq!(ada.send("DELETE", &game).go().expect(200)["status"], "void");
    ada.send("DELETE", &game).go().problem(409, "game_not_open");
    bob.post(&format!("{game}/seats"), &json!({})).problem(409, "game_not_open");
    assert_eq!(server.get(&format!("{game}/replay")).status, 200, "a void game has a replay");
}

#[test]
fn a_table_that_everybody_left_is_void() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game = ada.creates(&new());
    assert_eq!(ada.send("DELETE", &format!("{game}/seats/mine")).go().expect(200)["status"], "void");
}

#[test]
fn promised_entropy_is_revealed_before_the_start() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (mine, commit) = ([0x11_u8; 32], commitment(&[0x11; 32]));
    let mut table = new();
    table["entropy_commit"] = json!(commit);
    let game = ada.creates(&table);
    let reveal = format!("{game}/entropy");
    let entropy = json!({"entropy": hex(&mine)});
    ada.post(&reveal, &entropy).problem(409, "game_not_sealed");
    let sealed = bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    assert_eq!(sealed["status"], "sealed");
    assert_eq!(sealed["seats"][0]["entropy"], "promised");
    let seal = ada.get(&game).expect(200)["seal_receipt"].as_str().unwrap().to_owned();
    let key = server.get("/v1/keys").expect(200)["keys"][0]["key"].as_str().unwrap().parse().unwrap();
    let note = Note::read(&seal).unwrap();
    let (receipt, log) = (note.check(&[key]).unwrap().0, server.get(&format!("{game}/log")).expect(200));
    let newest = log["items"].as_array().unwrap().last().unwrap();
    assert_eq!((&newest["body"]["type"], &newest["head"]), (&json!("join"), &json!(hex(&receipt.head))));
    assert!(server.get(&game).expect(200).get("seal_receipt").is_none(), "it is for those who sit there");
    bob.post(&reveal, &entropy).problem(409, "nothing_to_reveal");
    ada.post(&reveal, &json!({"entropy": "00".repeat(32)})).problem(422, "entropy_mismatch");
    ada.post(&reveal, &json!({"entropy": "AA".repeat(32)})).problem(400, "malformed");
    let started = ada.post(&reveal, &entropy).expect(200);
    assert!(ada.get(&game).expect(200).get("seal_receipt").is_none());
    assert_eq!(
        (&started["status"], &started["seats"][0]["entropy"]),
        (&json!("running"), &json!("revealed"))
    );
}

fn hex(bytes: &[u8; 32]) -> String {
    playledger::ledger::encoding::hex(bytes)
}

fn commitment(entropy: &[u8; 32]) -> String {
    hex(&playledger::ledger::seed::entropy_commitment(entropy))
}

#[test]
fn public_tables_are_listed_newest_first_in_pages() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let mut all: Vec<String> = (0..5).map(|_| ada.creates(&new())).collect();
    let running = table(&[&ada, &bob], &json!({}));
    let mut hidden = new();
    hidden["visibility"] = json!("private");
    let hidden = ada.creates(&hidden);
    all.push(running.clone());
    all.reverse();
    let ids = |page: &Value| -> Vec<String> {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|game| format!("/v1/games/{}", game["id"].as_str().unwrap())).collect()
    };
    let first = server.get("/v1/games?limit=4").expect(200);
    assert_eq!(ids(&first), all[..4]);
    let cursor = first["next_cursor"].as_str().unwrap();
    let second = server.get(&format!("/v1/games?limit=4&cursor={cursor}")).expect(200);
    assert_eq!((ids(&second), &second["next_cursor"]), (all[4..].to_vec(), &json!(null)));
    assert_eq!(ids(&server.get("/v1/games?status=running").expect(200)), std::slice::from_ref(&running));
    assert_eq!(
        ids(&server.get(&format!("/v1/games?player={}", bob.id)).expect(200)),
        std::slice::from_ref(&running)
    );
    assert_eq!(
        server.get(&format!("/v1/games?player={}", uuid::Uuid::nil())).expect(200)["items"],
        json!([])
    );
    assert_eq!(ids(&ada.get("/v1/me/games").expect(200))[0], hidden, "one's own games are all listed");
    let waiting = [&ada, &bob].map(|player| ids(&player.get("/v1/me/games?turn=mine").expect(200)));
    assert_eq!(waiting.concat(), [running], "one of the two is waited for");
}

#[test]
fn nobody_sits_at_more_games_than_allowed() {
    let server = Server::with(&["--games-of-player", "2"]);
    let ada = server.player("Ada");
    let first = ada.creates(&new());
    ada.creates(&new());
    ada.post("/v1/games", &new()).problem(409, "too_many_games");
    ada.send("DELETE", &first).go().expect(200);
    ada.creates(&new());
    // A handed seat counts for its new player.
    let (bob, cyd) = (server.player("Bob"), server.player("Cyd"));
    let game = bob.creates(&json!({"ruleset": "ecopolis", "seats": 2, "substitutes": true}));
    server.player("Dan").post(&format!("{game}/seats"), &json!({})).expect(201);
    let offered = format!("{game}/substitution");
    let offer = bob.send("POST", &offered).go().expect(201);
    cyd.post(&format!("{game}/seats"), &json!({"invite": offer["code"]})).expect(202);
    let others: Vec<_> = (0..2).map(|_| cyd.creates(&new())).collect();
    let agree = || bob.post(&format!("{offered}/acceptance"), &json!({"player": cyd.id}));
    agree().problem(409, "too_many_games");
    cyd.send("DELETE", &others[0]).go().expect(200);
    agree().expect(200);
}

/// A host invites those with whom it has played, and no one else.
#[test]
fn a_person_is_invited_by_one_who_has_played_with_it() {
    needs!(one_server);
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let met = table(&[&ada, &bob], &json!({}));
    let met = met.rsplit('/').next().unwrap();
    let mut new = new();
    new["visibility"] = json!("private");
    let game = ada.creates(&new);
    let path = format!("{game}/invitations");
    let invitation = |player: &str| json!({"player": player, "met_in": met});
    let mut heard = bob.send("GET", "/v1/me/events").header("Accept", "text/event-stream").stream();
    let sent = ada.post(&path, &invitation(&bob.id));
    assert_eq!((sent.status, sent.body.len()), (204, 0), "{}", sent.text());
    let notice = heard.next_of("invitation");
    assert_eq!((&notice.data["by"], &notice.data["game"]), (&json!(ada.id), &json!(game.rsplit('/').next())));
    let invite = notice.data["invite"].as_str().unwrap();

    ada.post(&path, &invitation(&eve.id)).problem(404, "not_found");
    eve.post(&path, &invitation(&bob.id)).problem(404, "not_found");
    let unknown = json!({"player": bob.id, "met_in": "01900000-0000-7000-8000-000000000001"});
    ada.post(&path, &unknown).problem(404, "not_found");
    ada.post(&path, &json!({"player": bob.id})).problem(400, "malformed");
    let own = bob.creates(&json!({"ruleset": "ecopolis", "seats": 3}));
    ada.post(&format!("{own}/seats"), &json!({})).expect(201);
    ada.post(&format!("{own}/invitations"), &invitation(&bob.id)).problem(403, "not_host");
    bob.post(&format!("{own}/invitations"), &invitation(&ada.id)).problem(409, "already_seated");
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);
    ada.post(&path, &invitation(&bob.id)).problem(409, "game_not_open");
}
