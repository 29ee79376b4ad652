//! Takebacks and plans.

use playledger::ledger::{message::Message, plan::PlanRule};
use serde_json::{Value, json};

use super::{finish, game, key, loan, report, signed, view};
use crate::support::Server;

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
    // A later position can be restored as well.
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
    let unsigned = unsigned.problem(422, "invalid_signature");
    let other = plan(&rules, 3).problem(422, "invalid_signature");
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
    // The log has the plan with every move it decides, so its size is limited.
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
    // Ada takes the first column, so the second rule is the first that fits.
    let seq = view(&ada, &game)["seq"].clone();
    let chosen = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": 0}});
    let done = ada.post(&format!("{game}/commands"), &chosen).expect(201);
    let events = ada.get(&format!("{game}/events?after={}", done["seq"])).expect(200)["items"].clone();
    assert_eq!((&events[0]["by"], &events[0]["seat"]), (&json!("plan"), &json!(1)));
    let log = ada.get(&format!("{game}/log")).expect(200).to_string();
    assert!(!log.contains("rules\":[{"), "what was planned opens with the game");
    bob.send("DELETE", &path).go().expect(204);
    assert_eq!(bob.get(&path).expect(200)["rules"], Value::Null);
    finish(&game, &ada, &json!({}));
    let report = report(&server, &game);
    assert_eq!(report["tenures"][1]["plans"][key(2)], 1);
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
