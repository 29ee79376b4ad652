//! People find each other, and talk: sealed tables, invites, rematches, the lobby, notes and messages.

use std::{collections::BTreeMap, iter};

use playledger::ledger::{encoding::hex, seed::entropy_commitment};
use serde_json::{Value, json};

use super::support::{Clock, Player, Server, play_to_the_end, table, table_of};

fn promise(byte: u8) -> Value {
    hex(&entropy_commitment(&[byte; 32])).into()
}

fn bytes(byte: u8) -> Value {
    json!({"entropy": hex(&[byte; 32])})
}

/// The vector of the format for client authors.
#[test]
fn the_promise_is_that_of_the_vector() {
    let text = Server::start().get("/v1/fairlog").text();
    assert!(text.contains(promise(0x11).as_str().unwrap()));
}

#[test]
fn a_sealed_table_says_whom_it_waits_for() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let mut notices = ada.send("GET", "/v1/me/events").stream();
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "entropy_commit": promise(1)}));
    assert_eq!(ada.get(&game).expect(200)["waits_for"], json!([]));
    let joined = bob.post(&format!("{game}/seats"), &json!({"entropy_commit": promise(2)})).expect(201);
    assert!(joined["seal_receipt"].as_str().unwrap().contains("receipt"), "the seal has its receipt at once");
    assert_eq!((&joined["status"], &joined["waits_for"]), (&json!("sealed"), &json!([0, 1])));
    let kinds: Vec<String> = notices.take(3).into_iter().map(|event| event.kind).collect();
    assert_eq!(kinds, ["seat", "seat", "sealed"]);
    let inbox = |player: &Player| player.get("/v1/me/games?turn=mine").expect(200)["items"].clone();
    assert_eq!(
        (inbox(&ada)[0]["id"].clone(), inbox(&bob)[0]["id"].clone()),
        (joined["id"].clone(), joined["id"].clone())
    );
    assert_eq!(
        server.get(&format!("{game}/view?words=true")).expect(200)["prompt"],
        "The table is full. Waiting for the random bytes of Ada and Bob."
    );
    ada.post(&format!("{game}/entropy"), &bytes(1)).expect(200);
    assert_eq!(inbox(&ada), json!([]));
    assert_eq!(server.get("/v1/games?status=sealed").expect(200)["items"][0]["waits_for"], json!([1]));
    // A player who has not revealed its bytes cannot leave.
    bob.send("DELETE", &format!("{game}/seats/mine")).go().problem(409, "game_not_open");
    let left = ada.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    assert_eq!(left["status"], "void");
    let plain = table(&[&ada, &bob], &json!({}));
    assert_eq!(server.get(&plain).expect(200)["waits_for"], json!([]));
    // A full table without promises starts at once.
    let past = |seq: u64| server.get(&format!("{plain}/view?seq={seq}&words=true")).expect(200);
    assert_eq!(past(2)["prompt"], "The table is full. The game starts.");
}

#[test]
fn a_code_shows_the_table_and_opens_it() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "visibility": "private"}));
    let code = ada.get(&game).expect(200)["invite"].as_str().unwrap().to_owned();
    let path = format!("/v1/invites/{code}");
    bob.get(&game).problem(404, "not_found");
    let shown = server.get(&path).expect(200);
    assert_eq!(format!("/v1/games/{}", shown["id"].as_str().unwrap()), game);
    assert!(shown.get("invite").is_none(), "the code is for its seats to hand on");
    let seats = format!("{game}/seats");
    bob.post(&seats, &json!({"invite": code, "entropy_commit": promise(3)})).expect(201);
    assert_eq!(bob.get(&path).expect(200)["status"], "sealed");
    eve.get(&path).problem(404, "not_found");
    eve.post(&seats, &json!({"invite": code})).problem(409, "game_not_open");
    for wrong in ["nothing", "%00", &"x".repeat(200)] {
        server.get(&format!("/v1/invites/{wrong}")).problem(404, "not_found");
    }
}

#[test]
fn the_same_players_play_again_with_the_seats_moved_on() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let new = json!({"ruleset": "industrial-waste", "seats": 2, "options": {"max_rounds": 1}, "title": "Friday",
        "visibility": "private", "clock": {"move_seconds": 600}});
    let game = ada.creates(&new);
    let invite = ada.get(&game).expect(200)["invite"].clone();
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);
    let path = format!("{game}/rematch");
    ada.post(&path, &json!({})).problem(409, "game_not_finished");
    eve.post(&path, &json!({})).problem(404, "not_found");
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let over = bob.get(&game).expect(200);
    let mut notices = bob.send("GET", "/v1/me/events").stream();
    let asked = ada.post(&path, &json!({})).expect(201);
    assert_eq!(notices.next_of("rematch").data["game"], asked["id"]);
    // A player without a stream finds the rematch at the finished game. Before, and for others, there is
    // none.
    assert_eq!((&over["rematch"], &bob.get(&game).expect(200)["rematch"]), (&Value::Null, &asked["id"]));
    for field in ["ruleset", "options", "title", "visibility", "clock"] {
        assert_eq!(asked[field], ada.get(&game).expect(200)[field], "{field}");
    }
    let before = ada.get(&game).expect(200);
    let log = ada.get(&format!("/v1/games/{}/log", asked["id"].as_str().unwrap())).expect(200);
    let previous = &log["items"][0]["body"]["previous"];
    assert_eq!(
        previous,
        &json!({"game": before["id"], "head": before["head"]}),
        "the log names the game before"
    );
    assert_eq!(asked["seats"][1]["player"]["name"], "Ada", "moved on by one");
    assert_eq!(ada.post(&path, &json!({})).expect(201)["id"], asked["id"], "there is one");
    let next = format!("/v1/games/{}", asked["id"].as_str().unwrap());
    eve.post(&format!("{next}/seats"), &json!({"invite": asked["invite"]})).problem(403, "seats_reserved");
    let joined = bob.post(&path, &json!({})).expect(201);
    assert_eq!((&joined["id"], &joined["status"]), (&asked["id"], &json!("running")));
    assert_eq!(joined["seats"][0]["player"]["name"], "Bob");
}

#[test]
fn of_two_who_ask_at_once_both_sit_at_one_table() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let path = format!("{game}/rematch");
    let asked: Vec<Value> = std::thread::scope(|scope| {
        let ask = |player: &Player| player.post(&path, &json!({})).expect(201)["id"].clone();
        let asking: Vec<_> =
            [&ada, &bob].map(|player| scope.spawn(move || ask(player))).into_iter().collect();
        asking.into_iter().map(|asking| asking.join().unwrap()).collect()
    });
    assert_eq!(asked[0], asked[1]);
    let next = server.get(&format!("/v1/games/{}", asked[0].as_str().unwrap())).expect(200);
    assert_eq!(next["status"], "running");
    // After a called-off rematch, another can be opened.
    let again = format!("/v1/games/{}/rematch", asked[0].as_str().unwrap());
    ada.post(&again, &json!({})).problem(409, "game_not_finished");
}

#[test]
fn the_right_to_call_off_is_handed_on() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 4}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    eve.post(&format!("{game}/seats"), &json!({})).expect(201);
    bob.send("DELETE", &game).go().problem(403, "not_host");
    ada.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    ada.send("DELETE", &game).go().problem(403, "not_host");
    eve.send("DELETE", &game).go().problem(403, "not_host");
    bob.send("DELETE", &game).go().expect(200);
    let mine = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    ada.send("DELETE", &mine).go().expect(200);
}

#[test]
fn the_lobby_is_filtered_and_can_be_waited_for() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let two = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let four = ada.creates(&json!({"ruleset": "ecopolis", "seats": 4, "clock": {"move_seconds": 60}}));
    let full = table_of("industrial-waste", &[&ada, &bob], &json!({}));
    let listed = |query: &str| -> Vec<String> {
        let items = server.get(&format!("/v1/games?{query}")).expect(200)["items"].clone();
        items
            .as_array()
            .unwrap()
            .iter()
            .map(|game| format!("/v1/games/{}", game["id"].as_str().unwrap()))
            .collect()
    };
    let all = vec![full, four.clone(), two.clone()];
    assert_eq!(listed(""), all);
    assert_eq!(listed("seats_free=1"), [four.clone(), two.clone()]);
    assert_eq!(listed("seats_free=2"), std::slice::from_ref(&four));
    assert_eq!(listed("seats_free=1&status=running"), Vec::<String>::new());
    assert_eq!(listed("clock=any"), std::slice::from_ref(&four));
    assert_eq!(listed("clock=none&ruleset=ecopolis"), std::slice::from_ref(&two));
    assert_eq!((listed("bots=true"), listed("bots=false")), (vec![], all));
    for wrong in [
        "seats_free=0",
        "seats_free=true",
        "clock=slow",
        "bots=1",
        "wait=0",
        &format!("clock=any&player={}", ada.id),
    ] {
        server.get(&format!("/v1/games?{wrong}")).problem(400, "malformed");
    }
    let list = server.get("/v1/games?seats_free=1");
    let tag = list.header("etag").unwrap().to_owned();
    let again = |wait: &str| {
        server.send("GET", &format!("/v1/games?seats_free=1{wait}")).header("If-None-Match", &tag).go()
    };
    assert_eq!(again("").status, 304);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| again("&wait=60"));
        bob.post(&format!("{two}/seats"), &json!({})).expect(201);
        assert_eq!(waiting.join().unwrap().expect(200)["items"].as_array().unwrap().len(), 1);
    });
}

#[test]
fn a_note_is_for_its_writer_alone() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = table(&[&ada, &bob], &json!({}));
    let path = format!("{game}/note");
    assert_eq!(ada.get(&path).expect(200), json!({"text": "", "seq": null, "at": null}));
    let put = |player: &Player, text: &str| player.send("PUT", &path).json(&json!({"text": text})).go();
    let written = put(&ada, "Bob has 12.\nWatch the waste!").expect(200);
    assert_eq!((&written["text"], &written["seq"]), (&json!("Bob has 12.\nWatch the waste!"), &json!(3)));
    assert_eq!(ada.get(&path).expect(200), written);
    assert_eq!(bob.get(&path).expect(200)["text"], "");
    eve.get(&path).problem(403, "not_seated");
    put(&eve, "x").problem(403, "not_seated");
    // A token for watching does not show the notes.
    let friend = ada.post("/v1/me/tokens", &json!({"name": "friend", "scopes": ["read"]})).expect(201);
    let friend = Player::with(&server, friend["token"].as_str().unwrap().to_owned());
    friend.get(&path).problem(403, "insufficient_scope");
    put(&ada, &"x".repeat(4_001)).problem(400, "malformed");
    put(&ada, "a\u{7}b").problem(400, "malformed");
    assert!(!server.get(&format!("{game}/log")).text().contains("Watch"), "it is no part of the log");
    put(&ada, "").expect(200);
    assert_eq!(ada.get(&path).expect(200)["seq"], Value::Null);
}

#[test]
fn the_seats_of_a_game_talk_and_need_not_listen() {
    needs!(one_server);
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = table(&[&ada, &bob], &json!({}));
    let path = format!("{game}/messages");
    let mut streams: BTreeMap<&str, _> = BTreeMap::new();
    for (name, player) in [("bob", &bob), ("eve", &eve)] {
        streams.insert(name, player.send("GET", &format!("{game}/events")).stream());
    }
    let mut notices = bob.send("GET", "/v1/me/events").stream();
    let say = |player: &Player, text: &str| player.post(&path, &json!({"text": text}));
    let said = say(&ada, "Hello <b>Bob</b>").expect(201);
    assert_eq!((&said["seat"], &said["player"]["name"]), (&json!(0), &json!("Ada")));
    let heard = streams.get_mut("bob").unwrap().next().unwrap();
    assert_eq!((heard.kind.as_str(), &heard.data), ("message", &said));
    // A join is answered before its notice, which may come first.
    iter::from_fn(|| notices.next()).find(|event| event.kind == "message").unwrap();
    let list = |player: &Player| player.get(&path).expect(200)["items"].as_array().unwrap().len();
    assert_eq!((list(&ada), list(&bob)), (1, 1));
    eve.get(&path).problem(403, "not_seated");
    say(&eve, "x").problem(403, "not_seated");
    for wrong in ["", "   ", &"x".repeat(501), "a\u{0}"] {
        say(&ada, wrong).problem(400, "malformed");
    }
    let mute = |method: &str, seat: &str| bob.send(method, &format!("{game}/mutes/{seat}")).go();
    assert_eq!(mute("PUT", "0").expect(200), json!({"seats": [0]}));
    mute("PUT", "1").problem(404, "not_found");
    mute("PUT", "x").problem(404, "not_found");
    say(&ada, "Do you hear me?").expect(201);
    assert_eq!((list(&ada), list(&bob)), (2, 0));
    mute("DELETE", "0").expect(204);
    assert_eq!(list(&bob), 2);
    // Other players see none of it: the next event of their streams is a move.
    ada.send("POST", &format!("{game}/resignation")).go().expect(200);
    for stream in streams.values_mut() {
        let event = iter::from_fn(|| stream.next()).find(|event| event.kind != "message").unwrap();
        assert_eq!(event.data["events"][0]["type"], "seat_resigned");
    }
    assert!(!server.get(&format!("{game}/log")).text().contains("hear me"));
    let refused = (0..30).map(|_| say(&bob, "again")).find(|answer| answer.status != 201).expect("a limit");
    refused.problem(429, "rate_limited");
}

#[test]
fn a_game_has_room_for_so_many_messages() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (game, other) = (table(&[&ada, &bob], &json!({})), table(&[&ada, &bob], &json!({})));
    server.says(&ada, &game, 1_999);
    let say = |game: &str| bob.post(&format!("{game}/messages"), &json!({"text": "The last word"}));
    let last = say(&game).expect(201);
    say(&game).problem(409, "too_many_messages");
    say(&other).expect(201);
    let newest = format!("{game}/messages?after={}", last["id"].as_i64().unwrap() - 1);
    assert_eq!(ada.get(&newest).expect(200)["items"], json!([last]), "what was said is there");
}

/// Returns a game with a clock and the first player to act.
fn on_time(ada: &Player, bob: &Player) -> String {
    let new = json!({"ruleset": "ecopolis", "seats": 2, "clock": {"move_seconds": 100}, "options": {"first_seat": 0}});
    let game = ada.creates(&new);
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    game
}

#[test]
fn who_has_a_quarter_of_its_time_left_is_told() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = on_time(&ada, &bob);
    let mut notices = ada.send("GET", "/v1/me/events").stream();
    clock.advance(74_000);
    server.look_at_the_clock();
    clock.advance(2_000);
    server.look_at_the_clock();
    assert_eq!(notices.next_of("deadline").data["deadline"], "2027-01-15T08:01:40.000Z");
    // Once, despite other entries.
    bob.send("PUT", &format!("{game}/pause")).go().expect(200);
    server.look_at_the_clock();
    bob.send("DELETE", &format!("{game}/pause")).go().expect(200);
    server.look_at_the_clock();
    // A player who has decided gets no warning.
    ada.post(&format!("{game}/commands"), &json!({"expected_seq": 5, "command": {"type": "roll"}}))
        .expect(201);
    clock.advance(90_000);
    server.look_at_the_clock();
    // The next decision is its own again.
    notices.next_of("deadline");
}

#[test]
fn who_listens_anew_after_a_restart_is_told_of_its_time_all_the_same() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = on_time(&ada, &bob);
    let token = ada.token.clone();
    let server = server.restarted_at(&clock);
    let mut notices = server.send("GET", "/v1/me/events").token(&token).stream();
    clock.advance(76_000);
    server.look_at_the_clock();
    assert_eq!(notices.next_of("deadline").data["game"].as_str(), game.rsplit('/').next());
}
