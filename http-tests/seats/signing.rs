//! Seats that sign, and lists of commands.

use playledger::ledger::signed::{Message, SeatKey};
use serde_json::{Value, json};

use super::{finish, game, key, loan, outcome, play, report, signed, view};
use crate::support::Server;

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
    // What is signed is not mended: its defaults are written out.
    let mut short = play(&ada, &game, 0, 1, &[json!({"type": "sell_materials", "advisor": false})]);
    ada.post(&commands, &short).problem(422, "illegal_command");
    short["commands"][0].as_object_mut().unwrap().remove("advisor");
    ada.post(&commands, &short).problem(422, "bad_signature");
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
    let none_signed = signed(&ada, &game, 0, 1, &Message::keys(&[]).unwrap());
    let none = json!({"keys": [], "signed": none_signed});
    let none = ada.send("PUT", &path).json(&none).go().problem(400, "malformed");
    assert_eq!(none["errors"][0]["pointer"], "/keys", "such an entry could not be read again");
    let many = json!({"keys": vec!["none"; 900], "signed": none_signed});
    let many = ada.send("PUT", &path).json(&many).go().problem(400, "malformed");
    let told = many["errors"].as_array().unwrap();
    assert_eq!(
        (told.len(), &told[0]["pointer"]),
        (1, &json!("/keys")),
        "they are counted before they are read"
    );
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
