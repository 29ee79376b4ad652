//! The same request under the same key has the same answer, also after a restart and at the same time.

use std::{io::Write as _, net::TcpStream};

use serde_json::{Value, json};

use super::support::{Clock, Player, Server, raw, table};

#[test]
fn a_second_try_gets_the_first_answer() {
    let server = Server::start();
    let ada = server.player("Ada");
    let send = |body: &Value| ada.send("POST", "/v1/games").json(body).header("Idempotency-Key", "one").go();
    let new = json!({"ruleset": "industrial-waste", "seats": 2});
    let first = send(&new);
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, None));
    let second = send(&new);
    assert_eq!((second.status, second.header("idempotency-replayed")), (201, Some("true")));
    assert_eq!((second.header("location"), &second.body), (first.header("location"), &first.body));
    send(&json!({"ruleset": "industrial-waste", "seats": 3})).problem(422, "idempotency_key_reused");
    assert_eq!(server.get("/v1/games").expect(200)["items"].as_array().unwrap().len(), 1);
    let bob = server.player("Bob");
    let other = bob.send("POST", "/v1/games").json(&new).header("Idempotency-Key", "one").go();
    assert_eq!(
        (other.status, other.header("idempotency-replayed")),
        (201, None),
        "a key is its player's own"
    );
}

#[test]
fn keys_survive_a_restart() {
    let server = Server::start();
    let (token, game) = {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        (ada.token.clone(), table(&[&ada, &bob], &json!({"first_seat": 0})))
    };
    let send = |server: &Server| {
        let sent = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
        let request = server.send("POST", &format!("{game}/commands")).token(&token).json(&sent);
        request.header("Idempotency-Key", "move-1").go()
    };
    let first = send(&server);
    let server = server.restarted();
    let second = send(&server);
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!((&second.body, second.header("idempotency-replayed")), (&first.body, Some("true")));
}

#[test]
fn a_refusal_is_answered_again_as_well() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let sent = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    let send =
        || bob.send("POST", &format!("{game}/commands")).json(&sent).header("Idempotency-Key", "k").go();
    let first = send().problem(409, "not_your_turn");
    ada.post(&format!("{game}/commands"), &sent).expect(201);
    let second = send();
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(second.problem(409, "not_your_turn"), first);
}

#[test]
fn what_leaves_no_entry_is_done_once_as_well() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2, "substitutes": true}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    let hook = json!({"url": "https://hooks.example/x", "format": "standard"});
    let tested = ada.post("/v1/webhooks", &json!({"url": "https://hooks.example/z", "format": "standard"}));
    let tested = format!("/v1/webhooks/{}", tested.expect(201)["id"].as_str().unwrap());
    let explored = ada.post(&format!("{game}/explorations"), &json!({})).expect(201);
    let command = &explored["legal"]["commands"][0]["command"];
    let play = json!({"expected_seq": explored["seq"], "command": command});
    let requests = [
        (format!("{game}/messages"), json!({"text": "Hello"}), json!({"text": "Bye"})),
        (format!("{game}/substitution"), json!({}), Value::Null),
        (format!("{game}/explorations"), json!({}), json!({"seq": 4})),
        (
            format!("/v1/explorations/{}/commands", explored["id"].as_str().unwrap()),
            play,
            json!({"expected_seq": 1, "command": command}),
        ),
        ("/v1/webhooks".to_owned(), hook, json!({"url": "https://hooks.example/y", "format": "standard"})),
        (format!("{tested}/test"), json!({}), Value::Null),
    ];
    let send = |server: &Server, path: &str, body: &Value| {
        let request = server.send("POST", path).token(&ada.token).json(body);
        request.header("Idempotency-Key", path).go()
    };
    let first: Vec<_> = requests.iter().map(|(path, body, _)| send(&server, path, body)).collect();
    for ((path, body, other), first) in requests.iter().zip(&first) {
        assert!(
            first.status < 300 && first.header("idempotency-replayed").is_none(),
            "{path}: {}",
            first.text()
        );
        let second = send(&server, path, body);
        assert_eq!((second.status, &second.body), (first.status, &first.body), "{path}");
        assert_eq!(second.header("idempotency-replayed"), Some("true"), "{path}");
        if !other.is_null() {
            send(&server, path, other).problem(422, "idempotency_key_reused");
        }
    }
    assert_eq!(ada.get(&format!("{game}/messages")).expect(200)["items"].as_array().unwrap().len(), 1);
    let deliveries = ada.get(&format!("{tested}/deliveries")).expect(200);
    assert_eq!(deliveries["items"].as_array().unwrap().len(), 2, "the first test, and one more");
    assert_eq!(ada.get("/v1/webhooks").expect(200)["items"].as_array().unwrap().len(), 2);
    let (token, message) = (ada.token.clone(), requests[0].clone());
    let server = server.restarted();
    let again = server
        .send("POST", &message.0)
        .token(&token)
        .json(&message.1)
        .header("Idempotency-Key", &message.0)
        .go();
    assert_eq!(again.body, first[0].body, "also after a restart");
}

#[test]
fn what_is_ended_is_ended_once() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2, "substitutes": true}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    let hook = json!({"url": "https://hooks.example/x", "format": "standard"});
    let made = [
        ("/v1/me/tokens".to_owned(), "/v1/me/tokens".to_owned(), json!({"name": "x", "scopes": ["read"]})),
        ("/v1/webhooks".to_owned(), "/v1/webhooks".to_owned(), hook),
        (format!("{game}/explorations"), "/v1/explorations".to_owned(), json!({})),
        (format!("{game}/substitution"), String::new(), Value::Null),
    ];
    for (make, path, body) in made {
        let request = ada.send("POST", &make);
        let made = if body.is_null() { request } else { request.json(&body) }.go().expect(201);
        let path = made["id"].as_str().map_or(make, |id| format!("{path}/{id}"));
        let end = || ada.send("DELETE", &path).header("Idempotency-Key", &path).go();
        let (first, second) = (end(), end());
        assert_eq!((first.status, first.header("idempotency-replayed")), (204, None), "{path}");
        assert_eq!((second.status, second.header("idempotency-replayed")), (204, Some("true")), "{path}");
        ada.send("DELETE", &path).go().problem(404, "not_found");
    }
}

#[test]
fn a_withdrawal_that_comes_twice_takes_nothing_that_came_in_between() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 1}));
    let plan = format!("{game}/plan");
    let set = || {
        let rules = json!([{"phase": "auction", "command": {"type": "pass_bid"}}]);
        ada.send("PUT", &plan).json(&json!({"rules": rules})).go().expect(200)
    };
    let under_key = |path: &str| ada.send("DELETE", path).header("Idempotency-Key", path).go();
    let planned = set();
    let first = under_key(&plan);
    assert_eq!((first.status, first.header("idempotency-replayed")), (204, None));
    set();
    let again = under_key(&plan);
    assert_eq!((again.header("idempotency-replayed"), &again.body), (Some("true"), &first.body));
    assert_eq!(ada.get(&plan).expect(200), planned, "what was planned since stays");
    let mute = format!("{game}/mutes/1");
    let muted = ada.send("PUT", &mute).go().expect(200);
    under_key(&mute).expect(204);
    ada.send("PUT", &mute).go().expect(200);
    assert_eq!(under_key(&mute).header("idempotency-replayed"), Some("true"));
    assert_eq!(ada.get(&format!("{game}/mutes")).expect(200), muted);
    let offer = json!({"rulesets": ["ecopolis"], "seats": [2], "clocks": "without", "at_once": 1});
    let be_program = || ada.send("PUT", "/v1/me/bot").json(&offer).go().expect(200);
    be_program();
    under_key("/v1/me/bot").expect(204);
    be_program();
    assert_eq!(under_key("/v1/me/bot").header("idempotency-replayed"), Some("true"));
    assert_eq!(ada.get("/v1/me").expect(200)["bot"], true);
}

#[test]
fn of_many_at_once_one_is_carried_out() {
    let server = Server::start();
    let ada = server.player("Ada");
    let new = json!({"ruleset": "industrial-waste", "seats": 2});
    let send = || ada.send("POST", "/v1/games").json(&new).header("Idempotency-Key", "same").go();
    let bodies: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let sending: Vec<_> = (0..12).map(|_| scope.spawn(|| send().body)).collect();
        sending.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(bodies.iter().all(|body| *body == bodies[0]));
    assert_eq!(server.get("/v1/games").expect(200)["items"].as_array().unwrap().len(), 1);
}

#[test]
fn a_key_is_free_again_after_a_day() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let ada = server.player("Ada");
    let send = |seats: u8| {
        let new = json!({"ruleset": "industrial-waste", "seats": seats});
        ada.send("POST", "/v1/games").json(&new).header("Idempotency-Key", "k").go()
    };
    send(2).expect(201);
    clock.advance(23 * 60 * 60 * 1_000);
    send(3).problem(422, "idempotency_key_reused");
    clock.advance(2 * 60 * 60 * 1_000);
    send(3).expect(201);
}

#[test]
fn keys_have_a_form() {
    let server = Server::start();
    let ada = server.player("Ada");
    let new = json!({"ruleset": "industrial-waste", "seats": 2});
    for key in ["", "with space", &"x".repeat(129)] {
        let request = ada.send("POST", "/v1/games").json(&new).header("Idempotency-Key", key);
        request.go().problem(400, "malformed");
    }
    ada.send("POST", "/v1/games").json(&new).header("Idempotency-Key", &"x".repeat(128)).go().expect(201);
}

/// After a lost connection, a retry with the same key has one effect: the first request still finishes.
#[test]
fn a_request_whose_client_has_gone_is_done_once() {
    needs!(one_server);
    let server = Server::start();
    let ada = server.player("Ada");
    let body = r#"{"name":"bot","scopes":["read"]}"#;
    let names: Vec<String> = (0..15).map(|number| format!("key-{number}")).collect();
    let send = |key: &String| {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let length = body.len();
        let headers = format!(
            "Authorization: Bearer {}\r\nIdempotency-Key: {key}\r\nContent-Length: {length}\r\n",
            ada.token
        );
        stream.write_all(&raw::post("/v1/me/tokens", &headers, body)).unwrap();
        stream
    };
    drop(names.iter().map(send).collect::<Vec<_>>());
    for key in &names {
        let request = ada.send("POST", "/v1/me/tokens").text(body).header("Idempotency-Key", key);
        request.header("Content-Type", "application/json").go().expect(201);
    }
    let tokens = ada.get("/v1/me/tokens?limit=100").expect(200);
    assert_eq!(tokens["items"].as_array().unwrap().len(), names.len() + 1);
}

/// Every changing request accepts a key. Its answer may be a secret.
#[test]
fn secrets_are_answered_again_and_lie_nowhere_in_the_clear() {
    let server = Server::start();
    let ada = server.player("Ada");
    let full =
        ada.send("POST", "/v1/me/tokens").json(&json!({"name": "x", "scopes": ["account", "play", "read"]}));
    let full = Player::with(&server, full.go().json()["token"].as_str().unwrap().to_owned());
    let mut secrets = Vec::new();
    for (method, path, body, secret) in [
        ("POST", "/v1/me/tokens", json!({"name": "bot", "scopes": ["read"]}), "token"),
        ("POST", "/v1/me/links", json!(null), "code"),
        ("POST", "/v1/me/recovery", json!(null), "recovery"),
        ("POST", "/v1/streams/tickets", json!(null), "ticket"),
    ] {
        let send = || {
            let request = ada.send(method, path).header("Idempotency-Key", &format!("key-of-{secret}"));
            if body.is_null() { request.go() } else { request.json(&body).go() }
        };
        let (first, second) = (send(), send());
        assert!(first.status < 300, "{path}: {}", first.text());
        assert_eq!((first.status, &first.body), (second.status, &second.body), "{path}");
        assert_eq!(second.header("idempotency-replayed"), Some("true"), "{path}");
        assert_eq!(second.header("cache-control"), Some("no-store"), "{path}");
        secrets.push(first.json()[secret].as_str().unwrap().to_owned());
        let request = full.send(method, path).header("Idempotency-Key", &format!("key-of-{secret}"));
        let answer = if body.is_null() { request.go() } else { request.json(&body).go() };
        answer.problem(422, "idempotency_key_reused");
    }
    let patch = || {
        let request = ada.send("PATCH", "/v1/me").json(&json!({"name": "Ida"}));
        request.header("Idempotency-Key", "rename").go()
    };
    patch().expect(200);
    assert_eq!(patch().header("idempotency-replayed"), Some("true"));
    for file in std::fs::read_dir(server.folder()).unwrap().map(|file| file.unwrap().path()) {
        let bytes = std::fs::read(&file).unwrap();
        for secret in &secrets {
            let is_in = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!is_in, "{} holds a secret", file.display());
        }
    }
}

#[test]
fn a_key_without_a_token_is_the_addresss_own_and_long() {
    let flags = ["--trusted-proxy", "127.0.0.1"];
    let server = Server::with(&flags);
    let create = |client: &str, key: &str| {
        let request = server.send("POST", "/v1/players").json(&json!({"name": "Ada"}));
        request.header("Idempotency-Key", key).header("X-Forwarded-For", client).go()
    };
    let (key, other) = ("0a4f1c52b7e94d3f", "1b4f1c52b7e94d3f");
    let (first, second) = (create("203.0.113.1", key), create("203.0.113.1", key));
    assert_eq!(first.body, second.body);
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_ne!(create("203.0.113.2", key).body, first.body);
    assert_ne!(create("203.0.113.1", other).body, first.body);
    create("203.0.113.1", "short").problem(400, "malformed");
    let recovery = first.json()["recovery"].as_str().unwrap().to_owned();
    let recover = || {
        let request = server.send("POST", "/v1/recoveries").json(&json!({"code": recovery}));
        request.header("Idempotency-Key", "2b4f1c52b7e94d3f").go()
    };
    assert_eq!(recover().expect(200), recover().expect(200));
}
