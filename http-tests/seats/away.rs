//! Absent players: the clock, the autopilot, and substitutes.

use playledger::{
    engine::Format,
    ledger::{
        entry::{Holder, PlainAct},
        message::{Message, Seating},
        signed::Claim,
    },
};
use serde_json::{Value, json};

use super::{HOUR, claim, finish, game, loan, outcome, play, report, signed, terms, view};
use crate::support::{Clock, Player, Server, no_check_fails};

#[test]
fn tables_have_what_they_agreed_on() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let plain = game(&[(&ada, &[]), (&bob, &[])], &json!({}));
    let seq = view(&ada, &plain)["seq"].clone();
    ada.post(&format!("{plain}/takebacks"), &json!({"expected_seq": seq, "to": 1}))
        .problem(409, "option_not_enabled");
    ada.send("PUT", &format!("{plain}/pause")).go().problem(409, "option_not_enabled");
    ada.send("POST", &format!("{plain}/substitution")).go().problem(409, "option_not_enabled");
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
    // Both ask for a pause, and no time runs for a day.
    let ask = |player: &Player| player.send("PUT", &format!("{game}/pause")).go().expect(200);
    clock.advance(HOUR / 2);
    ask(&ada);
    ada.send("PUT", &format!("{game}/pause")).go().problem(409, "pause_already_requested");
    bob.send("DELETE", &format!("{game}/pause")).go().problem(409, "no_pause_request");
    assert_eq!(view(&bob, &game)["paused"], false);
    ask(&bob);
    let paused = view(&bob, &game);
    assert_eq!((&paused["paused"], &paused["deadline"]), (&json!(true), &Value::Null));
    let command =
        json!({"expected_seq": paused["seq"], "command": {"type": "choose_combination", "column": 1}});
    bob.post(&format!("{game}/commands"), &command).problem(409, "paused");
    clock.advance(24 * HOUR);
    server.look_at_the_clock();
    ada.send("DELETE", &format!("{game}/pause")).go().expect(200);
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
fn a_seat_is_handed_to_who_asks_for_it() {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({"substitutes": true, "visibility": "private"}));
    let offered = format!("{game}/substitution");
    let offer = ada.send("POST", &offered).go().expect(201);
    let agree = |body: &Value| ada.post(&format!("{offered}/acceptance"), body);
    let accepted = json!({"player": cyd.id});
    agree(&accepted).problem(409, "no_substitute");
    let (code, seats) = (&offer["code"], format!("{game}/seats"));
    let shown = cyd.get(&format!("/v1/invites/{}", code.as_str().unwrap())).expect(200);
    assert_eq!(shown["status"], "running");
    assert_eq!(ada.get(&offered).expect(200), offer);
    assert_eq!(bob.get(&offered).expect(200)["code"], Value::Null);
    bob.post(&seats, &json!({"invite": code})).problem(409, "already_seated");
    let mut told = ada.send("GET", "/v1/me/events").stream();
    let seating = Seating::Hand { player: &cyd.id };
    let of = |byte| claim(&game, 0, byte, seating, &terms(&ada, &game));
    let taken = of(4);
    let ask = |signed: &Value| {
        let request = cyd.send("POST", &seats).header("Idempotency-Key", "ask");
        request.json(&json!({"invite": code, "seat": 0, "signed": signed})).go()
    };
    let of_other_seat = claim(&game, 1, 4, seating, &terms(&ada, &game));
    cyd.post(&seats, &json!({"invite": code, "signed": of_other_seat})).problem(422, "invalid_signature");
    ask(&taken).expect(202);
    ask(&of(5)).problem(422, "idempotency_key_reused");
    // The consent is meant for the first who asked.
    server.player("Eve").post(&seats, &json!({"invite": code})).problem(409, "seat_taken");
    cyd.post(&format!("{seats}?bogus=1"), &json!({"invite": code})).problem(400, "malformed");
    told.next_of("substitution");
    let asked = ada.get(&offered).expect(200)["asked"].clone();
    assert_eq!((&asked["player"]["name"], &asked["taken"]), (&json!("Cyd"), &taken));
    cyd.get(&game).problem(404, "not_found");
    agree(&accepted).problem(422, "invalid_signature");
    agree(&json!({"player": bob.id})).problem(409, "no_substitute");
    let holder = Holder::person(cyd.id.clone());
    let came = Claim::of(&asked["taken"], String::new()).unwrap();
    let consent = signed(&ada, &game, 0, 1, &Message::hand(&holder, Some(&came)).unwrap());
    ada.post(&format!("{game}/messages"), &json!({"text": "Farewell!"})).expect(201);
    let mut heard = cyd.send("GET", "/v1/me/events").stream();
    agree(&json!({"player": cyd.id, "signed": consent})).expect(200);
    assert_eq!(heard.next_of("turn").data["seat"], 0, "whose seat is waited for is told so");
    let said = bob.get(&format!("{game}/messages")).expect(200)["items"][0].clone();
    assert_eq!(
        (&said["seat"], &said["player"]["name"]),
        (&json!(0), &json!("Ada")),
        "who said it, not who sits there"
    );
    let late = ask(&taken);
    assert_eq!((late.status, late.header("idempotency-replayed")), (202, Some("true")), "the code is gone");
    assert_eq!(view(&cyd, &game)["viewer"], json!({"seat": 0}));
    ada.get(&game).problem(404, "not_found");
    cyd.post(&format!("{game}/commands"), &play(&cyd, &game, 0, 4, &[loan()])).expect(201);
    finish(&game, &bob, &json!({}));
    let replay = cyd.get(&format!("{game}/replay")).text();
    let report = no_check_fails(server.audit(&replay).expect(200));
    let seats = report["tenures"].as_array().unwrap().iter().map(|tenure| tenure["seat"].as_u64());
    assert_eq!(seats.collect::<Vec<_>>(), [Some(0), Some(0), Some(1)]);
}

#[test]
fn who_hands_a_seat_on_is_shown_no_more_of_it() {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    for visibility in ["public", "private"] {
        let game = game(&[(&ada, &[]), (&bob, &[])], &json!({"substitutes": true, "visibility": visibility}));
        let mut watching = ada.send("GET", &format!("{game}/events?views=true")).stream();
        let offered = format!("{game}/substitution");
        let offer = ada.send("POST", &offered).go().expect(201);
        cyd.post(&format!("{game}/seats"), &json!({"invite": offer["code"]})).expect(202);
        ada.post(&format!("{offered}/acceptance"), &json!({"player": cyd.id})).expect(200);
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
    let mut told = ada.send("GET", "/v1/me/events").stream();
    let signed = claim(&game, 0, 1, Seating::Hand { player: &dan.id }, &terms(ada, &game));
    let taken = dan.post(&format!("{game}/seats"), &json!({"seat": 0, "signed": signed})).expect(201);
    let mut told = std::iter::from_fn(|| told.next()).filter(|event| event.kind == "seat");
    assert!(told.any(|event| event.data["change"] == "substituted"), "who had the seat is told as well");
    let seat = &taken["seats"][0];
    assert_eq!((&seat["player"]["name"], &seat["control"]), (&json!("Dan"), &json!("player")));
    ada.post(&format!("{game}/seats"), &json!({})).problem(409, "game_not_open");
    bob.send("POST", &format!("{game}/resignation")).go().expect(200);
    let over = cyd.send("POST", &format!("{game}/resignation")).go().expect(200);
    assert_eq!(over["result"][0], json!({"seat": 0, "place": 1}), "who came for the one who had gone");
    report(&server, &game);
}

#[test]
fn a_seat_with_keys_signs_its_return() {
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
    let refused = ada.send("POST", &format!("{game}/resumption")).go().problem(422, "invalid_signature");
    assert!(refused["expected"].is_string(), "what must be signed: {refused}");
    let early = play(&ada, &game, 0, 1, &[loan()]);
    ada.post(&format!("{game}/commands"), &early).problem(409, "autopilot_active");
    let back = signed(&ada, &game, 0, 1, &Message::act(PlainAct::Resume));
    ada.post(&format!("{game}/resumption"), &json!({"signed": back})).expect(200);
    assert_eq!(view(&ada, &game)["seats"][0]["control"], "player");
    let consent = signed(&ada, &game, 0, 1, &Message::act(PlainAct::Resign));
    finish(&game, &ada, &json!({"signed": consent}));
    assert_eq!(outcome(&report(&server, &game), "signatures"), "pass");
}
