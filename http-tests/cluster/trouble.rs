//! Partial failures: frozen servers, slow connections, lost or excessive notifications.

use std::{sync::atomic::Ordering, thread};

use serde_json::{Value, json};

use super::{
    super::support::{Player, Server, Stream, eventually, play_one, play_to_the_end, table},
    judge::{World, judge},
    seed, server_behind_a_wire, two_servers,
};

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn a_server_that_freezes_and_wakes_does_no_harm() {
    let (_folder, _postgres, nodes) = two_servers(&[]);
    let both = nodes.addresses.lock().unwrap().clone();
    let world = World::new(&nodes.addresses, seed());
    let clients = world.play(4);
    let go_on = || {
        let before = world.answered.load(Ordering::Relaxed);
        eventually("play goes on", || (world.answered.load(Ordering::Relaxed) > before + 300).then_some(()));
    };
    for round in 0..2 {
        go_on();
        let frozen = nodes.programs[round].as_ref().unwrap();
        frozen.signal("STOP");
        // Clients turn to the other server. The frozen one finishes its writes when it wakes, or not at all.
        *nodes.addresses.lock().unwrap() = vec![both[1 - round]];
        go_on();
        frozen.signal("CONT");
        nodes.addresses.lock().unwrap().clone_from(&both);
    }
    go_on();
    world.stop();
    let records = clients.into_iter().flat_map(|client| client.join().unwrap()).collect();
    println!("{} commands, none lost", judge(&nodes.server(), records));
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn over_a_slow_wire_all_goes_on() {
    let (_folder, _postgres, wire, nodes) = server_behind_a_wire();
    let server = nodes.server();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let games: Vec<String> = (0..16).map(|_| table(&[&ada, &bob], &json!({"max_rounds": 3}))).collect();
    wire.slow();
    // Commands that wait for the same connection share a batch.
    let each: Vec<&[String]> = games.chunks(1).collect();
    play_at_once(&server, &[&ada, &bob], &each);
    assert_eq!(server.get("/health/ready").status, 200);
    for game in games {
        assert_eq!(server.get(&format!("{game}/view")).expect(200)["seq"], 13);
    }
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn without_bells_all_is_told_by_looking() {
    let (_folder, _postgres, nodes) = two_servers(&["--bells", "poll"]);
    let [here, there] = nodes.both();
    let (ada, bob) = (here.player("Ada"), here.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 3}));
    let mut events = there.send("GET", &format!("{game}/events?after=-1")).stream();
    play_to_the_end(&game, &[&ada, &bob], |count| count / 2);
    assert_told(&ada.get(&format!("{game}/view")).expect(200), &mut events);
}

#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn bells_of_many_games_at_once_are_all_heard() {
    let (_folder, _postgres, nodes) = two_servers(&[]);
    let [here, there] = nodes.both();
    let (ada, bob) = (here.player("Ada"), here.player("Bob"));
    let games: Vec<String> = (0..40).map(|_| table(&[&ada, &bob], &json!({"first_seat": 0}))).collect();
    let follow = |game: &String| there.send("GET", &format!("{game}/events?after=-1")).stream();
    let streams: Vec<_> = games.iter().map(follow).collect();
    let some: Vec<&[String]> = games.chunks(5).collect();
    play_at_once(&here, &[&ada, &bob], &some);
    for (game, mut events) in games.iter().zip(streams) {
        assert_told(&here.get(&format!("{game}/view")).expect(200), &mut events);
    }
}

/// A server that moves after another one announces both entries to its listeners.
#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn what_another_server_wrote_before_is_told_as_well() {
    let (_folder, _postgres, nodes) = two_servers(&[]);
    let [here, there] = nodes.both();
    let (ada, bob) = (here.player("Ada"), here.player("Bob"));
    let mut inbox = there.send("GET", "/v1/me/events").token(&ada.token).stream();
    let bob = Player::with(&there, bob.token);
    for _ in 0..20 {
        let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
        bob.post(&format!("{game}/seats"), &json!({})).expect(201);
        let mut seats: Vec<Value> = Vec::new();
        while seats.len() < 2 {
            let event = inbox.next().unwrap();
            seats.extend((event.kind == "seat").then(|| event.data["seat"].clone()));
        }
        seats.sort_by_key(Value::as_u64);
        assert_eq!(seats, [0, 1], "{game}");
    }
}

/// Each server warns its own listeners, whichever server wrote the move.
#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn that_a_quarter_of_the_time_is_left_is_told_once() {
    let (_folder, _postgres, nodes) = two_servers(&[]);
    let [here, there] = nodes.both();
    let (ada, bob) = (here.player("Ada"), here.player("Bob"));
    let new = json!({"ruleset": "ecopolis", "seats": 2, "options": {"first_seat": 0}, "clock": {"move_seconds": 2}});
    let game = ada.creates(&new);
    let mut inbox = there.send("GET", "/v1/me/events").token(&ada.token).stream();
    let mut other = here.send("GET", "/v1/me/events").token(&ada.token).stream();
    Player::with(&there, bob.token.clone()).post(&format!("{game}/seats"), &json!({})).expect(201);
    // The autopilot of one server decides, and the time starts again.
    for inbox in [&mut inbox, &mut other] {
        let mut warned = std::iter::from_fn(|| inbox.next()).filter(|event| event.kind == "deadline");
        let [one, next] = [(); 2].map(|()| warned.next().expect("a warning").data["seq"].clone());
        assert_ne!(one, next, "each deadline once");
    }
}

/// A server far behind reads the missing entries in several steps.
#[test]
#[ignore = "needs PostgreSQL: .ci/postgres"]
fn a_server_far_behind_shows_the_game_as_it_is() {
    let (_folder, _postgres, nodes) = two_servers(&[]);
    let [here, there] = nodes.both();
    let (ada, bob) = (here.player("Ada"), here.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let view_at = |server: &Server| server.get(&format!("{game}/view")).expect(200);
    assert_eq!(view_at(&there)["seq"], view_at(&here)["seq"]);
    for _ in 0..50 {
        play_one(&game, &[&ada, &bob]);
    }
    let (there, here) = (view_at(&there), view_at(&here));
    assert!(there["seq"].as_u64().unwrap() > 50);
    for part in ["head", "state", "to_act"] {
        assert_eq!(there[part], here[part]);
    }
}

/// Plays ten moves of each game, several games at a time.
fn play_at_once(server: &Server, players: &[&Player; 2], games: &[&[String]]) {
    let tokens = players.map(|player| player.token.clone());
    thread::scope(|scope| {
        for some in games {
            let server = Server::at(server.address);
            let tokens = tokens.clone();
            scope.spawn(move || {
                let [ada, bob] = tokens.map(|token| Player::with(&server, token));
                for game in (0..10).flat_map(|_| some.iter()) {
                    play_one(game, &[&ada, &bob]);
                }
            });
        }
    });
}

/// A stream has each entry up to this view once, in order.
fn assert_told(view: &Value, events: &mut Stream) {
    let newest = view["seq"].as_u64().unwrap();
    let told: Vec<String> = (0..=newest).map(|_| events.next().unwrap().id).collect();
    assert_eq!(told, (0..=newest).map(|seq| seq.to_string()).collect::<Vec<_>>());
}
