//! Clocks and timeouts. The clock of these tests stands still until it is set.

use serde_json::{Value, json};

use super::support::{Clock, Player, Server};

const HOUR: u64 = 3_600_000;

fn game_with_clock(players: &[&Player], ruleset: &str, options: &Value) -> String {
    let game = players[0].creates(&json!({
        "ruleset": ruleset, "seats": players.len(), "options": options, "clock": {"move_seconds": 3_600},
    }));
    for player in &players[1..] {
        player.post(&format!("{game}/seats"), &json!({})).expect(201);
    }
    game
}

fn sent(player: &Player, game: &str, command: &Value) -> super::support::Answer {
    let seq = player.get(&format!("{game}/view")).expect(200)["seq"].clone();
    player.post(&format!("{game}/commands"), &json!({"expected_seq": seq, "command": command}))
}

/// Returns the decisions after an entry, with their authors.
fn decided(player: &Player, game: &str, after: &Value) -> Vec<(Value, Value)> {
    let page = player.get(&format!("{game}/events?after={after}&limit=100")).expect(200);
    let items = page["items"].as_array().unwrap();
    items.iter().map(|item| (item["seat"].clone(), item["by"].clone())).collect()
}

#[test]
fn the_autopilot_decides_when_the_time_has_run_out() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game_with_clock(&[&ada, &bob], "ecopolis", &json!({"first_seat": 0}));
    let before = ada.get(&game).expect(200);
    assert_eq!(before["clock"], json!({"move_seconds": 3_600, "bank_seconds": 0}));
    clock.advance(HOUR - 1);
    server.look_at_the_clock();
    assert_eq!(ada.get(&game).expect(200)["seq"], before["seq"], "not a moment too early");
    clock.advance(1);
    server.look_at_the_clock();
    let page = bob.get(&format!("{game}/events?after={}", before["seq"])).expect(200);
    let item = &page["items"][0];
    assert_eq!((&item["by"], &item["seat"]), (&json!("autopilot"), &json!(0)));
    assert_eq!(item["events"][0]["type"], "dice_rolled");
    assert_eq!(item["at"], before["deadline"], "at its time");
    let after = ada.get(&game).expect(200);
    assert_eq!(after["to_act"], json!([0]), "the seat has its time anew for what it must decide now");
    assert!(after["deadline"].as_str() > before["deadline"].as_str());
    assert_eq!(after["seats"][0]["control"], "player");
}

#[test]
fn three_in_a_row_hand_the_seat_to_the_autopilot_until_its_player_acts() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game_with_clock(&[&ada, &bob], "ecopolis", &json!({"first_seat": 0}));
    let begun = ada.get(&game).expect(200)["seq"].clone();
    for _ in 0..2 {
        clock.advance(HOUR);
        server.look_at_the_clock();
    }
    // Seat 0 has rolled and ended its turn; now seat 1 does so in time, and the third comes.
    sent(&bob, &game, &json!({"type": "roll"})).expect(201);
    sent(&bob, &game, &json!({"type": "end_turn"})).expect(201);
    clock.advance(HOUR);
    server.look_at_the_clock();
    let resource = ada.get(&game).expect(200);
    assert_eq!((&resource["seats"][0]["control"], &resource["to_act"]), (&json!("autopilot"), &json!([1])));
    let by: Vec<Value> = decided(&ada, &game, &begun).into_iter().map(|(_, by)| by).collect();
    assert_eq!(by, ["autopilot", "autopilot", "player", "player", "autopilot", "server", "autopilot"]);

    // The autopilot plays at once.
    sent(&bob, &game, &json!({"type": "roll"})).expect(201);
    sent(&bob, &game, &json!({"type": "end_turn"})).expect(201);
    assert_eq!(ada.get(&game).expect(200)["to_act"], json!([1]));
    let newest = ada.get(&game).expect(200)["seq"].clone();

    // The autopilot answers an offer at once, too.
    sent(
        &bob,
        &game,
        &json!({"type": "propose_trade", "to": 0, "give": {"credits": 1}, "take": {"euros": 100}}),
    )
    .expect(201);
    let entries = decided(&ada, &game, &newest);
    assert_eq!(
        entries,
        [(json!(1), json!("player")), (json!(0), json!("autopilot"))],
        "the autopilot rejects"
    );

    // The autopilot leaves no moment for a command, so the seat is taken back without one.
    let taken = ada.send("POST", &format!("{game}/resumption")).go().expect(200);
    assert_eq!(taken["seats"][0]["control"], "player");
    assert!(taken["receipt"].as_str().unwrap().starts_with("fairlog/3 receipt\n"));
    ada.send("POST", &format!("{game}/resumption")).go().problem(409, "autopilot_not_active");
    sent(&bob, &game, &json!({"type": "roll"})).expect(201);
    sent(&bob, &game, &json!({"type": "end_turn"})).expect(201);
    assert_eq!(ada.get(&game).expect(200)["to_act"], json!([0]));
    let over = ada.send("POST", &format!("{game}/resignation")).go().expect(200);
    assert_eq!((&over["status"], &over["end"]), (&json!("finished"), &json!("resigned")));
    for player in [&ada, &bob] {
        player.send("POST", &format!("{game}/resumption")).go().expect(409);
    }
    server.verifies(&game);
}

#[test]
fn a_player_who_acts_has_its_seat_back() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game_with_clock(&[&ada, &bob], "industrial-waste", &json!({"first_seat": 0}));
    while ada.get(&game).expect(200)["seats"][0]["control"] == "player" {
        if ada.get(&game).expect(200)["to_act"] == json!([1]) {
            let legal = bob.legal(&game);
            sent(&bob, &game, &legal["commands"][0]["command"]).expect(201);
        } else {
            clock.advance(HOUR);
            server.look_at_the_clock();
        }
    }
    // Loans are always legal. The player is back with one, and the entry says so.
    let newest = ada.get(&game).expect(200)["seq"].clone();
    let done = sent(&ada, &game, &json!({"type": "take_loan", "count": 1})).expect(201);
    let page = ada.get(&format!("{game}/events?after={newest}")).expect(200);
    assert_eq!(page["items"][0]["events"][0]["type"], "player_resumed");
    assert_eq!(page["items"][1]["seq"], done["seq"]);
    assert_eq!(ada.get(&game).expect(200)["seats"][0]["control"], "player");
}

#[test]
fn a_bid_has_its_time_too() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game_with_clock(&[&ada, &bob], "industrial-waste", &json!({"first_seat": 0}));
    // Both play the first listed command until an auction.
    for _ in 0..400 {
        let view = ada.get(&format!("{game}/view")).expect(200);
        let seat = view["to_act"][0].as_u64().unwrap();
        let player = if seat == 0 { &ada } else { &bob };
        if view["state"]["phase"] == "auction" {
            let before = view["state"]["auction"].clone();
            clock.advance(HOUR);
            server.look_at_the_clock();
            let entries = decided(&ada, &game, &view["seq"]);
            assert_eq!(entries[0], (json!(seat), json!("autopilot")));
            let page = ada.get(&format!("{game}/events?after={}", view["seq"])).expect(200);
            assert_eq!(
                page["items"][0]["events"][0],
                json!({"ruleset": "industrial-waste", "type": "bid_passed", "seat": seat}),
                "{before}"
            );
            return;
        }
        let legal = player.legal(&game);
        let listed = legal["commands"].as_array().unwrap();
        let sale = listed.iter().find(|listed| listed["command"]["type"] == "sell_materials");
        sent(player, &game, &sale.unwrap_or(&listed[0])["command"]).expect(201);
    }
    panic!("nothing was sold");
}

#[test]
fn deadlines_pass_while_the_server_is_down() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (token, game, seq) = {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        let game = game_with_clock(&[&ada, &bob], "ecopolis", &json!({"first_seat": 0}));
        let seq = ada.get(&game).expect(200)["seq"].clone();
        (ada.token.clone(), game, seq)
    };
    clock.advance(2 * HOUR);
    let server = server.restarted_at(&clock);
    server.look_at_the_clock();
    let page = server.send("GET", &format!("{game}/events?after={seq}")).token(&token).go().expect(200);
    assert_eq!(page["items"][0]["by"], "autopilot");
    assert_eq!(page["items"].as_array().unwrap().len(), 1, "once, however long it was");
}

#[test]
fn a_command_at_the_deadline_has_a_receipt_or_a_refusal() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = game_with_clock(&[&ada, &bob], "ecopolis", &json!({"first_seat": 0}));
    let seq = ada.get(&game).expect(200)["seq"].as_u64().unwrap();
    let roll = json!({"expected_seq": seq, "command": {"type": "roll"}});
    clock.advance(HOUR - 1);
    let done = ada.post(&format!("{game}/commands"), &roll).expect(201);
    assert!(done["receipt"].as_str().unwrap().starts_with("fairlog/3 receipt\n"));
    clock.advance(HOUR);
    let end = json!({"expected_seq": done["seq"], "command": {"type": "end_turn"}});
    let late = ada.post(&format!("{game}/commands"), &end).problem(409, "deadline_passed");
    assert_eq!(late["seq"], seq + 2, "the autopilot has decided");
}

#[test]
fn a_thousand_deadlines_at_once() {
    let clock = Clock::default();
    let flags = ["--games-of-player", "2000", "--requests-per-second", "0"];
    let server = Server::with_clock_and(&clock, &flags);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let games: Vec<String> = (0..1_000)
        .map(|_| game_with_clock(&[&ada, &bob], "ecopolis", &json!({"first_seat": 0, "max_rounds": 1})))
        .collect();
    clock.advance(HOUR);
    server.look_at_the_clock();
    for game in &games {
        let resource = server.get(game).expect(200);
        assert_eq!(
            (&resource["seq"], &resource["turn_since"]),
            (&json!(4), &json!("2027-01-15T09:00:00.000Z"))
        );
    }
}

#[test]
fn a_promise_that_is_not_kept_makes_the_game_void() {
    let clock = Clock::default();
    let server = Server::with_clock_and(&clock, &["--reveal-hours", "2"]);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "entropy_commit": "ab".repeat(32)}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    let sealed = ada.get(&game).expect(200);
    assert_eq!(
        (&sealed["status"], &sealed["deadline"]),
        (&json!("sealed"), &json!("2027-01-15T10:00:00.000Z"))
    );
    clock.advance(2 * HOUR);
    let late = ada.post(&format!("{game}/entropy"), &json!({"entropy": "cd".repeat(32)}));
    late.problem(409, "game_not_sealed");
    let void = ada.get(&game).expect(200);
    assert_eq!(
        (&void["status"], &void["deadline"], &void["result"]),
        (&json!("void"), &Value::Null, &Value::Null)
    );
    server.verifies(&game);
}
