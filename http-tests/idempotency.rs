//! The same request under the same key has the same answer, also after a restart and at the same time.

use serde_json::json;

use super::support::{Clock, Server, table};

#[test]
fn a_second_try_gets_the_first_answer() {
    let server = Server::start();
    let ada = server.player("Ada");
    let send = |body: &serde_json::Value| {
        ada.send("POST", "/v1/games").json(body).header("Idempotency-Key", "one").go()
    };
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
        let sent = json!({"expected_seq": 4, "command": {"type": "choose_combination", "column": 0}});
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
    let sent = json!({"expected_seq": 4, "command": {"type": "choose_combination", "column": 0}});
    let send =
        || bob.send("POST", &format!("{game}/commands")).json(&sent).header("Idempotency-Key", "k").go();
    let first = send().problem(422, "not_your_turn");
    ada.post(&format!("{game}/commands"), &sent).expect(201);
    let second = send();
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(second.problem(422, "not_your_turn"), first);
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
