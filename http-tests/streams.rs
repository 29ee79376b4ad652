//! Following a game: streams of events, and the long poll.

use std::{
    io::{Read as _, Write as _},
    iter,
    net::TcpStream,
};

use serde_json::{Value, json};

use super::support::{Event, Player, Server, eventually, play_to_the_end, table, table_of};

/// Returns all entries, from the list of events.
fn history(player: &Player, game: &str) -> Vec<Value> {
    let mut items: Vec<Value> = Vec::new();
    loop {
        let after = items.last().map_or(-1, |item| item["seq"].as_i64().unwrap());
        let page = player.get(&format!("{game}/events?after={after}&limit=50")).expect(200);
        let more = page["items"].as_array().unwrap().clone();
        let last = more.len() < 50;
        items.extend(more);
        if last {
            return items;
        }
    }
}

fn shown(events: &[Event]) -> Vec<Value> {
    events.iter().map(|event| event.data.clone()).collect()
}

#[test]
fn a_stream_that_is_cut_at_every_seq_goes_on_without_gap_or_repeat() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table_of("ecopolis", &[&ada, &bob], &json!({"max_rounds": 8}));
    let path = format!("{game}/events");
    let begun = ada.get(&game).expect(200)["seq"].as_u64().unwrap();

    let mut whole = ada.send("GET", &format!("{path}?after=-1")).stream();
    let mut news = ada.send("GET", &path).stream();
    let mut pieces: Vec<Event> = Vec::new();
    let mut last = begun;
    play_to_the_end(&game, &[&ada, &bob], |count| {
        // During the game, other connections read a few entries each, from the end of the previous one.
        let newest = ada.get(&game).expect(200)["seq"].as_u64().unwrap();
        if newest > last {
            let mut piece = ada.send("GET", &path).header("Last-Event-ID", &last.to_string()).stream();
            pieces.extend(piece.take(usize::try_from(newest - last).unwrap()));
            last = newest;
        }
        (count * 2) / 3
    });

    let all = history(&ada, &game);
    assert!(all.len() > 20);
    let live = whole.take(all.len());
    assert_eq!(shown(&live), all);
    for event in &live {
        assert_eq!(event.id, event.data["seq"].to_string());
    }
    let after = usize::try_from(begun).unwrap() + 1;
    assert_eq!(
        shown(&news.take(all.len() - after)),
        all[after..],
        "without a word it begins with the next entry"
    );
    assert_eq!(shown(&pieces), all[after..=usize::try_from(last).unwrap()]);
    for cut in 0..all.len() - 1 {
        let mut rest = ada.send("GET", &path).header("Last-Event-ID", &cut.to_string()).stream();
        assert_eq!(rest.next().unwrap().data, all[cut + 1], "cut at {cut}");
    }
}

#[test]
fn each_viewer_is_streamed_what_it_may_see() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let path = format!("{game}/events");
    // Bob watches from before he joins, and has a hand afterwards.
    let mut streams = [
        ada.send("GET", &path).stream(),
        bob.send("GET", &path).stream(),
        server.send("GET", &path).stream(),
    ];
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    let newest = ada.get(&game).expect(200)["seq"].as_u64().unwrap();
    let drawn = |events: &[Event], seat: u64| -> Vec<bool> {
        let events = events.iter().flat_map(|event| event.data["events"].as_array().unwrap());
        let drawn = events.filter(|event| event["type"] == "action_drawn" && event["seat"] == seat);
        drawn.map(|event| event["action"].is_string()).collect()
    };
    for (stream, sees) in streams.iter_mut().zip([[true, false], [false, true], [false, false]]) {
        let events = stream.take(usize::try_from(newest - 1).unwrap());
        assert_eq!(drawn(&events, 0), [sees[0]; 6]);
        assert_eq!(drawn(&events, 1), [sees[1]; 6]);
    }
}

#[test]
fn a_private_game_is_streamed_to_its_seats_alone() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 3, "visibility": "private"}));
    let path = format!("{game}/events");
    let stream = |caller: super::support::Request| caller.header("Accept", "text/event-stream").go();
    stream(server.send("GET", &path)).problem(404, "not_found");
    stream(bob.send("GET", &path)).problem(404, "not_found");
    let invite = ada.get(&game).expect(200)["invite"].clone();
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);
    let mut watching = bob.send("GET", &path).stream();
    bob.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    assert_eq!(watching.next(), None, "whoever has left is shown no more");
}

#[test]
fn wrong_places_to_go_on_from_are_refused() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let ask = |path: &str, id: &str| {
        let request = ada.send("GET", path).header("Accept", "text/event-stream");
        request.header("Last-Event-ID", id).go()
    };
    for id in ["x", "-1", "+1", "1.5", "9007199254740992", "99999999999999999999"] {
        ask(&format!("{game}/events"), id).problem(400, "malformed");
    }
    for id in ["x", "7", "7-10", "-1-0", "1-0-0"] {
        ask("/v1/me/events", id).problem(400, "malformed");
    }
    server
        .send("GET", "/v1/me/events")
        .header("Accept", "text/event-stream")
        .go()
        .problem(401, "unauthorized");
    ada.send("GET", "/v1/me/events").header("Accept", "application/json").go().problem(406, "not_acceptable");
}

/// By default nginx speaks HTTP/1.0 to its upstream.
#[test]
fn a_stream_is_served_to_a_client_of_http_1_0_until_its_connection_ends() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let mut stream = TcpStream::connect(server.address).unwrap();
    let head = format!(
        "GET {game}/events?after=-1 HTTP/1.0\r\nHost: x\r\nAccept: text/event-stream\r\nConnection: keep-alive\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    ada.send("DELETE", &game).go().expect(200);
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let head = head.to_lowercase();
    assert!(
        head.starts_with("http/1.0 200") && !head.contains("chunked") && !head.contains("content-length"),
        "{head}"
    );
    assert!(body.starts_with(": playledger\nretry: 1000\n\n"), "{body}");
    assert!(body.contains("\nevent: end\n"), "{body}");
}

#[test]
fn there_are_only_so_many_streams() {
    needs!(one_server);
    let server = Server::with(&["--max-streams", "1"]);
    let ada = server.player("Ada");
    let first = ada.send("GET", "/v1/me/events").stream();
    let second = ada.send("GET", "/v1/me/events").header("Accept", "text/event-stream").go();
    assert!(second.header("retry-after").is_some());
    second.problem(503, "busy");
    drop(first);
}

#[test]
fn a_stop_ends_the_streams() {
    needs!(one_server);
    let server = Server::start();
    let ada = server.player("Ada");
    let (mut mine, token) = (ada.send("GET", "/v1/me/events").stream(), ada.token.clone());
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let mut events = server.send("GET", &format!("{game}/events")).token(&token).stream();
    // The caller gets its answer before the streams get theirs.
    assert_eq!(mine.next().unwrap().kind, "seat", "the game that was created");
    server.close_streams();
    assert_eq!((mine.next(), events.next()), (None, None));
}

#[test]
fn a_view_can_be_waited_for() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let path = format!("{game}/view?wait=30");
    let first = bob.get(&path);
    let tag = first.header("etag").unwrap().to_owned();
    let seq = first.expect(200)["seq"].clone();
    std::thread::scope(|threads| {
        let waiting = threads.spawn(|| bob.send("GET", &path).header("If-None-Match", &tag).go());
        // Move once a client waits.
        eventually("somebody listens", || {
            server.get("/metrics").text().contains("playledger_listeners 1").then_some(())
        });
        let command = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": 0}});
        ada.post(&format!("{game}/commands"), &command).expect(201);
        let view = waiting.join().unwrap().expect(200);
        assert_eq!(view["seq"], seq.as_u64().unwrap() + 1);
    });
    // Without a move, the wait ends with no news.
    let tag = bob.get(&path).header("etag").unwrap().to_owned();
    let unchanged = bob.send("GET", &format!("{game}/view?wait=1")).header("If-None-Match", &tag).go();
    assert_eq!(unchanged.status, 304);
    // A new name ends no wait, but the end of a wait shows it.
    std::thread::scope(|threads| {
        let poll = || bob.send("GET", &format!("{game}/view?wait=2")).header("If-None-Match", &tag).go();
        let waiting = threads.spawn(poll);
        eventually("somebody listens", || {
            server.get("/metrics").text().contains("playledger_listeners 1").then_some(())
        });
        ada.send("PATCH", "/v1/me").json(&json!({"name": "Adele"})).go().expect(200);
        let view = waiting.join().unwrap().expect(200);
        assert_eq!(view["seats"][0]["player"]["name"], "Adele");
    });
    for wait in ["0", "61", "x"] {
        bob.get(&format!("{game}/view?wait={wait}")).problem(400, "malformed");
    }
}

#[test]
fn a_token_that_ends_ends_its_streams() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let mut mine = bob.send("GET", "/v1/me/events").stream();
    let mut events = bob.send("GET", &format!("{game}/events")).stream();
    let tokens = bob.get("/v1/me/tokens").expect(200)["items"].clone();
    bob.send("DELETE", &format!("/v1/me/tokens/{}", tokens[0]["id"].as_str().unwrap())).go().expect(204);
    let seq = ada.get(&game).expect(200)["seq"].as_u64();
    let command = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": 0}});
    ada.post(&format!("{game}/commands"), &command).expect(201);
    let mut told_after = iter::from_fn(|| mine.next()).filter(|event| event.data["seq"].as_u64() > seq);
    assert_eq!((told_after.next(), events.next()), (None, None), "nothing more is sent");
}

#[test]
fn a_list_or_a_stream_is_given_as_it_is_liked() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    for accept in ["application/json", "*/*", "text/event-stream;q=0.5, application/json"] {
        let answer = ada.send("GET", &format!("{game}/events")).header("Accept", accept).go();
        assert_eq!(answer.header("content-type"), Some("application/json"), "{accept}");
    }
    let neither = ada.send("GET", &format!("{game}/events")).header("Accept", "image/png").go();
    neither.problem(406, "not_acceptable");
    let head = ada.send("HEAD", &format!("{game}/events")).header("Accept", "text/event-stream").go();
    assert_eq!((head.status, head.header("content-type")), (200, Some("text/event-stream")));
}
