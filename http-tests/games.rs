//! Whole games, from the first player to the verified replay.

use std::fs;

use serde_json::{Value, json};

use super::support::{Server, play_to_the_end, program::program, table, table_of, timeless};

#[test]
fn a_game_of_industrial_waste_is_played_to_its_verified_replay() {
    play_and_verify("industrial-waste");
}

#[test]
fn a_game_of_ecopolis_is_played_to_its_verified_replay() {
    play_and_verify("ecopolis");
}

fn play_and_verify(ruleset: &str) {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    let players = [&ada, &bob, &cyd];
    let game = table_of(ruleset, &players, &json!({"max_rounds": 6}));
    let mut turn = 0;
    let receipts = play_to_the_end(&game, &players, |count| {
        turn += 1;
        (turn * 7 + turn / 3) % count
    });
    let resource = ada.get(&game).expect(200);
    assert_eq!(resource["status"], "finished");
    assert_eq!(resource["result"].as_array().unwrap().len(), 3);
    assert_eq!(resource["to_act"], json!([]));

    let replay = server.get(&format!("{game}/replay"));
    assert_eq!(replay.status, 200);
    let key = server.get("/v1/keys").expect(200)["keys"][0]["key"].as_str().unwrap().to_owned();
    let folder = server.folder();
    let document = folder.join("replay.json");
    fs::write(&document, &replay.body).unwrap();
    let mut verify = program();
    verify.arg("verify").arg(&document).args(["--json", "--key", &key]);
    for (place, receipt) in receipts.iter().enumerate().take(5) {
        let path = folder.join(format!("receipt-{place}"));
        fs::write(&path, receipt).unwrap();
        verify.arg("--receipt").arg(path);
    }
    let output = verify.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let reports: Value = serde_json::from_slice(&output.stdout).unwrap();
    let passed: Vec<&Value> =
        reports[0]["checks"].as_array().unwrap().iter().filter(|check| check["outcome"] == "pass").collect();
    assert_eq!(passed.len(), 7);
}

#[test]
fn every_command_tells_what_it_did() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let before = ada.get(&format!("{game}/view")).expect(200);
    let command =
        json!({"expected_seq": before["seq"], "command": {"type": "choose_combination", "column": 1}});
    let done = ada.post(&format!("{game}/commands"), &command).expect(201);
    assert_eq!(done["seq"], before["seq"].as_u64().unwrap() + 1);
    assert_eq!(done["events"][0]["type"], "combination_chosen");
    assert_eq!(done["view"]["to_act"], json!([1]));
    assert_eq!(done["view"]["state"]["offer"][1], Value::Null);
    assert_eq!(done["view"]["viewer"], json!({"seat": 0}));
    let page = bob.get(&format!("{game}/events?after={}", before["seq"])).expect(200);
    assert_eq!(page["items"][0]["events"], done["events"]);
    assert_eq!(page["items"][0]["by"], "player");
}

#[test]
fn the_view_can_be_had_as_it_was_at_every_entry() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1, "first_seat": 0}));
    let mut seen = vec![ada.get(&format!("{game}/view")).expect(200)];
    play_to_the_end(&game, &[&ada, &bob], |_| {
        seen.push(ada.get(&format!("{game}/view")).expect(200));
        0
    });
    for view in seen {
        let then = ada.get(&format!("{game}/view?seq={}", view["seq"])).expect(200);
        // Secrets of a past position stay secret, also after the end.
        assert_eq!(timeless(then), timeless(view));
    }
    let opened = ada.get(&format!("{game}/view?seq=0")).expect(200);
    assert_eq!((&opened["status"], &opened["state"]), (&json!("open"), &Value::Null));
    ada.get(&format!("{game}/view?seq=9999")).problem(404, "not_found");
}

#[test]
fn a_game_survives_a_restart() {
    let server = Server::start();
    let (token, game) = {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        (ada.token.clone(), table(&[&ada, &bob], &json!({})))
    };
    let view = server.send("GET", &format!("{game}/view")).token(&token).go().expect(200);
    let resource = server.get(&game).expect(200);
    let server = server.restarted();
    let again = server.send("GET", &format!("{game}/view")).token(&token).go().expect(200);
    assert_eq!(timeless(again), timeless(view));
    assert_eq!(server.get(&game).expect(200), resource);
}

#[test]
fn a_resignation_hands_the_seat_to_the_autopilot_until_one_is_left() {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    let game = table(&[&ada, &bob, &cyd], &json!({"max_rounds": 2, "first_seat": 0}));
    let resigned = ada.send("POST", &format!("{game}/resignation")).go().expect(200);
    assert_eq!((&resigned["seats"][0]["control"], &resigned["end"]), (&json!("resigned"), &Value::Null));
    assert_eq!(resigned["to_act"], json!([1]), "the autopilot has chosen at once");
    let command = json!({"expected_seq": resigned["seq"], "command": {"type": "take_loan", "count": 1}});
    ada.post(&format!("{game}/commands"), &command).problem(409, "resigned");
    ada.send("POST", &format!("{game}/resignation")).go().problem(409, "resigned");
    let ended = bob.send("POST", &format!("{game}/resignation")).go().expect(200);
    assert_eq!((&ended["status"], &ended["end"]), (&json!("finished"), &json!("resigned")));
    let places = json!([{"seat": 2, "place": 1}, {"seat": 1, "place": 2}, {"seat": 0, "place": 3}]);
    assert_eq!(ended["result"], places, "the last to resign comes first of those who did");
    assert_eq!(server.get("/v1/games?status=finished").expect(200)["items"][0]["result"], places);
    server.verifies(&game);
}

#[test]
fn a_trade_is_proposed_and_answered() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table_of("ecopolis", &[&ada, &bob], &json!({"first_seat": 0}));
    let legal = ada.legal(&game);
    assert_eq!(legal["free_form"], json!(["propose_trade"]));
    let offer = json!({"type": "propose_trade", "to": 1, "give": {"euros": 300}, "take": {"credits": 2}});
    let sent = |seq: &Value, command: &Value| json!({"expected_seq": seq, "command": command});
    let unfair = json!({"type": "propose_trade", "to": 1, "give": {"euros": 150}, "take": {"actions": ["biodiversity"]}});
    let problem =
        ada.post(&format!("{game}/commands"), &sent(&legal["seq"], &unfair)).problem(422, "illegal_command");
    let broken = |problem: &Value, at: usize| {
        [&problem["errors"][at]["pointer"], &problem["errors"][at]["rule"]].map(Value::clone)
    };
    assert_eq!(problem["rule"], "CO-8.1");
    assert_eq!(
        [0, 1].map(|at| broken(&problem, at)),
        [["/command", "CO-8.1"], ["/command", "CO-8.2"]],
        "{problem}"
    );
    let drafted = json!({"expected_seq": legal["seq"], "commands": [unfair]});
    let problem = ada.post(&format!("{game}/drafts"), &drafted).problem(422, "illegal_command");
    assert_eq!(broken(&problem, 1), ["/commands/0", "CO-8.2"], "{problem}");
    let proposed = ada.post(&format!("{game}/commands"), &sent(&legal["seq"], &offer)).expect(201);
    assert_eq!(proposed["view"]["to_act"], json!([1]));
    assert_eq!(proposed["view"]["state"]["trade"]["give"]["territories"], json!([]));
    let roll = sent(&proposed["seq"], &json!({"type": "roll"}));
    let refused = ada.post(&format!("{game}/commands"), &roll).problem(422, "illegal_command");
    assert_eq!(refused["rule"], "CO-8.3");
    let accept = sent(&proposed["seq"], &json!({"type": "accept_trade"}));
    let accepted = bob.post(&format!("{game}/commands"), &accept).expect(201);
    let state = &accepted["view"]["state"];
    assert_eq!((&state["seats"][0]["euros"], &state["seats"][1]["credits"]), (&json!(5200), &json!(12)));
}

#[test]
fn the_offer_of_a_seat_that_resigns_is_withdrawn() {
    let server = Server::start();
    let (ada, bob, cyd) = (server.player("Ada"), server.player("Bob"), server.player("Cyd"));
    let game = table_of("ecopolis", &[&ada, &bob, &cyd], &json!({"first_seat": 0}));
    let seq = ada.get(&format!("{game}/view")).expect(200)["seq"].clone();
    let offer = json!({"type": "propose_trade", "to": 1, "give": {"euros": 300}, "take": {"credits": 2}});
    ada.post(&format!("{game}/commands"), &json!({"expected_seq": seq, "command": offer})).expect(201);
    let roll = json!({"expected_seq": ada.get(&format!("{game}/view")).expect(200)["seq"], "command": {"type": "roll"}});
    let waits = cyd.post(&format!("{game}/commands"), &roll).problem(409, "not_your_turn");
    assert_eq!(waits["rule"], "CO-8.3");
    let resigned = ada.send("POST", &format!("{game}/resignation")).go().expect(200);
    assert_eq!(resigned["to_act"], json!([1]));
    let page = bob.get(&format!("{game}/events?after={seq}")).expect(200);
    let items = page["items"].as_array().unwrap();
    let withdrawn =
        items.iter().find(|item| item["events"][0]["type"] == "trade_withdrawn").expect("a withdrawal");
    assert_eq!(withdrawn["by"], "autopilot");
}

/// The next request sees the decided command.
#[test]
fn a_command_counts_also_if_its_sender_hangs_up() {
    needs!(file);
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let view = || server.get(&format!("{game}/view")).expect(200);
    // A disk may finish before the client disconnects.
    let mut gone = 0;
    while gone < 2 {
        let before = view();
        let player = [&ada, &bob][usize::try_from(before["to_act"][0].as_u64().unwrap()).unwrap()];
        let command = player.legal(&game)["commands"][0]["command"].clone();
        let sent = json!({"expected_seq": before["seq"], "command": command});
        gone += u32::from(server.command_and_hang_up(player, &game, &sent));
        assert!(view()["seq"].as_u64() > before["seq"].as_u64());
    }
}
