//! Signing seats, and lists of commands.

use playledger::ledger::{
    entry::PlainAct,
    message::{Message, Seating},
    terms::Terms,
};
use serde_json::{Value, json};
use uuid::{NoContext, Timestamp, Uuid};

use super::{claim, finish, game, key, loan, new_id, outcome, play, report, secret, signed, view};
use crate::support::Server;

#[test]
fn a_seat_with_keys_signs_every_move() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({}));
    let seq = view(&ada, &game)["seq"].clone();
    let unsigned = json!({"expected_seq": seq, "command": loan()});
    let commands = format!("{game}/commands");
    let missing = ada.post(&commands, &unsigned).problem(422, "invalid_signature");
    let good = play(&ada, &game, 0, 1, &[loan()]);
    let others = play(&ada, &game, 0, 2, &[loan()]);
    ada.post(&commands, &others).problem(422, "invalid_signature");
    let of_other_seat = play(&ada, &game, 1, 1, &[loan()]);
    let told = ada.post(&commands, &of_other_seat).problem(422, "invalid_signature");
    assert_eq!(told["expected"].as_str().unwrap().len(), 64);
    let mut stale = good.clone();
    stale["signed"]["seen"] = json!(1);
    let stale = ada.post(&commands, &stale).problem(422, "invalid_signature");
    assert_eq!(stale["seq"], seq);
    let of_other_key = ada.post(&commands, &others).problem(422, "invalid_signature");
    for refused in [&missing, &stale, &of_other_key] {
        assert_eq!(refused["expected"], told["expected"], "the message is the same, whatever is wrong");
    }
    // Signed commands are not completed: defaults must be written.
    let mut short = play(&ada, &game, 0, 1, &[json!({"type": "sell_materials", "advisor": false})]);
    ada.post(&commands, &short).problem(422, "illegal_command");
    short["commands"][0].as_object_mut().unwrap().remove("advisor");
    ada.post(&commands, &short).problem(422, "invalid_signature");
    ada.post(&commands, &good).expect(201);
    ada.post(&commands, &good).problem(409, "stale_seq");
    bob.post(&commands, &play(&bob, &game, 1, 2, &[loan()])).problem(422, "invalid_signature");
    let seq = view(&bob, &game)["seq"].clone();
    bob.post(&commands, &json!({"expected_seq": seq, "command": loan()})).expect(201);

    // A lost key is replaced on the server's word alone.
    let path = format!("{game}/rekey");
    let by = |byte| {
        let signed = signed(&ada, &game, 0, byte, &Message::act(PlainAct::Rekey));
        ada.post(&path, &json!({"signed": signed}))
    };
    by(1).problem(409, "no_change");
    by(2).expect(200);
    ada.post(&commands, &play(&ada, &game, 0, 1, &[loan()])).problem(422, "invalid_signature");
    ada.post(&commands, &play(&ada, &game, 0, 2, &[loan()])).expect(201);
    ada.post(&path, &json!({})).expect(200);
    ada.post(&path, &json!({})).problem(409, "no_change");
    let revoked = json!({"keys": [key(2)]});
    ada.post(&format!("{game}/revocations"), &revoked).problem(409, "no_change");
    finish(&game, &bob, &json!({}));
    let report = report(&server, &game);
    assert_eq!(outcome(&report, "signatures"), "pass");
    let tenure = &report["tenures"][0];
    assert_eq!((&tenure["moves"][key(1)], &tenure["moves"][key(2)]), (&json!(1), &json!(1)));
    assert_eq!(tenure["proved"], "some", "what comes after a rekey the server alone vouches for");
    let what = |no: usize| tenure["keys"][no]["what"].clone();
    assert_eq!([what(0), what(1), what(2)], ["join", "rekey", "rekey"]);
}

/// A second device is linked by both keys, and signs in the same game without another entry.
#[test]
fn a_linked_device_signs_and_a_lost_one_is_revoked() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game(&[(&ada, &[1]), (&bob, &[])], &json!({}));
    let commands = format!("{game}/commands");
    ada.post(&commands, &play(&ada, &game, 0, 5, &[loan()])).problem(422, "invalid_signature");
    let statement = secret(1).link(&secret(5), &ada.id).write();
    // Each device signs its half. Unknown claims are refused.
    let half = |first: bool| {
        let mut sigs = statement["sigs"].clone();
        sigs[usize::from(first)] = Value::Null;
        json!({"keys": statement["keys"], "sigs": sigs})
    };
    ada.post("/v1/me/devices", &half(true)).expect(200);
    ada.post(&commands, &play(&ada, &game, 0, 5, &[loan()])).problem(422, "invalid_signature");
    ada.post("/v1/me/devices", &half(false)).expect(200);
    let forged = secret(1).link(&secret(6), &bob.id).write();
    let forged = ada.post("/v1/me/devices", &forged).problem(400, "malformed");
    assert_eq!(forged["errors"][0]["pointer"], "/sigs", "a statement is of one player");
    let known = server.get(&format!("/v1/players/{}", ada.id)).expect(200);
    assert_eq!(known["devices"], json!([statement]), "anybody can read it");
    let before = view(&ada, &game)["seq"].as_u64().unwrap();
    ada.post(&commands, &play(&ada, &game, 0, 5, &[loan()])).expect(201);
    ada.post(&commands, &play(&ada, &game, 0, 1, &[loan()])).expect(201);
    assert_eq!(view(&ada, &game)["seq"], before + 2, "there is nothing but the moves");
    let told = server.get(&format!("{game}/log?after={before}")).expect(200);
    assert_eq!(told["items"][0]["body"]["signed"]["devices"], json!([statement]));
    assert_eq!(told["items"][1]["body"]["signed"].get("devices"), None);
    let keys = [key(5).parse().unwrap()];
    let revoke = |byte| {
        let signed = signed(&ada, &game, 0, byte, &Message::revoke(&keys).unwrap());
        ada.post(&format!("{game}/revocations"), &json!({"keys": [key(5)], "signed": signed}))
    };
    revoke(6).problem(422, "invalid_signature");
    revoke(1).expect(200);
    revoke(1).problem(409, "no_change");
    ada.send("DELETE", &format!("/v1/me/devices/{}", key(5))).go().expect(204);
    ada.post(&commands, &play(&ada, &game, 0, 5, &[loan()])).problem(422, "invalid_signature");
    finish(&game, &bob, &json!({}));
    let report = report(&server, &game);
    assert_eq!(report["tenures"][0]["proved"], "all");
    assert_eq!(report["notable"][0]["type"], "revoke");
}

#[test]
fn a_signed_creation_names_all_its_terms() {
    let server = Server::start();
    let ada = server.player("Ada");
    let id = new_id(&ada);
    let options = json!({"first_seat": 0, "max_rounds": 2, "open_cash": false});
    let terms = Terms::of("industrial-waste", 1, options.clone(), 2);
    let signed = claim(&id, 0, 1, Seating::Join { player: &ada.id, commit: None }, &terms);
    let new = json!({"ruleset": "industrial-waste", "seats": 2, "options": options, "rated": false,
        "id": id, "version": 1, "signed": signed});
    let with = |field: &str, value: Value| {
        let mut other = new.clone();
        other[field] = value;
        ada.post("/v1/games", &other)
    };
    let short = with("options", json!({"max_rounds": 2})).problem(400, "malformed");
    let pointers: Vec<&Value> =
        short["errors"].as_array().unwrap().iter().map(|error| &error["pointer"]).collect();
    assert_eq!(pointers, ["/options/first_seat", "/options/open_cash"]);
    assert_eq!(with("version", json!(2)).problem(400, "malformed")["errors"][0]["pointer"], "/version");
    assert_eq!(with("id", json!("x")).problem(400, "malformed")["errors"][0]["pointer"], "/id");
    assert_eq!(with("id", Value::Null).problem(400, "malformed")["errors"][0]["pointer"], "/id");
    let old = Uuid::new_v7(Timestamp::from_unix(NoContext, 1_000_000, 0)).to_string();
    assert_eq!(with("id", json!(old)).problem(400, "malformed")["errors"][0]["pointer"], "/id");
    with("takebacks", json!(true)).problem(422, "invalid_signature");
    with("id", json!(new_id(&ada))).problem(422, "invalid_signature");
    let game = ada.creates(&new);
    assert_eq!(game, format!("/v1/games/{id}"));
    ada.post("/v1/games", &new).problem(409, "game_exists");
    // A join is for one seat of this game, and counts once.
    let bob = server.player("Bob");
    let join = |seat: u64, signed: &Value| {
        bob.post(&format!("{game}/seats"), &json!({"seat": seat, "signed": signed}))
    };
    let seating = Seating::Join { player: &bob.id, commit: None };
    let good = claim(&game, 1, 2, seating, &terms);
    bob.post(&format!("{game}/seats"), &json!({"signed": good})).problem(400, "malformed");
    join(0, &good).problem(409, "seat_taken");
    join(1, &claim(&game, 0, 2, seating, &terms)).problem(422, "invalid_signature");
    let mut used = claim(&game, 1, 2, seating, &terms);
    used["nonce"] = signed["nonce"].clone();
    join(1, &used).problem(422, "nonce_reused");
    join(1, &good).expect(201);
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
    assert_eq!(ada.post(&commands, &too_early).problem(422, "command_not_last")["index"], 0);
    let wrong = play(&ada, &game, 0, 1, &[loan(), choose(9)]);
    assert_eq!(ada.post(&commands, &wrong).problem(422, "illegal_command")["index"], 1);
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
    assert_eq!(passed["stopped"], json!({"index": 2, "because": "others"}), "then it is for Bob to choose");
    let wrong = draft(&json!([loan(), {"type": "choose_combination", "column": 9}]));
    assert_eq!(wrong.problem(422, "illegal_command")["index"], 1);
    bob.post(&format!("{game}/drafts"), &json!({"expected_seq": before["seq"], "commands": [choose]}))
        .problem(409, "not_your_turn");
    let stale = json!({"expected_seq": 1, "commands": [choose]});
    ada.post(&format!("{game}/drafts"), &stale).problem(409, "stale_seq");
}
