//! Bots at tables.

use serde_json::{Value, json};

use super::support::{Player, Server, eventually};

const LEVELS: [&str; 4] = ["easy", "middle", "hard", "hardest"];

/// Returns the view at the next turn of seat 0, or at the end.
fn at_my_turn(player: &Player, game: &str) -> Value {
    eventually("the machines have acted", || {
        let view = player.get(&format!("{game}/view?with=legal")).expect(200);
        let mine = view["state"]["to_act"] == 0 || view["status"] != "running";
        mine.then_some(view)
    })
}

/// Plays the first listed command until the game is over.
fn play_first_of_list(player: &Player, game: &str) -> Value {
    loop {
        let view = at_my_turn(player, game);
        if view["status"] != "running" {
            return view;
        }
        let command = &view["legal"]["commands"][0]["command"];
        player
            .post(&format!("{game}/commands"), &json!({"expected_seq": view["seq"], "command": command}))
            .expect(201);
    }
}

fn new(ruleset: &str, seats: u8, levels: &[&str]) -> Value {
    let bots: Vec<Value> =
        (1..).zip(levels).map(|(seat, level)| json!({"seat": seat, "level": level})).collect();
    json!({"ruleset": ruleset, "seats": seats, "options": {"max_rounds": 2, "first_seat": 1}, "bots": bots})
}

#[test]
fn a_table_with_one_person_begins_at_once_and_is_played_to_its_verified_end() {
    let server = Server::start();
    let ada = server.player("Ada");
    for ruleset in ["industrial-waste", "ecopolis"] {
        let created = ada.post("/v1/games", &new(ruleset, 4, &["easy", "middle", "hardest"])).expect(201);
        assert_eq!(created["status"], "running");
        assert!(created["seal_receipt"].is_string() && created["receipt"].is_string());
        let game = format!("/v1/games/{}", created["id"].as_str().unwrap());
        let end = play_first_of_list(&ada, &game);
        assert_eq!(end["status"], "finished");
        let log = server.get(&format!("{game}/replay")).json()["entries"].clone();
        let commands: Vec<Value> = log
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["body"].clone())
            .filter(|body| body["type"] == "cmd" && body["seat"] != 0)
            .collect();
        assert!(!commands.is_empty() && commands.iter().all(|body| body["by"] == "player"), "{commands:?}");
        assert_eq!(server.verifies(&game)["tenures"][3]["bot"], "hardest");
    }
}

#[test]
fn machines_are_marked_wherever_a_player_is_shown() {
    let server = Server::start();
    let ada = server.player("Ada");
    let created = ada.post("/v1/games", &new("ecopolis", 2, &["hard"])).expect(201);
    let game = format!("/v1/games/{}", created["id"].as_str().unwrap());
    let marks = |player: &Value| (player["bot"].clone(), player["level"].clone());
    let machine = (json!(true), json!("hard"));
    let person = (json!(false), Value::Null);
    assert_eq!(marks(&created["seats"][1]["player"]), machine);
    assert_eq!(marks(&created["seats"][0]["player"]), person);
    let view = server.get(&format!("{game}/view")).expect(200);
    assert_eq!(marks(&view["seats"][1]["player"]), machine);
    let listed = server.get("/v1/games?bots=true").expect(200);
    assert_eq!(marks(&listed["items"][0]["seats"][1]["player"]), machine);
    assert_eq!(server.get("/v1/games?bots=false").expect(200)["items"], json!([]));
    let id = created["seats"][1]["player"]["id"].as_str().unwrap();
    let profile = server.get(&format!("/v1/players/{id}")).expect(200);
    assert_eq!(marks(&profile), machine);
    assert_eq!(profile["name"], created["seats"][1]["player"]["name"]);
}

#[test]
fn the_host_fills_and_frees_seats_while_the_table_is_open() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 4}));
    let bots = format!("{game}/bots");
    bob.post(&bots, &json!({"level": "easy"})).problem(403, "not_host");
    let with = ada.post(&bots, &json!({"level": "easy"})).expect(201);
    assert_eq!(with["seats"][1]["player"]["level"], "easy");
    let with = ada.post(&bots, &json!({"level": "easy", "seat": 3})).expect(201);
    assert_ne!(with["seats"][1]["player"]["id"], with["seats"][3]["player"]["id"], "two of a level are two");
    ada.post(&bots, &json!({"level": "hard", "seat": 3})).problem(409, "seat_taken");
    let outside = ada.post(&bots, &json!({"level": "hard", "seat": 4})).problem(400, "malformed");
    assert_eq!(outside["errors"][0]["pointer"], "/seat");
    ada.post(&bots, &json!({"level": "hard", "name": "Clanker"})).problem(400, "malformed");
    ada.post(&bots, &json!({})).problem(400, "malformed");
    ada.post(&bots, &json!({"level": "god"})).problem(400, "malformed");
    ada.send("DELETE", &format!("{bots}/0")).go().problem(404, "not_found");
    ada.send("DELETE", &format!("{bots}/2")).go().problem(404, "not_found");
    let without = ada.send("DELETE", &format!("{bots}/1")).go().expect(200);
    assert_eq!(without["seats"][1]["player"], Value::Null);
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    // The host's right goes to a person.
    ada.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    bob.post(&bots, &json!({"level": "hardest"})).expect(201);
    let begun = bob.post(&bots, &json!({"level": "middle"})).expect(201);
    assert_eq!(begun["status"], "running");
    bob.post(&bots, &json!({"level": "middle"})).problem(409, "game_not_open");
}

#[test]
fn a_table_that_only_machines_are_left_at_is_void() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game =
        ada.creates(&json!({"ruleset": "ecopolis", "seats": 3, "bots": [{"seat": 2, "level": "easy"}]}));
    let left = ada.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    assert_eq!(left["status"], "void");
}

#[test]
fn a_game_that_its_last_person_leaves_ends() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game = ada.creates(&new("industrial-waste", 3, &["hardest", "hardest"]));
    let ended = eventually("the person resigns between two commands", || {
        let answer = ada.send("POST", &format!("{game}/resignation")).json(&json!({})).go();
        (answer.status == 200).then(|| answer.json())
    });
    assert_eq!((&ended["status"], &ended["end"]), (&json!("finished"), &json!("abandoned")));
}

#[test]
fn what_is_wrong_with_the_machines_of_a_new_table_is_named() {
    let server = Server::start();
    let ada = server.player("Ada");
    for (bots, pointer) in [
        (json!([{"seat": 0, "level": "easy"}]), "/bots/0/seat"),
        (json!([{"seat": 2, "level": "easy"}]), "/bots/0/seat"),
        (json!([{"seat": 1, "level": "easy"}, {"seat": 1, "level": "easy"}]), "/bots/1/seat"),
        (json!([{"seat": 1}]), "/bots/0/level"),
        (json!([{"seat": 1, "level": 7}]), "/bots/0/level"),
        (json!([{"seat": 1, "level": "easy", "name": "x"}]), "/bots/0/name"),
        (json!(["easy"]), "/bots/0"),
        (json!("easy"), "/bots"),
    ] {
        let new = json!({"ruleset": "ecopolis", "seats": 2, "bots": bots});
        let problem = ada.post("/v1/games", &new).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
}

#[test]
fn machines_go_on_after_a_restart() {
    let mut server = Server::start();
    let ada = server.player("Ada");
    let token = ada.token.clone();
    let games: Vec<String> =
        LEVELS.iter().map(|level| ada.creates(&new("industrial-waste", 2, &[level]))).collect();
    for _ in 0..3 {
        server = server.restarted();
        let ada = Player::with(&server, token.clone());
        for game in &games {
            let view = at_my_turn(&ada, game);
            let command = &view["legal"]["commands"][0]["command"];
            let sent = json!({"expected_seq": view["seq"], "command": command});
            ada.post(&format!("{game}/commands"), &sent).expect(201);
        }
    }
}

#[test]
fn machines_sit_down_again_at_a_rematch_and_pause_with_the_others() {
    let server = Server::start();
    let ada = server.player("Ada");
    let mut new = new("ecopolis", 2, &["middle"]);
    new["clock"] = json!({"move_seconds": 86_400});
    let game = ada.creates(&new);
    at_my_turn(&ada, &game);
    let paused = ada.send("PUT", &format!("{game}/pause")).json(&json!({})).go().expect(200);
    assert_eq!(paused["status"], "running");
    let view = ada.get(&format!("{game}/view")).expect(200);
    assert_eq!((&view["paused"], &view["seats"][1]["asks_pause"]), (&json!(true), &json!(false)), "{view}");
    ada.send("DELETE", &format!("{game}/pause")).json(&json!({})).go().expect(200);
    play_first_of_list(&ada, &game);
    let again = ada.post(&format!("{game}/rematch"), &json!({})).expect(201);
    assert_eq!(again["status"], "running");
    assert_eq!(again["seats"][0]["player"]["level"], "middle");
    assert_eq!(again["seats"][1]["player"]["name"], "Ada");
}

#[test]
fn programs_say_what_they_take_part_in_and_are_invited_by_name() {
    let server = Server::start();
    let (ada, bob, other) = (server.player("Ada"), server.player("Clanker"), server.player("Clanker"));
    let offer = json!({"rulesets": ["ecopolis"], "seats": [2, 3], "clocks": "without", "at_once": 1});
    let put = |player: &Player, offer: &Value| player.send("PUT", "/v1/me/bot").json(offer).go();
    bob.get("/v1/me/bot").problem(404, "not_found");
    assert_eq!(put(&bob, &offer).expect(200), offer);
    assert_eq!(bob.get("/v1/me/bot").expect(200), offer);
    put(&other, &offer).problem(409, "name_taken");
    let third = server.player("Third");
    put(&third, &offer).expect(200);
    third.send("PATCH", "/v1/me").json(&json!({"name": "Clanker"})).go().problem(409, "name_taken");
    assert!(third.is_known(), "its token is good");
    third.send("DELETE", "/v1/me/bot").go().expect(204);
    assert_eq!(bob.get("/v1/me").expect(200)["bot"], true);
    for (field, wrong) in [
        ("rulesets", json!(["chess"])),
        ("rulesets", json!([])),
        ("seats", json!([1])),
        ("clocks", json!("never")),
        ("at_once", json!(0)),
    ] {
        let mut offer = offer.clone();
        offer[field] = wrong;
        let problem = put(&bob, &offer).problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], format!("/{field}"));
    }
    let listed = server.get("/v1/bots?limit=100").expect(200)["items"].clone();
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.iter().filter(|bot| bot["level"].is_string()).count(), 16);
    assert_eq!(listed.last().unwrap()["accepts"], offer);
    let page = server.get("/v1/bots?limit=10").expect(200);
    let rest = format!("/v1/bots?limit=10&cursor={}", page["next_cursor"].as_str().unwrap());
    let rest = server.get(&rest).expect(200);
    assert_eq!((rest["items"].as_array().unwrap().len(), &rest["next_cursor"]), (7, &Value::Null));

    let mut inbox = bob.send("GET", "/v1/me/events").stream();
    let invite = |new: &Value| {
        let game = ada.creates(new);
        let asked = ada.post(&format!("{game}/bots"), &json!({"name": "Clanker"}));
        (game, asked)
    };
    invite(&json!({"ruleset": "industrial-waste", "seats": 2})).1.problem(409, "bot_refuses");
    invite(&json!({"ruleset": "ecopolis", "seats": 4})).1.problem(409, "bot_refuses");
    let clock = json!({"move_seconds": 60});
    invite(&json!({"ruleset": "ecopolis", "seats": 2, "clock": clock})).1.problem(409, "bot_refuses");
    let (game, asked) = invite(&json!({"ruleset": "ecopolis", "seats": 2, "visibility": "private"}));
    assert_eq!(asked.expect(201)["seats"][1]["player"], Value::Null, "whether it comes is for it to say");
    let notice = inbox.next_of("invitation").data;
    assert!(game.ends_with(notice["game"].as_str().unwrap()), "{notice}");
    let joined = bob.post(&format!("{game}/seats"), &json!({"invite": notice["invite"]})).expect(201);
    let shown = &joined["seats"][1]["player"];
    assert_eq!((&shown["bot"], &shown["level"]), (&json!(true), &Value::Null));
    // The bot has reached its number of games.
    invite(&json!({"ruleset": "ecopolis", "seats": 2})).1.problem(409, "bot_refuses");
    let unknown = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    ada.post(&format!("{unknown}/bots"), &json!({"name": "Ada"})).problem(404, "not_found");
    ada.post(&format!("{unknown}/bots"), &json!({})).problem(400, "malformed");
    ada.post(&format!("{unknown}/bots"), &json!({"name": "Ada", "level": "easy"})).problem(400, "malformed");
    bob.send("DELETE", "/v1/me/bot").go().expect(204);
    assert_eq!(bob.get("/v1/me").expect(200)["bot"], false);
    put(&other, &offer).expect(200);
}

/// The time of a bot's move must not reveal whether it had a choice. The time depends only on the previous
/// entry and the server's step, however the hidden cards are dealt.
#[test]
fn the_time_of_a_bots_move_tells_nothing_of_what_it_holds() {
    const STEP: u64 = 50;
    let server = Server::with(&["--bot-step-ms", "50"]);
    let ada = server.player("Ada");
    for ruleset in ["industrial-waste", "ecopolis"] {
        let created = ada.post("/v1/games", &new(ruleset, 2, &["middle"])).expect(201);
        let game = format!("/v1/games/{}", created["id"].as_str().unwrap());
        play_first_of_list(&ada, &game);
        let entries = server.get(&format!("{game}/replay")).json()["entries"].clone();
        let bodies: Vec<&Value> = entries.as_array().unwrap().iter().map(|entry| &entry["body"]).collect();
        let mut moves = 0;
        for pair in bodies.windows(2) {
            let [before, body] = pair else { unreachable!() };
            if body["type"] == "cmd" && body["seat"] == 1 {
                let waited = body["at"].as_u64().unwrap() - before["at"].as_u64().unwrap();
                assert!(
                    waited > 0 && waited % STEP == 0,
                    "{ruleset}: {body} came {waited} ms after {before}"
                );
                moves += 1;
            }
        }
        assert!(moves > 3, "{ruleset}: {moves} moves");
    }
}
