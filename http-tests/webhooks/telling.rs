//! Receivers and texts of notifications.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};

use super::{choose, deliveries, proved, server};
use crate::support::{
    Clock, Player, eventually,
    receiver::{Received, Receiver, Reply},
    table,
};

#[test]
fn nobody_is_told_what_it_sees_or_does_not_want_to_hear_now() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (hook, _) = proved(&ada, "/v1/webhooks", &receiver.url("/"), &json!({"types": ["turn"]}));
    let page = ada.send("GET", "/v1/me/events?present=tab-1").stream();
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    let outcome = || deliveries(&ada, &hook)[0]["outcome"].clone();
    // A phone in a tunnel seems connected for a while.
    for due in ["2027-01-15T08:00:30.000Z", "2027-01-15T08:01:30.000Z"] {
        eventually("it waits", || (deliveries(&ada, &hook)[0]["due"] == due).then_some(()));
        clock.advance(31_000);
    }
    clock.advance(30_000);
    eventually("she had it before her eyes", || (outcome() == "dropped").then_some(()));
    ada.send("GET", "/v1/me/events?present=a%20b").go().problem(400, "malformed");
    ada.send("DELETE", "/v1/me/presence/tab-1").go().expect(204);
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    eventually("she has looked away", || (outcome() == "delivered").then_some(()));
    drop(page);
    // It is eight in the morning at the clock's place.
    ada.send("PATCH", "/v1/me/notifications")
        .json(&json!({"quiet": {"from": "22:00", "to": "09:30", "utc_offset": 60}}))
        .go()
        .expect(200);
    let before = receiver.received().len();
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let due = eventually("it waits", || {
        deliveries(&ada, &hook)[0]["due"].as_str().filter(|due| due.contains("08:30")).map(str::to_owned)
    });
    assert_eq!(due, "2027-01-15T08:30:00.000Z");
    assert_eq!(receiver.received().len(), before);
    clock.advance(1_800_000);
    receiver.news(2);
    eventually("she is told when she is up", || (outcome() == "delivered").then_some(()));
    choose(&ada, &game, 0);
}

#[test]
fn whoever_has_left_a_private_table_is_told_nothing_more_of_it() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let new = json!({"ruleset": "industrial-waste", "seats": 4, "visibility": "private", "title": "Plans of a coup"});
    let made = ada.post("/v1/games", &new).expect(201);
    let game = format!("/v1/games/{}", made["id"].as_str().unwrap());
    let seat = json!({"invite": made["invite"]});
    eve.post(&format!("{game}/seats"), &seat).expect(201);
    proved(&eve, "/v1/webhooks", &receiver.url("/mine"), &json!({"types": ["turn", "started", "seat"]}));
    let (table_hook, _) = proved(
        &eve,
        "/v1/webhooks",
        &receiver.url("/table"),
        &json!({"game": made["id"], "types": ["seat", "started"]}),
    );
    let of_table = format!("/v1/webhooks?game={}", made["id"].as_str().unwrap());
    assert_eq!(eve.counts_in_pages(&of_table), 1);
    bob.get(&of_table).problem(404, "not_found");
    // Notices from before she leaves arrive afterwards.
    receiver.answer(|_| Reply::Echo(500));
    bob.post(&format!("{game}/seats"), &seat).expect(201);
    receiver.news(2);
    eventually("both tries are noted", || {
        let all = eve.get("/v1/webhooks").expect(200);
        (all["items"][0]["failing_since"].is_string() && deliveries(&eve, &table_hook)[0]["status"] == 500)
            .then_some(())
    });
    eve.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    eve.get(&of_table).problem(404, "not_found");
    receiver.answer(|_| Reply::Echo(200));
    let mine =
        format!("/v1/webhooks/{}", eve.get("/v1/webhooks").expect(200)["items"][0]["id"].as_str().unwrap());
    eve.post(&format!("{game}/seats"), &seat).expect(201);
    eve.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    clock.advance(60_000);
    eventually("nothing waits any more", || {
        deliveries(&eve, &mine).iter().all(|one| one["due"].is_null()).then_some(())
    });
    assert!(
        deliveries(&eve, &mine)
            .iter()
            .filter(|one| one["type"] == "seat")
            .any(|one| one["outcome"] == "dropped")
    );
    let cleo = server.player("Cleo");
    cleo.post(&format!("{game}/seats"), &seat).expect(201);
    server.player("Dan").get(&game).problem(404, "not_found");
    clock.advance(60_000);
    // A message after all others shows that there are no more.
    eve.send("POST", &format!("{mine}/test")).go().expect(202);
    eventually("the last test has come", || {
        receiver
            .received()
            .iter()
            .rev()
            .take(1)
            .find(|one| one.body.contains("\"type\":\"test\""))
            .map(|_| ())
    });
    let told = receiver.received();
    let told_of_start =
        |one: &&Received| one.body.contains("\"type\":\"started\"") || one.body.contains("Cleo");
    assert_eq!(told.iter().find(told_of_start).map(|one| &one.body), None);
}

#[test]
fn what_becomes_of_a_table_is_told_in_the_words_of_its_reader() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let [ada, bob, cyd, eve, fay] = ["Ada", "Bob", "Cyd", "Eve", "Fay"].map(|name| server.player(name));
    let types = json!({"types": ["seat", "autopilot", "substitution", "rematch"], "lang": "it"});
    proved(&ada, "/v1/webhooks", &receiver.url("/"), &types);
    let told = |text: &str| {
        eventually(text, || receiver.received().iter().any(|one| one.body.contains(text)).then_some(()));
    };
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 3, "substitutes": true,
        "options": {"first_seat": 0}, "clock": {"move_seconds": 60}}));
    let seats = format!("{game}/seats");
    bob.post(&seats, &json!({})).expect(201);
    told("Bob si unisce.");
    bob.send("DELETE", &format!("{seats}/mine")).go().expect(200);
    told("Il posto 1 è di nuovo libero.");
    bob.post(&seats, &json!({})).expect(201);
    cyd.post(&seats, &json!({})).expect(201);
    // After three missed deadlines each, the autopilot stays.
    for _ in 0..9 {
        if ada.get(&format!("{game}/view")).expect(200)["seats"][0]["control"] == "player" {
            clock.advance(60_000);
            server.look_at_the_clock();
        }
    }
    told("Ora il pilota automatico gioca per te.");
    cyd.post(&format!("{game}/resignation"), &json!({})).expect(200);
    told("Cyd abbandona la partita.");
    let asks_for = |player: &Player, seat_of: &Player| {
        let offered = format!("{game}/substitution");
        let offer = seat_of.send("POST", &offered).go().expect(201);
        player.post(&format!("{game}/seats"), &json!({"invite": offer["code"]})).expect(202);
        format!("{offered}/acceptance")
    };
    asks_for(&eve, &ada);
    told("Eve vuole subentrare al tuo posto. Sei d'accordo?");
    bob.post(&asks_for(&fay, &bob), &json!({"player": fay.id})).expect(200);
    told("Fay subentra.");
    fay.post(&format!("{game}/resignation"), &json!({})).expect(200);
    fay.post(&format!("{game}/rematch"), &json!({})).expect(201);
    told("Fay vuole la rivincita. Il tuo posto è riservato.");
}

#[test]
fn a_quarter_before_the_deadline_is_told_if_it_is_still_true() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    proved(&ada, "/v1/webhooks", &receiver.url("/"), &json!({"types": ["deadline"]}));
    let new = json!({"ruleset": "industrial-waste", "seats": 2, "options": {"first_seat": 0}, "clock": {"move_seconds": 4_000}});
    let timed = |player: &Player| {
        let game = player.creates(&new);
        bob.post(&format!("{game}/seats"), &json!({})).expect(201);
        game
    };
    let (played, missed) = (timed(&ada), timed(&ada));
    choose(&ada, &played, 0);
    clock.advance(3_000_000);
    let news = receiver.news(1);
    assert_eq!(news[0].json()["data"]["game"].as_str(), missed.rsplit('/').next());
    clock.advance(3_000);
    choose(&ada, &missed, 0);
    let hook =
        format!("/v1/webhooks/{}", ada.get("/v1/webhooks").expect(200)["items"][0]["id"].as_str().unwrap());
    eventually("the other was dropped", || {
        deliveries(&ada, &hook).iter().find(|one| one["outcome"] == "dropped").map(|_| ())
    });
    assert_eq!(receiver.news(1).len(), 1);
}

#[test]
fn a_browser_is_told_in_words_that_only_it_can_read() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let how = ada.get("/v1/me/notifications").expect(200);
    let key = BASE64URL_NOPAD.decode(how["push_key"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!((key.len(), key[0]), (65, 4));
    // The keys of RFC 8291, appendix A.
    let keys = json!({
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    });
    let subscribe = |path: &str| {
        let sent = json!({"endpoint": receiver.url(path), "keys": keys, "types": ["turn"], "name": "Phone"});
        ada.post("/v1/me/pushes", &sent).expect(201)["id"].as_str().unwrap().to_owned()
    };
    let state = |id: &str| {
        let all = ada.get("/v1/me/notifications").expect(200)["push"].as_array().unwrap().clone();
        all.into_iter().find(|one| one["id"] == id).map(|one| one["state"].as_str().unwrap().to_owned())
    };
    // Other answers are not those of a push service.
    let other = subscribe("/other");
    receiver.news(1);
    receiver.answer(|_| Reply::Text("HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n".into()));
    let first = subscribe("/phone");
    eventually("it is proved", || (state(&first)? == "on").then_some(()));
    let phone = subscribe("/phone");
    assert_eq!(state(&first), None, "who subscribes again takes its own place");
    eventually("it is proved again", || (state(&phone)? == "on").then_some(()));
    assert_eq!(state(&other).as_deref(), Some("unproved"));
    let before = receiver.received().len();
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    let told = receiver.news(before + 1).pop().unwrap();
    assert_eq!((told.path.as_str(), told.header("content-encoding")), ("/phone", Some("aes128gcm")));
    assert!(told.header("authorization").unwrap().starts_with("vapid t="));
    receiver.answer(|_| Reply::Text("HTTP/1.1 404 Gone\r\ncontent-length: 0\r\n\r\n".into()));
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    eventually("the browser is gone", || (state(&phone)? == "off").then_some(()));
    for (field, wrong) in [
        ("endpoint", json!("https://10.0.0.1/x")),
        ("keys", json!({"p256dh": "AAAA", "auth": "x"})),
        ("keys", json!({})),
    ] {
        let mut sent = json!({"endpoint": receiver.url("/x"), "keys": keys});
        sent[field] = wrong;
        let problem = ada.post("/v1/me/pushes", &sent).problem(400, "malformed");
        assert!(
            problem["errors"][0]["pointer"].as_str().unwrap().starts_with(&format!("/{field}")),
            "{problem}"
        );
    }
    ada.send("DELETE", &format!("/v1/me/pushes/{phone}")).go().expect(204);
    bob.send("DELETE", &format!("/v1/me/pushes/{other}")).go().problem(404, "not_found");
    let set = |change: &Value| ada.send("PATCH", "/v1/me/notifications").json(change).go();
    for wrong in [
        json!({"from": "24:00", "to": "07:00", "utc_offset": 0}),
        json!({"from": "22:00", "to": "7:00", "utc_offset": 0}),
        json!({"from": "22:00", "to": "07:00", "utc_offset": 900}),
    ] {
        let problem = set(&json!({"quiet": wrong})).problem(400, "malformed");
        assert!(problem["errors"][0]["pointer"].as_str().unwrap().starts_with("/quiet/"), "{problem}");
    }
    set(&json!({"quiet": {"from": "22:00", "to": "07:30", "utc_offset": -90}})).expect(200);
    assert_eq!(set(&json!({})).expect(200)["quiet"]["to"], "07:30", "an absent field keeps its value");
    assert_eq!(ada.get("/v1/me/notifications").expect(200)["quiet"]["to"], "07:30");
    assert_eq!(set(&json!({"quiet": null})).expect(200)["quiet"], Value::Null);
}
