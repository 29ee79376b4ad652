//! Notices of a player about all its games.

use std::iter;

use serde_json::{Value, json};

use super::support::{Event, Player, Server, database, table};

/// Returns the constant part of an event.
fn said(event: &Event) -> (String, Value, Value) {
    (event.kind.clone(), event.data["game"].clone(), event.data["status"].clone())
}

fn id(game: &str) -> Value {
    json!(game.rsplit('/').next())
}

fn choose(player: &Player, game: &str, column: u64) -> u64 {
    let seq = player.get(&format!("{game}/view")).expect(200)["seq"].clone();
    let command = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": column}});
    player.post(&format!("{game}/commands"), &command).expect(201)["seq"].as_u64().unwrap()
}

#[test]
fn a_player_is_told_of_its_turns_and_its_games() {
    needs!(one_server);
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (mut adas, mut bobs) =
        (ada.send("GET", "/v1/me/events").stream(), bob.send("GET", "/v1/me/events").stream());
    let first = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let second = table(&[&ada, &bob], &json!({"first_seat": 1}));
    choose(&ada, &first, 0);
    ada.send("POST", &format!("{second}/resignation")).go().expect(200);

    let turn = |game: &str| ("turn".to_owned(), id(game), Value::Null);
    let named = |kind: &str, game: &str, status: &str| (kind.to_owned(), id(game), json!(status));
    let seat = |game: &str| ("seat".to_owned(), id(game), Value::Null);
    let told: Vec<_> = adas.take(9).iter().map(said).collect();
    let expected = [
        seat(&first),
        seat(&first),
        turn(&first),
        named("started", &first, "running"),
        seat(&second),
        seat(&second),
        named("started", &second, "running"),
        seat(&second),
        named("finished", &second, "finished"),
    ];
    assert_eq!(told, expected);
    let events = bobs.take(8);
    let told: Vec<_> = events.iter().map(said).collect();
    let expected = [
        seat(&first),
        named("started", &first, "running"),
        seat(&second),
        turn(&second),
        named("started", &second, "running"),
        turn(&first),
        seat(&second),
        named("finished", &second, "finished"),
    ];
    assert_eq!(told, expected);
    assert_eq!(events[3].data["seat"], 1);

    // After each event, the rest is repeated exactly: by the same server, and after a restart.
    let token = bob.token.clone();
    let resumes = |server: &Server| {
        for (place, event) in events.iter().enumerate().take(events.len() - 1) {
            let request =
                server.send("GET", "/v1/me/events").token(&token).header("Last-Event-ID", &event.id);
            // With several servers, the last seconds are repeated with the same ids.
            let known = |told: &Event| database::shared().is_some() && events[..=place].contains(told);
            let mut stream = request.stream();
            let new = iter::from_fn(|| stream.next()).filter(|told| !known(told));
            assert_eq!(new.take(events.len() - 1 - place).collect::<Vec<_>>(), events[place + 1..]);
        }
    };
    resumes(&server);
    let server = server.restarted();
    resumes(&server);
    let asked = |id: &str| {
        let request = server.send("GET", "/v1/me/events").token(&token).header("Last-Event-ID", id);
        request.stream().next().unwrap()
    };
    if database::shared().is_some() {
        assert_eq!(asked("0-0").kind, "reset", "an id of a file says nothing here");
        return;
    }
    assert_eq!(asked("0-0"), events[0], "from the beginning");
    // An id from the future: the database was replaced by an older one.
    assert_eq!(asked("99999999-0").kind, "reset");
}

#[test]
fn who_plays_while_it_pages_meets_every_turn_once() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let games: Vec<String> = (0..3).map(|_| table(&[&ada, &bob], &json!({"first_seat": 0}))).collect();
    let (mut met, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = ada.get(&format!("/v1/me/games?turn=mine&limit=1{cursor}")).expect(200);
        let Some(game) = page["items"][0]["id"].as_str() else { break };
        met.push(game.to_owned());
        choose(&ada, &format!("/v1/games/{game}"), 0);
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    met.sort();
    let mut all: Vec<String> = games.iter().map(|game| id(game).as_str().unwrap().to_owned()).collect();
    all.sort();
    assert_eq!(met, all);
}

#[test]
fn the_longest_waiting_turn_comes_first() {
    let clock = super::support::Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let games: Vec<String> = (0..3)
        .map(|_| {
            clock.advance(1_000);
            table(&[&ada, &bob], &json!({"first_seat": 0}))
        })
        .collect();
    let inbox = |player: &Player| -> Vec<Value> {
        let page = player.get("/v1/me/games?turn=mine&status=running").expect(200);
        page["items"].as_array().unwrap().iter().map(|game| game["id"].clone()).collect()
    };
    assert_eq!(inbox(&ada), games.iter().map(|game| id(game)).collect::<Vec<_>>());
    clock.advance(1_000);
    choose(&ada, &games[1], 0);
    clock.advance(1_000);
    choose(&ada, &games[0], 0);
    assert_eq!(inbox(&ada), [id(&games[2])]);
    assert_eq!(inbox(&bob), [id(&games[1]), id(&games[0])]);
    let open = bob.get("/v1/me/games?turn=mine&status=open").expect(200);
    assert_eq!(open["items"], json!([]), "an open game waits for nobody in particular");
}
