//! Seats that sign, take back, pause, plan ahead and change hands: and the replay of each game holds.

use playledger::{
    engine::Format,
    ledger::{
        encoding::unhex,
        entry::{Holder, Op},
        plan::PlanRule,
        player_secret::PlayerSecret,
        signed::{Message, SeatKey, Spot},
    },
};
use serde_json::{Value, json};

use super::{
    caching::comes_in_pages,
    support::{Clock, Player, Server, no_check_fails},
};

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

#[test]
fn a_seat_with_keys_signs_every_move() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({}));
    let seq = view(&ada, &game)["seq"].clone();
    let unsigned = json!({"expected_seq": seq, "command": loan()});
    let commands = format!("{game}/commands");
    let missing = ada.post(&commands, &unsigned).problem(422, "bad_signature");
    let dry = |sent: &Value| {
        let mut dry = sent.clone();
        dry["dry_run"] = json!(true);
        ada.post(&commands, &dry)
    };
    dry(&unsigned).expect(200);
    let good = play(&ada, &game, 0, 1, &[loan()]);
    let others = play(&ada, &game, 0, 2, &[loan()]);
    dry(&others).problem(422, "bad_signature");
    dry(&good).expect(200);
    ada.post(&commands, &others).problem(422, "bad_signature");
    let of_other_seat = play(&ada, &game, 1, 1, &[loan()]);
    let told = ada.post(&commands, &of_other_seat).problem(422, "bad_signature");
    assert_eq!(told["expected"].as_str().unwrap().len(), 64);
    let mut stale = good.clone();
    stale["signed"]["seen"] = json!(1);
    let stale = ada.post(&commands, &stale).problem(422, "bad_signature");
    assert_eq!(stale["seq"], seq);
    let of_other_key = ada.post(&commands, &others).problem(422, "bad_signature");
    for refused in [&missing, &stale, &of_other_key] {
        assert_eq!(refused["expected"], told["expected"], "the message is the same, whatever is wrong");
    }
    ada.post(&commands, &good).expect(201);
    ada.post(&commands, &good).problem(409, "stale_seq");
    bob.post(&commands, &play(&bob, &game, 1, 2, &[loan()])).problem(422, "bad_signature");
    let seq = view(&bob, &game)["seq"].clone();
    bob.post(&commands, &json!({"expected_seq": seq, "command": loan()})).expect(201);

    // Keys are changed by a key, lost, and given anew.
    let keys = [key(2).parse::<SeatKey>().unwrap()];
    let path = format!("{game}/keys");
    let by = |byte| {
        let signed = signed(&ada, &game, 0, byte, &Message::keys(&keys).unwrap());
        ada.send("PUT", &path).json(&json!({"keys": [key(2)], "signed": signed})).go()
    };
    let none = signed(&ada, &game, 0, 1, &Message::keys(&[]).unwrap());
    let none = json!({"keys": [], "signed": none});
    let none = ada.send("PUT", &path).json(&none).go().problem(400, "malformed");
    assert_eq!(none["errors"][0]["pointer"], "/keys", "such an entry could not be read again");
    by(2).problem(422, "bad_signature");
    by(1).expect(200);
    ada.post(&commands, &play(&ada, &game, 0, 1, &[loan()])).problem(422, "bad_signature");
    ada.post(&commands, &play(&ada, &game, 0, 2, &[loan()])).expect(201);
    ada.send("DELETE", &path).go().expect(200);
    by(1).problem(422, "bad_signature");
    by(2).expect(200);
    finish(&game, &bob, &json!({}));
    let report = report(&server, &game);
    assert_eq!(outcome(&report, "signatures"), "pass");
    let seat = &report["seats"][0];
    assert_eq!((&seat["keys"][0]["moves"], &seat["keys"][0]["known"]), (&json!(1), &json!(true)));
    assert!(seat["unkeyed_at"].is_u64());
}

#[test]
fn commands_come_in_lists_all_or_none() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({}));
    let commands = format!("{game}/commands");
    let before = view(&ada, &game)["seq"].as_u64().unwrap();
    let choose = |column: u64| json!({"type": "choose_combination", "column": column});
    let too_early = play(&ada, &game, 0, 1, &[choose(0), loan()]);
    assert_eq!(ada.post(&commands, &too_early).problem(422, "not_last")["no"], 0);
    let wrong = play(&ada, &game, 0, 1, &[loan(), choose(9)]);
    assert_eq!(ada.post(&commands, &wrong).problem(422, "illegal_command")["no"], 1);
    assert_eq!(view(&ada, &game)["seq"], before, "nothing was done");
    for wrong in [json!([]), json!(vec![loan(); 33]), json!({})] {
        ada.post(&commands, &json!({"expected_seq": before, "commands": wrong})).problem(400, "malformed");
    }
    let both = json!({"expected_seq": before, "command": loan(), "commands": [loan()]});
    ada.post(&commands, &both).problem(400, "malformed");
    let list = play(&ada, &game, 0, 1, &[loan(), loan(), choose(0)]);
    let key = ("Idempotency-Key", "list");
    let send = || ada.send("POST", &commands).json(&list).header(key.0, key.1).go();
    let done = send().expect(201);
    assert_eq!(done["seq"], before + 3);
    let kinds: Vec<&str> =
        done["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds[..2], ["loans_taken", "loans_taken"]);
    assert_eq!(send().expect(201), done, "the same again");
    finish(&game, &bob, &json!({}));
    assert_eq!(outcome(&report(&server, &game), "signatures"), "pass");
}

#[test]
fn a_seat_takes_back_what_it_alone_has_done() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[]), (&bob, &[])], &json!({"takebacks": true}));
    let first = view(&ada, &game);
    assert_eq!(first["takeback"], Value::Null);
    let send = |command: &Value| {
        let seq = view(&ada, &game)["seq"].clone();
        ada.post(&format!("{game}/commands"), &json!({"expected_seq": seq, "command": command})).expect(201)
    };
    let back = |to: u64| {
        let seq = view(&ada, &game)["seq"].clone();
        ada.post(&format!("{game}/takebacks"), &json!({"expected_seq": seq, "to": to}))
    };
    let base = first["seq"].as_u64().unwrap();
    send(&loan());
    let two = send(&loan());
    assert_eq!(two["view"]["takeback"], json!({"from": base, "to": base + 1}));
    back(base + 2).problem(409, "nothing_to_take_back");
    back(base - 1).problem(409, "nothing_to_take_back");
    back(base + 1).expect(200);
    assert_eq!(view(&ada, &game)["state"]["companies"][0]["loans"], 1);
    back(base).expect(200);
    assert_eq!(view(&ada, &game)["state"], first["state"]);
    // What was taken back can be gone back to.
    back(base + 2).expect(200);
    assert_eq!(view(&ada, &game)["state"]["companies"][0]["loans"], 2);
    send(&json!({"type": "choose_combination", "column": 0}));
    back(base).problem(409, "nothing_to_take_back");
    finish(&game, &ada, &json!({}));
    report(&server, &game);
}

#[test]
fn nobody_goes_to_and_fro_for_ever() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[]), (&bob, &[])], &json!({"takebacks": true}));
    let base = view(&ada, &game)["seq"].as_u64().unwrap();
    let back = |seq: u64| ada.post(&format!("{game}/takebacks"), &json!({"expected_seq": seq, "to": base}));
    for seq in (base..base + 256).step_by(2) {
        ada.post(&format!("{game}/commands"), &json!({"expected_seq": seq, "command": loan()})).expect(201);
        if seq < base + 254 {
            back(seq + 1).expect(200);
        }
    }
    back(base + 255).expect(200);
    ada.post(&format!("{game}/commands"), &json!({"expected_seq": base + 256, "command": loan()}))
        .expect(201);
    back(base + 257).problem(409, "too_many_entries");
    finish(&game, &ada, &json!({}));
    report(&server, &game);
}

#[test]
fn tables_have_what_they_agreed_on() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let plain = game(&[(&ada, &[]), (&bob, &[])], &json!({}));
    let seq = view(&ada, &plain)["seq"].clone();
    ada.post(&format!("{plain}/takebacks"), &json!({"expected_seq": seq, "to": 1}))
        .problem(409, "not_agreed");
    ada.send("POST", &format!("{plain}/pauses")).go().problem(409, "not_agreed");
    ada.send("POST", &format!("{plain}/substitutions")).go().problem(409, "not_agreed");
    let resource = ada.get(&plain).expect(200);
    assert_eq!((&resource["takebacks"], &resource["substitutes"]), (&json!(false), &json!(false)));
    assert_eq!(resource["format"], Format::default().name());
}

#[test]
fn a_bank_is_used_up_and_a_pause_stops_the_clock() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game =
        game(&[(&ada, &[]), (&bob, &[])], &json!({"clock": {"move_seconds": 3_600, "bank_seconds": 7_200}}));
    let send = |player: &Player, command: &Value| {
        let seq = view(player, &game)["seq"].clone();
        player
            .post(&format!("{game}/commands"), &json!({"expected_seq": seq, "command": command}))
            .expect(201)
    };
    let banks = || {
        let seats = view(&ada, &game)["seats"].clone();
        (seats[0]["bank_seconds"].clone(), seats[1]["bank_seconds"].clone())
    };
    clock.advance(2 * HOUR);
    server.look_at_the_clock();
    send(&ada, &json!({"type": "choose_combination", "column": 0}));
    assert_eq!(banks(), (json!(3_600), json!(7_200)), "an hour beyond its time");
    // Both ask, and nothing runs out for a day.
    let ask = |player: &Player| player.send("POST", &format!("{game}/pauses")).go().expect(200);
    clock.advance(HOUR / 2);
    ask(&ada);
    ada.send("POST", &format!("{game}/pauses")).go().problem(409, "asks_already");
    bob.send("POST", &format!("{game}/continuations")).go().problem(409, "asks_not");
    assert_eq!(view(&bob, &game)["paused"], false);
    ask(&bob);
    let paused = view(&bob, &game);
    assert_eq!((&paused["paused"], &paused["deadline"]), (&json!(true), &Value::Null));
    let command =
        json!({"expected_seq": paused["seq"], "command": {"type": "choose_combination", "column": 1}});
    bob.post(&format!("{game}/commands"), &command).problem(409, "paused");
    clock.advance(24 * HOUR);
    server.look_at_the_clock();
    ada.send("POST", &format!("{game}/continuations")).go().expect(200);
    let on = view(&bob, &game);
    assert_eq!((&on["paused"], &on["seats"][1]["asks_pause"]), (&json!(false), &json!(false)));
    clock.advance(3 * HOUR / 2 + HOUR - 1);
    server.look_at_the_clock();
    assert_eq!(view(&bob, &game)["seq"], on["seq"], "half an hour was used, and the bank is left");
    clock.advance(1);
    server.look_at_the_clock();
    let timed_out = bob.get(&format!("{game}/events?after={}", on["seq"])).expect(200);
    assert_eq!(timed_out["items"][0]["by"], "autopilot");
    assert_eq!(banks().1, 0);
    finish(&game, &ada, &json!({}));
    assert_eq!(outcome(&report(&server, &game), "clock"), "pass");
}

#[test]
fn a_game_that_all_have_left_is_abandoned() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[]), (&bob, &[])], &json!({"clock": {"move_seconds": 60}}));
    for _ in 0..12 {
        clock.advance(60_000);
        server.look_at_the_clock();
    }
    let over = ada.get(&game).expect(200);
    assert_eq!(
        (&over["status"], &over["end"], &over["result"]),
        (&json!("finished"), &json!("abandoned"), &Value::Null)
    );
    assert_eq!(outcome(&report(&server, &game), "clock"), "pass");
}

#[test]
fn a_plan_decides_while_its_player_is_away_and_nobody_sees_it_before() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[]), (&bob, &[2])], &json!({}));
    let rules = json!([{"phase": "choosing", "command": {"type": "choose_combination", "column": 0}},
        {"phase": "choosing", "command": {"type": "choose_combination", "column": 1}}]);
    let path = format!("{game}/plan");
    assert_eq!(bob.get(&path).expect(200)["rules"], Value::Null);
    let plan = |rules: &Value, byte| {
        let read = PlanRule::read_all(rules.as_array().unwrap(), "rules").unwrap();
        let signed = signed(&bob, &game, 1, byte, &Message::plan(&read).unwrap());
        bob.send("PUT", &path).json(&json!({"rules": rules, "signed": signed})).go()
    };
    let unsigned = bob.send("PUT", &path).json(&json!({"rules": rules})).go();
    let unsigned = unsigned.problem(422, "bad_signature");
    let other = plan(&rules, 3).problem(422, "bad_signature");
    assert!(unsigned["expected"].is_string() && unsigned["expected"] == other["expected"], "{unsigned}");
    for wrong in [
        json!([{"phase": "nowhere", "command": {"type": "pass_bid"}}]),
        json!([{"phase": "auction", "command": {"type": "bid", "amount": 3}, "up_to": 5}]),
        json!([{"phase": "auction", "command": {"type": "roll"}}]),
        json!([]),
    ] {
        let body = json!({"rules": wrong});
        bob.send("PUT", &path).json(&body).go().problem(400, "malformed");
    }
    // It stands in the log with every move that it decides: one without bounds would make a game that no verifier reads.
    let many = json!({"type": "exchange_actions", "actions": vec!["energy_saving"; 500]});
    let long = json!({"rules": [{"phase": "choosing", "command": many}]});
    let long = bob.send("PUT", &path).json(&long).go().problem(400, "malformed");
    assert_eq!(long["errors"][0]["pointer"], "/rules", "{long}");
    let before = (ada.get(&game).expect(200), ada.get(&format!("{game}/log")).expect(200));
    assert_eq!(plan(&rules, 2).expect(200)["rules"], rules);
    assert_eq!((ada.get(&game).expect(200), ada.get(&format!("{game}/log")).expect(200)), before);
    assert_eq!(bob.get(&path).expect(200)["rules"], rules);
    assert_eq!(ada.get(&path).expect(200)["rules"], Value::Null, "each sees its own");
    ada.send("POST", "/v1/me/tokens").json(&json!({"name": "look", "scopes": ["read"]})).go().expect(201);
    // Ada takes the first column, so that the second rule is the first that applies.
    let seq = view(&ada, &game)["seq"].clone();
    let chosen = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": 0}});
    let done = ada.post(&format!("{game}/commands"), &chosen).expect(201);
    let events = ada.get(&format!("{game}/events?after={}", done["seq"])).expect(200)["items"].clone();
    assert_eq!((&events[0]["by"], &events[0]["seat"]), (&json!("plan"), &json!(1)));
    let log = ada.get(&format!("{game}/log")).expect(200).to_string();
    assert!(!log.contains("rules\":[{"), "what was planned opens with the game");
    assert_eq!(bob.send("DELETE", &path).go().expect(200)["rules"], Value::Null);
    finish(&game, &ada, &json!({}));
    let report = report(&server, &game);
    assert_eq!(report["seats"][1]["keys"][0]["plans"], 1);
}

#[test]
fn a_plan_survives_a_restart_and_ends_with_the_keys() {
    let server = Server::start();
    let (tokens, game) = {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        let game = game(&[(&ada, &[]), (&bob, &[])], &json!({}));
        let rules = json!([{"phase": "playing", "command": {"type": "save_card"}}]);
        bob.send("PUT", &format!("{game}/plan")).json(&json!({"rules": rules})).go().expect(200);
        (bob.token.clone(), game)
    };
    let server = server.restarted();
    let path = format!("{game}/plan");
    let plan = |server: &Server| server.send("GET", &path).token(&tokens).go().expect(200)["rules"].clone();
    assert_eq!(plan(&server).as_array().unwrap().len(), 1);
    server.send("POST", &format!("{game}/resignation")).token(&tokens).go().expect(200);
    assert_eq!(plan(&server), Value::Null);
}

#[test]
fn a_seat_is_handed_to_who_asks_for_it() {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({"substitutes": true, "visibility": "private"}));
    let offers = format!("{game}/substitutions");
    let offer = ada.send("POST", &offers).go().expect(201);
    let agree = |body: &Value| ada.post(&format!("{offers}/{}", offer["id"].as_str().unwrap()), body);
    agree(&json!({})).problem(409, "nobody_asked");
    let code = format!("/v1/invites/{}", offer["code"].as_str().unwrap());
    assert_eq!(cyd.get(&code).expect(200)["status"], "running");
    assert_eq!(comes_in_pages(&ada, &offers), 1);
    bob.post(&format!("{code}/seats"), &json!({})).problem(409, "already_seated");
    let mut told = ada.send("GET", "/v1/me/events").stream();
    let ask = |keys: &Value| {
        let request = cyd.send("POST", &format!("{code}/seats")).header("Idempotency-Key", "ask");
        request.json(&json!({"keys": keys})).go()
    };
    ask(&json!([key(4)])).expect(202);
    ask(&json!([key(5)])).problem(422, "idempotency_key_reused");
    cyd.post(&format!("{code}/seats?bogus=1"), &json!({})).problem(400, "malformed");
    told.next_of("substitution");
    let asked = ada.get(&offers).expect(200)["items"][0]["asked"].clone();
    assert_eq!((&asked["player"]["name"], &asked["keys"]), (&json!("Cyd"), &json!([key(4)])));
    cyd.get(&game).problem(404, "not_found");
    agree(&json!({})).problem(422, "bad_signature");
    let holder = Holder { keys: vec![key(4).parse().unwrap()], ..Holder::person(cyd.id.clone()) };
    let consent = signed(&ada, &game, 0, 1, &Message::hand(&holder).unwrap());
    agree(&json!({"signed": consent})).expect(200);
    let late = ask(&json!([key(4)]));
    assert_eq!((late.status, late.header("idempotency-replayed")), (202, Some("true")), "the code is gone");
    assert_eq!(view(&cyd, &game)["viewer"], json!({"seat": 0}));
    ada.get(&game).problem(404, "not_found");
    cyd.post(&format!("{game}/commands"), &play(&cyd, &game, 0, 4, &[loan()])).expect(201);
    finish(&game, &bob, &json!({}));
    let replay = cyd.get(&format!("{game}/replay")).text();
    let report = no_check_fails(server.audit(&replay).expect(200));
    assert_eq!(report["seats"][0]["holders"].as_array().unwrap().len(), 2);
}

#[test]
fn who_hands_a_seat_on_is_shown_no_more_of_it() {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    for visibility in ["public", "private"] {
        let game = game(&[(&ada, &[]), (&bob, &[])], &json!({"substitutes": true, "visibility": visibility}));
        let mut watching = ada.send("GET", &format!("{game}/events?views=true")).stream();
        let offers = format!("{game}/substitutions");
        let offer = ada.send("POST", &offers).go().expect(201);
        cyd.post(&format!("/v1/invites/{}/seats", offer["code"].as_str().unwrap()), &json!({})).expect(202);
        ada.post(&format!("{offers}/{}", offer["id"].as_str().unwrap()), &json!({})).expect(200);
        if visibility == "private" {
            assert_eq!(watching.next(), None);
        } else {
            let handed = watching.next().unwrap().data;
            assert_eq!(handed["view"]["viewer"], json!({"spectator": true}), "{handed}");
        }
    }
}

#[test]
fn a_seat_whose_player_is_gone_is_open_to_anybody() {
    let server = Server::start();
    let players = ["Ada", "Bob", "Cyd", "Dan"].map(|name| server.player(name));
    let [ada, bob, cyd, dan] = &players;
    let game = game(&[(ada, &[]), (bob, &[]), (cyd, &[])], &json!({"substitutes": true}));
    dan.post(&format!("{game}/seats"), &json!({})).problem(409, "game_not_open");
    ada.send("POST", &format!("{game}/resignation")).go().expect(200);
    let taken = dan.post(&format!("{game}/seats"), &json!({"keys": [key(1)]})).expect(201);
    let seat = &taken["seats"][0];
    assert_eq!((&seat["player"]["name"], &seat["control"]), (&json!("Dan"), &json!("player")));
    ada.post(&format!("{game}/seats"), &json!({})).problem(409, "game_not_open");
    bob.send("POST", &format!("{game}/resignation")).go().expect(200);
    let over = cyd.send("POST", &format!("{game}/resignation")).go().expect(200);
    assert_eq!(over["result"][0], json!({"seat": 0, "place": 1}), "who came for the one who had gone");
    report(&server, &game);
}

#[test]
fn a_resume_speaks_through_the_command_that_follows_it() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({"clock": {"move_seconds": 60}}));
    while view(&ada, &game)["seats"][0]["control"] == "player" {
        let now = view(&bob, &game);
        if now["to_act"] == json!([1]) {
            let command = now["legal"]["commands"][0]["command"].clone();
            let body = json!({"expected_seq": now["seq"], "command": command});
            bob.post(&format!("{game}/commands"), &body).expect(201);
        } else {
            clock.advance(60_000);
            server.look_at_the_clock();
        }
    }
    ada.send("POST", &format!("{game}/resumption")).go().problem(422, "bad_signature");
    ada.post(&format!("{game}/commands"), &play(&ada, &game, 0, 1, &[loan()])).expect(201);
    assert_eq!(view(&ada, &game)["seats"][0]["control"], "player");
    let consent = signed(&ada, &game, 0, 1, &Message::sys(Op::Resign));
    finish(&game, &ada, &json!({"signed": consent}));
    assert_eq!(outcome(&report(&server, &game), "signatures"), "pass");
}

#[test]
fn a_draft_shows_what_would_be_and_writes_nothing() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({}));
    let before = view(&ada, &game);
    let draft = |commands: &Value| {
        ada.post(&format!("{game}/drafts"), &json!({"expected_seq": before["seq"], "commands": commands}))
    };
    let tried = draft(&json!([loan(), loan()])).expect(200);
    assert_eq!(tried["view"]["state"]["companies"][0]["loans"], 2);
    assert_eq!((tried["events"].as_array().unwrap().len(), &tried["stopped"]), (2, &Value::Null));
    assert_eq!(view(&ada, &game)["seq"], before["seq"]);
    let choose = json!({"type": "choose_combination", "column": 0});
    let passed = draft(&json!([choose, loan(), choose])).expect(200);
    assert_eq!(passed["stopped"], json!({"no": 2, "because": "others"}), "then it is for Bob to choose");
    let wrong = draft(&json!([loan(), {"type": "choose_combination", "column": 9}]));
    assert_eq!(wrong.problem(422, "illegal_command")["no"], 1);
    bob.post(&format!("{game}/drafts"), &json!({"expected_seq": before["seq"], "commands": [choose]}))
        .problem(422, "not_your_turn");
    let stale = json!({"expected_seq": 1, "commands": [choose]});
    ada.post(&format!("{game}/drafts"), &stale).problem(409, "stale_seq");
}
