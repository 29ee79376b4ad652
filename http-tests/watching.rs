//! Few requests: complete views, texts, streams with views, and tickets for streams.

use serde_json::{Value, json};

use super::support::{Clock, Player, Server, play_one, play_to_the_end, table, table_of, timeless};

#[test]
fn a_view_says_who_sits_there_and_what_time_it_is() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let new = json!({"ruleset": "ecopolis", "seats": 2, "clock": {"move_seconds": 60}, "options": {"first_seat": 0}});
    let game = ada.creates(&new);
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    bob.send("POST", &format!("{game}/resignation")).go().expect(200);
    let view = ada.get(&format!("{game}/view")).expect(200);
    let resource = ada.get(&game).expect(200);
    assert_eq!((&view["head"], &view["deadline"]), (&resource["head"], &resource["deadline"]));
    assert_eq!(view["now"], "2027-01-15T08:00:00.000Z");
    let seats: Vec<_> = view["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| {
            (
                seat["player"]["name"].clone(),
                seat["player"]["id"].clone(),
                seat["control"].clone(),
                seat["resigned"].clone(),
            )
        })
        .collect();
    assert_eq!(json!(seats), json!([["Ada", ada.id, "player", false], ["Bob", bob.id, "resigned", true]]));
}

#[test]
fn the_legal_commands_come_with_a_view_of_ones_own_seat() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let path = format!("{game}/view?with=legal");
    let view = ada.get(&path).expect(200);
    let legal = &view["legal"];
    assert_eq!((&legal["turn"], &legal["free_form"]), (&json!(true), &json!([])));
    assert_eq!(server.get(&path).expect(200)["legal"], Value::Null, "a spectator has none");
    assert!(ada.get(&format!("{game}/view")).expect(200).get("legal").is_none(), "nothing unless asked for");
    let sent = json!({"expected_seq": view["seq"], "command": legal["commands"][0]["command"]});
    let done = ada.post(&format!("{game}/commands?with=legal"), &sent).expect(201);
    let next = ada.get(&path).expect(200);
    assert_eq!(timeless(done["view"].clone()), timeless(next));
    ada.get(&format!("{game}/view?with=cards")).problem(400, "malformed");
    ada.post(&format!("{game}/commands?x=1"), &sent).problem(400, "malformed");
}

#[test]
fn everything_can_be_told_in_words_of_both_languages() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    for ruleset in ["industrial-waste", "ecopolis"] {
        let game = table_of(ruleset, &[&ada, &bob], &json!({"max_rounds": 1}));
        play_to_the_end(&game, &[&ada, &bob], |of| of / 2);
        let told = |lang: &str| {
            let get = |path: &str| {
                ada.send("GET", &format!("{game}{path}")).header("Accept-Language", lang).go().expect(200)
            };
            let items = get("/events?words=true&limit=100")["items"].clone();
            let events =
                items.as_array().unwrap().iter().flat_map(|item| item["events"].as_array().unwrap().clone());
            let texts: Vec<String> = events.map(|event| event["text"].as_str().unwrap().to_owned()).collect();
            (texts, get("/view?words=true")["prompt"].as_str().unwrap().to_owned())
        };
        let ((english, won), (italian, vinta)) = (told("en"), told("it"));
        assert_eq!(english.len(), italian.len());
        assert!(english.iter().any(|text| text.contains("Ada")) && won != vinta, "{won}");
        assert!(
            english.contains(&"Ada joined.".to_owned()) && italian.contains(&"Ada si unisce.".to_owned())
        );
        let plain = ada.get(&format!("{game}/events?limit=100")).text();
        assert!(!plain.contains("\"text\""), "no words unless asked for");
    }
    let open = ada.creates(&json!({"ruleset": "ecopolis", "seats": 3}));
    assert_eq!(
        ada.get(&format!("{open}/view?words=true")).expect(200)["prompt"],
        "Waiting for 2 more players."
    );
    let game = table_of("ecopolis", &[&ada, &bob], &json!({"first_seat": 0}));
    let legal = ada.get(&format!("{game}/view?with=legal&words=true")).expect(200);
    assert_eq!(
        legal["legal"]["commands"][0],
        json!({"command": {"type": "roll"}, "vary": null, "text": "Roll the dice"})
    );
    assert_eq!(ada.get(&format!("{game}/view?words=true")).expect(200)["prompt"], "Roll the dice.");
    assert_eq!(bob.get(&format!("{game}/view?words=true")).expect(200)["prompt"], "Waiting for Ada to roll.");
    let sent = json!({"expected_seq": legal["seq"], "command": {"type": "roll"}});
    let done = ada
        .send("POST", &format!("{game}/commands?words=true&with=legal"))
        .header("Accept-Language", "it")
        .json(&sent)
        .go()
        .expect(201);
    assert!(done["events"][0]["text"].as_str().unwrap().starts_with("Ada tira "), "{done}");
    assert!(done["view"]["legal"]["commands"][0]["text"].is_string() && done["view"]["prompt"].is_string());
}

/// A client with a stream makes one request at the start, and one per command.
#[test]
fn a_whole_game_takes_one_request_a_command() {
    let server = Server::start();
    for ruleset in ["industrial-waste", "ecopolis"] {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        let game = table_of(ruleset, &[&ada, &bob], &json!({"max_rounds": 3}));
        let follow = |player: &Player| {
            player.send("GET", &format!("{game}/events?after=2&views=true&with=legal&words=true")).stream()
        };
        let (mut streams, players) = ([follow(&ada), follow(&bob)], [&ada, &bob]);
        let (mut requests, mut commands) = (0, 0);
        let mut sent = None;
        'game: loop {
            let mut views = Vec::new();
            for stream in &mut streams {
                // Each client reads up to the view after the last command.
                let view = loop {
                    let Some(event) = stream.next() else { break 'game };
                    if event.kind == "end" {
                        break 'game;
                    }
                    let view = event.data["view"].clone();
                    assert_eq!(
                        (&view["to_act"], &view["deadline"]),
                        (&event.data["to_act"], &event.data["deadline"])
                    );
                    if sent.is_none_or(|sent| view["seq"].as_u64() >= Some(sent)) {
                        break view;
                    }
                };
                views.push(view);
            }
            let Some(seat) = views[0]["to_act"][0].as_u64() else { continue };
            let seat = usize::try_from(seat).unwrap();
            let legal = views[seat]["legal"]["commands"].as_array().unwrap();
            let some: Vec<&Value> =
                legal.iter().filter(|listed| listed["command"]["type"] != "take_loan").collect();
            let body = json!({"expected_seq": views[seat]["seq"], "command": some[commands % some.len()]["command"]});
            let done = players[seat].post(&format!("{game}/commands"), &body).expect(201);
            sent = done["seq"].as_u64();
            (requests, commands) = (requests + 1, commands + 1);
        }
        assert_eq!(server.get(&game).expect(200)["status"], "finished");
        assert!(requests * 10 <= commands * 12 && commands > 5, "{requests} for {commands}");
    }
}

#[test]
fn a_stream_with_wishes_shows_what_a_request_would() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let mut late = ada.send("GET", &format!("{game}/events?after=-1&views=true")).stream();
    for seq in 0..=3 {
        let shown = late.next().unwrap().data["view"].clone();
        let then = ada.get(&format!("{game}/view?seq={seq}")).expect(200);
        assert_eq!(timeless(shown), timeless(then));
    }
    let mut italian = ada
        .send("GET", &format!("{game}/events?words=true&views=true"))
        .header("Accept-Language", "it")
        .stream();
    let mut spectator = server.send("GET", &format!("{game}/events?views=true")).stream();
    let sent = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    ada.post(&format!("{game}/commands"), &sent).expect(201);
    let item = italian.next().unwrap().data;
    assert!(item["events"][0]["text"].as_str().unwrap().starts_with("Ada prende il gruppo 1"), "{item}");
    assert_eq!(item["view"]["prompt"], "In attesa che Bob prenda un gruppo.");
    assert_eq!(spectator.next().unwrap().data["view"]["state"]["companies"][0]["cash"], Value::Null);
    assert_eq!(late.next().unwrap().data["view"]["state"]["companies"][0]["cash"], 15);
    ada.get(&format!("{game}/events?views=true")).problem(400, "malformed");
}

#[test]
fn what_happened_since_ones_own_last_entry() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let mine = format!("{game}/events?after=mine");
    let seqs = |player: &Player| {
        let items = player.get(&mine).expect(200)["items"].clone();
        items.as_array().unwrap().iter().map(|item| item["seq"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((seqs(&ada), seqs(&bob)), (vec![2, 3], vec![3]));
    let sent = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    ada.post(&format!("{game}/commands"), &sent).expect(201);
    assert_eq!((seqs(&ada), seqs(&bob)), (vec![], vec![3, 4]));
    eve.get(&mine).problem(403, "not_seated");
    server.get(&mine).problem(403, "not_seated");
    let mut stream = bob.send("GET", &mine).stream();
    assert_eq!(stream.next().unwrap().id, "3");
}

#[test]
fn after_the_end_everybody_may_look_through_every_seats_eyes() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table_of("ecopolis", &[&ada, &bob], &json!({"max_rounds": 1}));
    let as_bob = format!("{game}/view?as=1");
    ada.get(&as_bob).problem(409, "game_not_finished");
    let then = bob.get(&format!("{game}/view")).expect(200);
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let shown = server.get(&format!("{game}/view?as=1&seq={}", then["seq"])).expect(200);
    assert_eq!(timeless(shown), timeless(then), "what it knew then");
    assert_eq!(ada.get(&as_bob).expect(200)["viewer"], json!({"seat": 1}));
    assert_eq!(
        ada.get(&format!("{game}/view?as=spectator")).expect(200)["viewer"],
        json!({"spectator": true})
    );
    for wrong in ["2", "4", "me", ""] {
        ada.get(&format!("{game}/view?as={wrong}")).problem(400, "malformed");
    }
}

#[test]
fn the_stream_of_a_game_that_has_ended_says_so_and_closes() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    let mut live = ada.send("GET", &format!("{game}/events")).stream();
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let seq = ada.get(&game).expect(200)["seq"].clone();
    let ends = |stream: &mut super::support::Stream| {
        let end = std::iter::from_fn(|| stream.next()).find(|event| event.kind == "end").unwrap();
        assert_eq!(end.data, json!({"seq": seq, "status": "finished"}));
        assert_eq!(stream.next(), None, "it closes");
    };
    ends(&mut live);
    ends(&mut ada.send("GET", &format!("{game}/events")).stream());
    ends(&mut ada.send("GET", &format!("{game}/events?after=0")).stream());
    ends(&mut ada.send("GET", &format!("{game}/events?after=9007199254740991")).stream());
    // After the end of a game, a client gets 204, which ends an `EventSource`.
    let again = ada.send("GET", &format!("{game}/events")).header("Accept", "text/event-stream");
    assert_eq!(again.header("Last-Event-ID", &seq.to_string()).go().status, 204);
    let void = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let mut stream = server.send("GET", &format!("{void}/events")).stream();
    ada.send("DELETE", &void).go().expect(200);
    assert_eq!(stream.next().unwrap().data["events"][0]["type"], "table_closed");
    assert_eq!(stream.next().unwrap().data["status"], "void");
}

#[test]
fn a_ticket_opens_its_stream_again_with_the_proof_that_the_stream_gave() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let ticket = |player: &Player| {
        let given = player.send("POST", "/v1/streams/tickets").go().expect(200);
        given["ticket"].as_str().unwrap().to_owned()
    };
    let open = |path: &str, ticket: &str, last: Option<&str>| {
        let request = server.send("GET", &format!("{path}?ticket={ticket}"));
        let request = request.header("Accept", "text/event-stream");
        if let Some(last) = last { request.header("Last-Event-ID", last) } else { request }
    };
    let happens = || {
        play_one(&game, &[&ada, &bob]);
        table(&[&ada, &bob], &json!({}));
    };
    for path in [format!("{game}/events"), "/v1/me/events".to_owned()] {
        let mine = ticket(&ada);
        let mut stream = open(&path, &mine, None).stream();
        happens();
        let heard = stream.next().unwrap();
        drop(stream);
        happens();
        // Hours later, on any server.
        clock.advance(6 * 60 * 60 * 1_000);
        open(&path, &mine, None).go().problem(401, "unauthorized");
        let bare = heard.id.split(';').next().unwrap();
        open(&path, &mine, Some(bare)).go().problem(401, "unauthorized");
        open(&path, &ticket(&ada), Some(&heard.id)).go().problem(401, "unauthorized");
        let next = open(&path, &mine, Some(&heard.id)).stream().next().unwrap();
        assert_ne!(next.id, heard.id, "it continues after what was heard");
        clock.advance(20 * 60 * 60 * 1_000);
        open(&path, &mine, Some(&heard.id)).go().problem(401, "unauthorized");
    }
}

#[test]
fn the_stream_of_a_player_continues_after_an_event() {
    needs!(one_server);
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let mut stream = ada.send("GET", "/v1/me/events").stream();
    table(&[&ada, &bob], &json!({}));
    let (first, second) = (stream.next().unwrap(), stream.next().unwrap());
    let mut again = ada.send("GET", &format!("/v1/me/events?after={}", first.id)).stream();
    assert_eq!(again.next(), Some(second));
    ada.get("/v1/me/events?after=yesterday").problem(400, "malformed");
}

#[test]
fn a_ticket_opens_one_stream_within_a_minute() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let private = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "visibility": "private"}));
    let ticket = |player: &Player| {
        let given = player.send("POST", "/v1/streams/tickets").go().expect(200);
        given["ticket"].as_str().unwrap().to_owned()
    };
    let open = |path: &str, ticket: &str| {
        server.send("GET", &format!("{path}?ticket={ticket}")).header("Accept", "text/event-stream")
    };
    let mine = ticket(&ada);
    let events = format!("{private}/events");
    let mut stream = open(&events, &mine).stream();
    open(&events, &mine).go().problem(401, "unauthorized");
    open(&events, &ticket(&bob)).go().problem(404, "not_found");
    open(&events, "0000").go().problem(401, "unauthorized");
    ada.send("DELETE", &private).go().expect(200);
    assert_eq!(stream.next().unwrap().data["seq"], 2);
    let mut notices = open("/v1/me/events", &ticket(&ada)).stream();
    table(&[&ada, &bob], &json!({}));
    assert!(notices.next().is_some());
    let late = ticket(&ada);
    clock.advance(60_000);
    open(&events, &late).go().problem(401, "unauthorized");
    // Endpoints with only a stream need no `Accept`.
    let mut plain = server.send("GET", &format!("/v1/me/events?ticket={}", ticket(&ada))).stream();
    table(&[&ada, &bob], &json!({}));
    assert!(plain.next().is_some());
    // A ticket is for streams alone.
    server.get(&format!("/v1/me?ticket={}", ticket(&ada))).problem(401, "unauthorized");
}
