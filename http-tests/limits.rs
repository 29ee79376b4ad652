//! Limits per client: work, connections, memory.

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::{Value, json};

use super::support::{
    Clock, Player, Server, eventually, play_one,
    raw::{assert_problem, get, post, raw},
    table,
};

#[test]
fn silent_connections_keep_nobody_out() {
    let server = Server::start();
    let silent: Vec<TcpStream> = (0..300).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    for _ in 0..10 {
        server.get("/health/live").expect(200);
    }
    drop(silent);
}

#[test]
fn whoever_guesses_tokens_waits() {
    needs!(one_server);
    let server = Server::with(&["--requests-per-second", "1", "--request-burst", "20"]);
    let guess = |number: usize| server.send("GET", "/v1/me").token(&format!("{number:043}")).go();
    let answers: Vec<_> = (0..40).map(guess).collect();
    let told = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert!(told(401) >= 20 && told(429) >= 10 && told(401) + told(429) == 40);
}

/// Few large uploads are accepted at a time, and fewer per client.
#[test]
fn uploads_have_so_much_room_and_no_more() {
    let server = Server::start();
    let begun = post("/v1/audits", "Content-Length: 1000\r\n", "{");
    let mut open: Vec<TcpStream> = (0..5)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(&begun).unwrap();
            stream
        })
        .collect();
    // One upload is refused at once; the others wait for the rest of their bodies.
    let refused = eventually("one of them is refused", || {
        let answered = open.iter().position(|stream| {
            stream.set_nonblocking(true).unwrap();
            stream.peek(&mut [0]).is_ok()
        });
        answered.map(|place| open.swap_remove(place))
    });
    refused.set_nonblocking(false).unwrap();
    let mut answer = String::new();
    let _ = (&refused).read_to_string(&mut answer);
    assert_problem(&answer, 503, "busy");
    drop(open);
    let audit = eventually("there is room for another", || {
        let audit = server.audit("{}");
        (audit.status != 503).then_some(audit)
    });
    audit.expect(200);
}

#[test]
fn a_player_and_a_client_begin_only_so_many_games_in_a_day() {
    needs!(one_server);
    let clock = Clock::default();
    let server = Server::with_clock_and(&clock, &["--games-a-day", "2", "--trusted-proxy", "127.0.0.1"]);
    let ada = server.player("Ada");
    let new = json!({"ruleset": "ecopolis", "seats": 2});
    let create = |player: &Player, from: &str| {
        let request = player.send("POST", "/v1/games").header("X-Forwarded-For", from);
        request.header("Idempotency-Key", from).json(&new).go()
    };
    for from in ["203.0.113.1", "203.0.113.2"] {
        let game = create(&ada, from).expect(201);
        ada.send("DELETE", &format!("/v1/games/{}", game["id"].as_str().unwrap())).go().expect(200);
    }
    let refused = create(&ada, "203.0.113.3");
    assert!(refused.header("retry-after").is_some());
    refused.problem(429, "rate_limited");
    let again = create(&ada, "203.0.113.3");
    assert_eq!(again.header("idempotency-replayed"), None, "what is refused for now is tried again");
    assert!(again.header("retry-after").is_some());
    clock.advance(24 * 60 * 60 * 1_000);
    create(&ada, "203.0.113.3").expect(201);
    // Ten players of one address may create games, an eleventh may not.
    let begin = |player: &Player| {
        player.send("POST", "/v1/games").header("X-Forwarded-For", "203.0.113.5").json(&new).go()
    };
    for _ in 0..10 {
        let player = server.player("Bob");
        begin(&player).expect(201);
        begin(&player).expect(201);
    }
    begin(&server.player("Eve")).problem(429, "rate_limited");
}

#[test]
fn no_game_is_taken_that_the_disk_may_have_no_room_for() {
    needs!(file);
    let new = json!({"ruleset": "ecopolis", "seats": 2});
    let full = Server::with(&["--min-free-bytes", "9000000000000000000"]);
    let refused = full.player("Ada").post("/v1/games", &new).problem(503, "storage_unavailable");
    assert!(refused["detail"].as_str().unwrap().contains("nearly full"), "{refused}");
}

#[test]
fn a_client_makes_only_so_many_players_in_a_day() {
    needs!(one_server);
    let server = Server::with(&["--players-of-client", "3"]);
    let create = || server.send("POST", "/v1/players").json(&json!({"name": "Ada"})).go();
    assert!((0..3).all(|_| create().status == 201));
    create().problem(429, "rate_limited");
}

#[test]
fn an_audit_takes_so_many_keys_and_receipts_and_no_more() {
    let server = Server::start();
    let audit = |body: &Value| server.audit(&body.to_string());
    let key = server.get("/v1/keys").expect(200)["keys"][0]["key"].clone();
    audit(&json!({"replay": "{}", "receipts": vec!["x"; 2_000], "keys": vec![&key; 50]})).expect(200);
    audit(&json!({"replay": "{}", "receipts": vec!["x"; 2_001]})).problem(400, "malformed");
    audit(&json!({"replay": "{}", "keys": vec![&key; 51]})).problem(400, "malformed");
    audit(&json!({"replay": "{}", "receipts": vec!["x"; 1_000_000]})).problem(400, "malformed");
}

#[test]
fn metrics_are_for_the_same_machine_or_at_an_address_of_their_own() {
    let server = Server::start();
    server.get("/metrics").expect(200);
    for header in ["X-Forwarded-For", "Forwarded"] {
        server.send("GET", "/metrics").header(header, "127.0.0.1").go().problem(404, "not_found");
    }
    let apart = Server::with(&["--metrics-listen", "127.0.0.1:0"]);
    apart.get("/metrics").problem(404, "not_found");
}

/// Behind a proxy each client has its own limits, and cannot use those of others.
#[test]
fn a_proxy_that_is_trusted_says_whose_limits_count() {
    needs!(one_server);
    let flags = ["--requests-per-second", "1", "--request-burst", "5"];
    let ask = |server: &Server, from: &str| {
        server.send("GET", "/v1/keys").header("X-Forwarded-For", from).go().status
    };
    let open = Server::with(&flags);
    let answers: Vec<u16> = (0..10).map(|number| ask(&open, &format!("203.0.113.{number}"))).collect();
    assert!(answers.contains(&429), "nobody believes a client about its address: {answers:?}");
    let behind = Server::with(&[&flags[..], &["--trusted-proxy", "127.0.0.0/8"]].concat());
    assert!((0..10).all(|number| ask(&behind, &format!("203.0.113.{number}")) == 200));
    let one: Vec<u16> =
        (0..10).map(|number| ask(&behind, &format!("198.51.100.{number}, 203.0.113.99"))).collect();
    assert!(one.contains(&429), "what stands before the last hop is the client's own word: {one:?}");
}

/// A player with many addresses has one player's limit.
#[test]
fn a_player_is_limited_wherever_it_sends_from() {
    needs!(one_server);
    let flags = ["--requests-per-second", "1", "--request-burst", "8", "--trusted-proxy", "127.0.0.1"];
    let server = Server::with(&flags);
    let created = server.send("POST", "/v1/players").json(&json!({"name": "Ada"})).go().expect(201);
    let token = created["token"].as_str().unwrap();
    let ask = |number: u8| {
        let from = format!("203.0.113.{number}");
        server.send("GET", "/v1/me").token(token).header("X-Forwarded-For", &from).go().status
    };
    let answers: Vec<u16> = (0..16).map(ask).collect();
    assert!(answers.iter().filter(|status| **status == 429).count() >= 6, "{answers:?}");
}

/// Monitoring works for clients in debt.
#[test]
fn readiness_is_told_to_whoever_owes() {
    let server = Server::with(&["--requests-per-second", "1", "--request-burst", "2"]);
    eventually("there is a limit", || (server.get("/v1/keys").status == 429).then_some(()));
    for path in ["/health/ready", "/metrics"] {
        server.get(path).expect(200);
    }
}

/// Two headers that name different clients are ambiguous.
#[test]
fn a_client_that_is_named_twice_is_nobody() {
    let server = Server::with(&["--trusted-proxy", "127.0.0.1"]);
    let request = server.send("GET", "/v1/keys").header("X-Forwarded-For", "203.0.113.9");
    request.header("Forwarded", "for=198.51.100.1").go().problem(400, "malformed");
}

/// Requests for absent games use no memory.
#[test]
fn ids_that_are_made_up_are_not_kept() {
    let server = Server::start();
    for number in 0..20 {
        server.get(&format!("/v1/games/0199a000-0000-7000-8000-{number:012}")).problem(404, "not_found");
    }
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("playledger_live_games 0\n"), "{metrics}");
}

/// Games that leave memory lose nothing, and their notices continue.
#[test]
fn more_games_are_played_than_memory_holds() {
    let server = Server::with(&["--live-games", "2"]);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let games: Vec<String> = (0..4).map(|_| table(&[&ada, &bob], &json!({}))).collect();
    let seq = |game: &str| ada.get(&format!("{game}/view")).expect(200)["seq"].as_u64().unwrap();
    let begun: Vec<u64> = games.iter().map(|game| seq(game)).collect();
    let mut watched = ada.send("GET", &format!("{}/events", games[0])).stream();
    for _ in 0..3 {
        for game in &games {
            play_one(game, &[&ada, &bob]);
        }
    }
    let after: Vec<u64> = begun.iter().map(|seq| seq + 3).collect();
    assert_eq!(games.iter().map(|game| seq(game)).collect::<Vec<_>>(), after);
    let told: Vec<String> = (0..3).map(|_| watched.next().unwrap().id).collect();
    assert_eq!(told, (begun[0] + 1..=after[0]).map(|seq| seq.to_string()).collect::<Vec<_>>());
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("playledger_live_games 2\n"), "{metrics}");
}

/// A client may have half of all connections.
#[test]
fn connections_of_one_client_are_bounded() {
    let server = Server::with(&["--max-connections", "8"]);
    // Opened again for each try, because silent connections are closed.
    let open = eventually("a fifth is closed unanswered", || {
        let open = [(); 4].map(|()| TcpStream::connect(server.address).unwrap());
        raw(&server, &get("/health/live")).is_empty().then_some(open)
    });
    drop(open);
    eventually("there is room again", || {
        raw(&server, &get("/health/live")).starts_with("HTTP/1.1 200").then_some(())
    });
}

/// Waiting streams and long polls count.
#[test]
fn streams_and_long_polls_are_bounded_for_each_client_at_a_game() {
    needs!(one_server);
    // A fifth of the streams may be of one game.
    let flags = ["--streams-of-client", "10", "--trusted-proxy", "127.0.0.1", "--keep-alive-seconds", "1"];
    let server = Server::with(&flags);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let from = |client: &str| server.send("GET", &format!("{game}/events")).header("X-Forwarded-For", client);
    let open = [from("203.0.113.1").stream(), from("203.0.113.1").stream()];
    from("203.0.113.1").header("Accept", "text/event-stream").go().problem(503, "busy");
    drop(from("203.0.113.2").stream());
    let tag = ada.get(&format!("{game}/view")).header("etag").unwrap().to_owned();
    let poll = server.send("GET", &format!("{game}/view?wait=1")).token(&ada.token);
    poll.header("If-None-Match", &tag).header("X-Forwarded-For", "203.0.113.1").go().problem(503, "busy");
    drop(open);
    eventually("there is room again", || {
        let poll = server.send("GET", &format!("{game}/view?wait=1")).token(&ada.token);
        let answer = poll.header("If-None-Match", &tag).header("X-Forwarded-For", "203.0.113.1").go();
        (answer.status == 304).then_some(())
    });
}

fn until_nobody_listens(server: &Server) {
    eventually("there is room again", || {
        let events = raw(server, &get("/metrics"));
        events.lines().any(|line| line == "playledger_listeners 0").then_some(())
    });
}

#[test]
fn streams_are_bounded_for_each_client_at_all_games_together() {
    needs!(one_server);
    let server = Server::with(&["--streams-of-client", "3", "--keep-alive-seconds", "1"]);
    let players = ["Ada", "Bob", "Eve", "Ida"].map(|name| server.player(name));
    let open: Vec<_> =
        players[..3].iter().map(|player| player.send("GET", "/v1/me/events").stream()).collect();
    players[3].get("/v1/me/events").problem(503, "busy");
    drop(open);
    until_nobody_listens(&server);
    drop(players[3].send("GET", "/v1/me/events").stream());
}

/// A stream pays for its bytes, so a small request cannot cause much output.
#[test]
fn a_stream_whose_client_cannot_pay_ends_and_others_hear_everything() {
    needs!(one_server);
    let flags = ["--requests-per-second", "1", "--request-burst", "100", "--trusted-proxy", "127.0.0.1"];
    let server = Server::with(&flags);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 10}));
    let from = |client: &str| {
        let request = server.send("GET", &format!("{game}/events?views=true"));
        request.header("X-Forwarded-For", client)
    };
    let mut greedy: Vec<_> = (0..30).map(|_| from("203.0.113.9").stream()).collect();
    let mut modest = from("203.0.113.10").stream();
    let moves = 6;
    for _ in 0..moves {
        play_one(&game, &[&ada, &bob]);
    }
    let heard =
        |stream: &mut super::support::Stream| std::iter::from_fn(|| stream.next()).take(moves).count();
    assert_eq!(heard(&mut modest), moves);
    assert!(greedy.iter_mut().any(|stream| heard(stream) < moves), "a client pays for each frame");
    from("203.0.113.9").header("Accept", "text/event-stream").go().problem(429, "rate_limited");
}

/// A closed connection stops counting before its stream has output.
#[test]
fn a_stream_whose_client_has_gone_ends_at_once() {
    needs!(one_server);
    let server = Server::with(&["--max-streams", "1", "--keep-alive-seconds", "3600"]);
    let ada = server.player("Ada");
    drop(ada.send("GET", "/v1/me/events").stream());
    until_nobody_listens(&server);
    drop(ada.send("GET", "/v1/me/events").stream());
}

/// A replayed log costs work for each entry.
#[test]
fn what_is_dear_is_paid_for() {
    let flags = ["--requests-per-second", "1", "--request-burst", "400"];
    let server = Server::with(&flags);
    let players = [server.player("Ada"), server.player("Bob")];
    let game = table(&[&players[0], &players[1]], &json!({"max_rounds": 100}));
    for player in &players {
        player.post(&format!("{game}/resignation"), &json!({}));
    }
    let refused = eventually("whoever looks far back again and again has to wait", || {
        let answer = server.get(&format!("{game}/events?limit=100&after=100"));
        (answer.status == 429).then_some(answer)
    });
    assert!(refused.header("retry-after").is_some());
}
