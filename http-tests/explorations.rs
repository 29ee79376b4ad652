//! Explorations: private continuations of positions.

use serde_json::{Value, json};

use super::support::{Clock, Player, Server, play_to_the_end, table, table_of};

const DAY: u64 = 24 * 60 * 60 * 1_000;

/// Plays an exploration to its end, by the last of the listed commands.
fn play(player: &Player, mut explored: Value) -> Value {
    for _ in 0..2_000 {
        if explored["view"]["status"] == "finished" {
            return explored;
        }
        let listed = explored["legal"]["commands"].as_array().unwrap();
        let command =
            listed.iter().map(|listed| &listed["command"]).rfind(|command| command["type"] != "take_loan");
        let sent = json!({"expected_seq": explored["seq"], "command": command.unwrap()});
        let path = format!("/v1/explorations/{}/commands?words=true", explored["id"].as_str().unwrap());
        explored = player.post(&path, &sent).expect(200);
        assert!(explored["events"].as_array().unwrap().iter().all(|event| event["text"].is_string()));
    }
    panic!("it has no end");
}

#[test]
fn a_finished_game_is_played_on_from_any_entry_and_is_not_touched() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    for ruleset in ["industrial-waste", "ecopolis"] {
        let game = table_of(ruleset, &[&ada, &bob], &json!({"max_rounds": 2}));
        play_to_the_end(&game, &[&ada, &bob], |_| 0);
        let replay = server.get(&format!("{game}/replay")).text();
        // Every viewer of the game may explore the true position.
        for seq in [5, 8, 11] {
            let explored =
                eve.post(&format!("{game}/explorations?words=true"), &json!({"seq": seq})).expect(201);
            assert_eq!((&explored["dealt_for"], &explored["seq"]), (&Value::Null, &json!(0)));
            let id = explored["id"].as_str().unwrap();
            for seat in ["0", "1"] {
                let shown = eve.get(&format!("/v1/explorations/{id}?as={seat}")).expect(200);
                let then = eve.get(&format!("{game}/view?seq={seq}&as={seat}")).expect(200);
                assert_eq!(shown["view"]["state"], then["state"]);
            }
            let end = play(&eve, explored);
            assert!(end["view"]["state"]["result"].is_array());
        }
        assert_eq!(server.get(&format!("{game}/replay")).text(), replay, "the game knows nothing of it");
        ada.post(&format!("{game}/explorations"), &json!({"seq": 2})).problem(409, "game_not_running");
        ada.post(&format!("{game}/explorations"), &json!({"seq": 9_000})).problem(404, "not_found");
    }
}

#[test]
fn of_a_running_game_a_seat_gets_what_it_knows_and_nothing_else() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = table_of("ecopolis", &[&ada, &bob], &json!({"first_seat": 0}));
    let path = format!("{game}/explorations");
    eve.post(&path, &json!({})).problem(403, "not_seated");
    let hands = |player: &Player, seat: u8| -> Vec<Value> {
        let hand = |_| {
            let explored = player.post(&path, &json!({})).expect(201);
            let id = explored["id"].as_str().unwrap();
            let shown = player.get(&format!("/v1/explorations/{id}?as={seat}")).expect(200);
            shown["view"]["state"]["seats"][usize::from(seat)]["hand"].clone()
        };
        (0..6).map(hand).collect()
    };
    let mine = ada.get(&format!("{game}/view")).expect(200)["state"]["seats"][0]["hand"].clone();
    assert!(hands(&ada, 0).iter().all(|hand| *hand == mine), "the own hand is the own hand");
    let others = hands(&ada, 1);
    assert!(
        others.iter().any(|hand| *hand != others[0]),
        "another's hand is dealt anew each time: {others:?}"
    );
    let explored = ada.post(&path, &json!({})).expect(201);
    assert_eq!(explored["dealt_for"], 0);
    let id = explored["id"].as_str().unwrap();
    // No other player can see the exploration.
    bob.get(&format!("/v1/explorations/{id}")).problem(404, "not_found");
    bob.post(
        &format!("/v1/explorations/{id}/commands"),
        &json!({"expected_seq": 0, "command": {"type": "roll"}}),
    )
    .problem(404, "not_found");
    bob.send("DELETE", &format!("/v1/explorations/{id}")).go().problem(404, "not_found");
    assert_eq!(ada.get(&format!("{game}/view")).expect(200)["seq"], 3);
}

#[test]
fn machines_play_the_seats_that_they_are_given() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 2, "first_seat": 1}));
    let sent = json!({"bots": [{"seat": 1, "level": "easy"}]});
    let explored = ada.post(&format!("{game}/explorations"), &sent).expect(201);
    assert_eq!(explored["levels"], json!([null, "easy"]));
    assert_eq!((&explored["view"]["to_act"], &explored["view"]["viewer"]["seat"]), (&json!([0]), &json!(0)));
    assert_ne!(explored["seq"], 0, "the machine has acted");
    let commands = format!("/v1/explorations/{}/commands", explored["id"].as_str().unwrap());
    let loan = json!({"type": "take_loan", "count": 1});
    ada.post(&commands, &json!({"expected_seq": explored["seq"], "command": loan, "seat": 1}))
        .problem(403, "not_seated");
    ada.post(&commands, &json!({"expected_seq": 900, "command": loan})).problem(409, "stale_seq");
    ada.post(&commands, &json!({"expected_seq": explored["seq"], "command": {"type": "roll"}}))
        .problem(400, "malformed");
    let refused = json!({"expected_seq": explored["seq"], "command": {"type": "bid", "amount": 3}});
    ada.post(&commands, &refused).problem(422, "illegal_command");
    play(&ada, explored);
    let all = json!({"bots": [{"seat": 0, "level": "easy"}, {"seat": 1, "level": "middle"}]});
    ada.post(&format!("{game}/explorations"), &all).expect(201);
}

#[test]
fn an_exploration_is_there_after_a_restart_and_gone_after_a_day() {
    let clock = Clock::default();
    let mut server = Server::with_clock(&clock);
    let token = server.player("Ada").token.clone();
    let (ada, bob) = (Player::with(&server, token.clone()), server.player("Bob"));
    let game = table_of("ecopolis", &[&ada, &bob], &json!({"first_seat": 0}));
    let explored = ada.post(&format!("{game}/explorations"), &json!({})).expect(201);
    let path = format!("/v1/explorations/{}", explored["id"].as_str().unwrap());
    let roll = json!({"expected_seq": 0, "command": {"type": "roll"}});
    let rolled = ada.post(&format!("{path}/commands"), &roll).expect(200);
    server = server.restarted_at(&clock);
    let ada = Player::with(&server, token);
    let again = ada.get(&path).expect(200);
    assert_eq!((&again["seq"], &again["view"]["state"]), (&json!(1), &rolled["view"]["state"]));
    let other = ada.post(&format!("{game}/explorations"), &json!({})).expect(201);
    let other = format!("/v1/explorations/{}", other["id"].as_str().unwrap());
    ada.send("DELETE", &other).go().expect(204);
    ada.get(&other).problem(404, "not_found");
    clock.advance(DAY);
    ada.get(&path).problem(404, "not_found");
    // Too many explorations push out the oldest.
    let first = ada.post(&format!("{game}/explorations"), &json!({})).expect(201);
    for _ in 0..20 {
        clock.advance(1);
        ada.post(&format!("{game}/explorations"), &json!({})).expect(201);
    }
    ada.get(&format!("/v1/explorations/{}", first["id"].as_str().unwrap())).problem(404, "not_found");
}

/// A long request ends early, and the rest is done when the exploration is read again.
#[test]
fn machines_that_have_more_to_decide_go_on_when_it_is_looked_at() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 4}));
    let bots = json!({"bots": [{"seat": 0, "level": "easy"}, {"seat": 1, "level": "easy"}]});
    let begun = ada.post(&format!("{game}/explorations"), &bots).expect(201);
    let path = format!("/v1/explorations/{}", begun["id"].as_str().unwrap());
    let mut seen = begun["seq"].as_u64().unwrap();
    assert_eq!((seen, &begun["view"]["status"]), (24, &json!("running")));
    loop {
        let shown = ada.get(&path).expect(200);
        let now = shown["seq"].as_u64().unwrap();
        if shown["view"]["status"] == "finished" {
            break;
        }
        assert!(now > seen, "{now}");
        seen = now;
    }
}
