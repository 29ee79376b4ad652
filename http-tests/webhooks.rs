//! Being told without looking, by an address of one's own.

use std::collections::{BTreeMap, BTreeSet};

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use ed25519_dalek::{Signature, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{
    caching::comes_in_pages,
    support::{
        Clock, Player, Server, eventually,
        program::Program,
        receiver::{Received, Receiver, Reply},
        table, table_of,
    },
};

const DAY: u64 = 24 * 3_600 * 1_000;

fn server(receiver: &Receiver, clock: &Clock) -> Server {
    let flags = receiver.flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Server::with_clock_and(clock, &flags)
}

/// A webhook that has proved that it is wanted, and the path at which it is found.
fn proved(player: &Player, under: &str, url: &str, more: &Value) -> (String, Value) {
    let mut order = json!({"url": url, "format": "standard"});
    order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = player.post(under, &order).expect(201);
    let id = made["webhook"]["id"].as_str().unwrap().to_owned();
    eventually("the webhook is proved", || {
        let all = player.get(under).expect(200);
        all["items"]
            .as_array()
            .unwrap()
            .iter()
            .find(|hook| hook["id"] == id && hook["state"] == "on")
            .cloned()
    });
    (format!("{under}/{id}"), made)
}

fn choose(player: &Player, game: &str, column: u64) {
    let seq = player.get(&format!("{game}/view")).expect(200)["seq"].clone();
    let command = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": column}});
    player.post(&format!("{game}/commands"), &command).expect(201);
}

fn deliveries(player: &Player, hook: &str) -> Vec<Value> {
    player.get(&format!("{hook}/deliveries")).expect(200)["items"].as_array().unwrap().clone()
}

/// Checks a message as the Standard Webhooks say, by the secret and by the server's key.
fn assert_signed(message: &Received, secret: &str, key: &str) {
    let signed =
        format!("{}.{}.{}", message.id(), message.header("webhook-timestamp").unwrap(), message.body);
    let secret = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
    mac.update(signed.as_bytes());
    let by_secret = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    let (one, other) = message.header("webhook-signature").unwrap().split_once(' ').unwrap();
    assert_eq!(one, by_secret);
    let key = STANDARD.decode(key.strip_prefix("whpk_").unwrap()).unwrap();
    let key = VerifyingKey::from_bytes(&key.try_into().unwrap()).unwrap();
    let signature = STANDARD.decode(other.strip_prefix("v1a,").unwrap()).unwrap();
    let signature = Signature::from_slice(&signature).unwrap();
    key.verify_strict(signed.as_bytes(), &signature).unwrap();
}

#[test]
fn a_player_is_sent_one_signed_message_a_turn() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (hook, made) = proved(&ada, "/v1/me/webhooks", &receiver.url("/here?x=1"), &json!({"name": "mine"}));
    assert!(made["webhook"].get("url").is_none() && made["webhook"]["host"] == "127.0.0.1", "{made}");
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    choose(&ada, &game, 0);
    choose(&bob, &game, 1);
    let news = receiver.news(3);
    let kinds: Vec<String> = news.iter().map(Received::kind).collect();
    assert_eq!(kinds, ["turn", "started", "turn"], "one for each turn of hers, none for his");
    let keys = server.get("/v1/keys").expect(200);
    let key = keys["keys"].as_array().unwrap().iter().find(|key| key["use"] == "webhooks").unwrap();
    for message in receiver.received() {
        assert_signed(&message, made["secret"].as_str().unwrap(), key["key"].as_str().unwrap());
        assert_eq!(message.path, "/here?x=1");
    }
    let turn = news[0].json();
    assert_eq!(turn["data"]["seat"], 0);
    assert_eq!(turn["data"]["title"], "Industrial Waste");
    assert!(turn["data"]["text"].as_str().unwrap().contains("take one of the 3 columns"), "{turn}");
    let listed = deliveries(&ada, &hook);
    let kinds: Vec<&str> = listed.iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["turn", "started", "turn", "test"]);
    let id = listed[2]["id"].as_str().unwrap();
    assert_eq!(id, news[0].id());
    ada.send("POST", &format!("{hook}/deliveries/{id}/again")).go().expect(202);
    let again = receiver.news(4);
    assert_eq!((again[3].id(), &again[3].body), (id, &again[0].body), "the same again");
    ada.send("DELETE", &hook).go().expect(204);
    ada.get(&format!("{hook}/deliveries")).problem(404, "not_found");
}

#[test]
fn what_did_not_arrive_is_sent_again_under_the_same_id() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let mut server = server(&receiver, &clock);
    let game;
    let token;
    {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        let (hook, _) = proved(&ada, "/v1/me/webhooks", &receiver.url("/"), &json!({"types": ["turn"]}));
        let mut tries = 0;
        receiver.answer(move |_| {
            tries += 1;
            match tries {
                1 => Reply::Close,
                2 => Reply::Text(
                    "HTTP/1.1 302 Found\r\nlocation: https://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n"
                        .into(),
                ),
                _ => {
                    Reply::Text("HTTP/1.1 503 Wait\r\nretry-after: 7200\r\ncontent-length: 0\r\n\r\n".into())
                }
            }
        });
        game = table(&[&ada, &bob], &json!({"first_seat": 0}));
        token = ada.token.clone();
        let tried = |times: u64| {
            eventually("what came of the try is noted", || {
                (deliveries(&ada, &hook)[0]["tries"].as_u64().unwrap() >= times).then_some(())
            });
        };
        tried(1);
        // The second try comes after five seconds, more or less, the third after five minutes.
        clock.advance(6_000);
        tried(2);
        clock.advance(6 * 60_000);
        tried(3);
    }
    server = server.restarted_at(&clock);
    let ada = Player::with(&server, token);
    clock.advance(3_600_000);
    let hook = ada.get("/v1/me/webhooks").expect(200)["items"][0].clone();
    assert!(hook["failing_since"].is_string(), "{hook}");
    let hook = format!("/v1/me/webhooks/{}", hook["id"].as_str().unwrap());
    assert_eq!(receiver.news(3).len(), 3, "it is left alone for as long as it wishes");
    receiver.answer(|_| Reply::Echo(204));
    clock.advance(3_700_000);
    let news = receiver.news(4);
    assert!(news.iter().all(|one| one.id() == news[0].id() && one.body == news[0].body));
    eventually("it is noted", || (deliveries(&ada, &hook)[0]["outcome"] == "delivered").then_some(()));
    choose(&ada, &game, 0);
    assert_eq!(ada.get("/v1/me/webhooks").expect(200)["items"][0]["failing_since"], Value::Null);
}

#[test]
fn a_webhook_at_which_nothing_arrives_for_three_days_is_off_and_its_owner_told() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (dead, _) = proved(
        &ada,
        "/v1/me/webhooks",
        &receiver.url("/dead"),
        &json!({"name": "Old pager", "types": ["turn"]}),
    );
    let (gone, _) = proved(&ada, "/v1/me/webhooks", &receiver.url("/gone"), &json!({"types": ["turn"]}));
    proved(&ada, "/v1/me/webhooks", &receiver.url("/alive"), &json!({"types": ["webhook"]}));
    let mut events = ada.send("GET", "/v1/me/events").stream();
    receiver.answer(|message| match message.path.as_str() {
        "/dead" => Reply::Echo(500),
        "/gone" => Reply::Echo(410),
        _ => Reply::Echo(200),
    });
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    let told_at = |path: &str| {
        receiver.received().iter().filter(|one| one.path == path && !one.body.contains("test")).count()
    };
    eventually("the one that is gone is off", || {
        (ada.get("/v1/me/webhooks").expect(200)["items"][1]["state"] == "off").then_some(())
    });
    assert_eq!(told_at("/gone"), 1, "410 is final");
    for tries in 1..=12 {
        eventually("what came of it is noted", || {
            let sent = deliveries(&ada, &dead)[0].clone();
            (sent["outcome"] == "failed" || sent["tries"].as_u64().unwrap() >= tries).then_some(())
        });
        clock.advance(DAY);
    }
    eventually("it is off", || {
        (ada.get("/v1/me/webhooks").expect(200)["items"][0]["state"] == "off").then_some(())
    });
    eventually("both ends were told", || (told_at("/alive") == 2).then_some(()));
    let last = receiver.received().into_iter().rfind(|one| one.path == "/alive").unwrap().json();
    assert!(last["data"]["text"].as_str().unwrap().contains("Old pager"), "{last}");
    let kinds = std::iter::from_fn(|| Some(events.next().unwrap().kind));
    assert_eq!(kinds.filter(|kind| kind == "webhook").take(2).count(), 2);
    assert_eq!(deliveries(&ada, &dead)[0]["outcome"], "failed");
    ada.send("PATCH", &dead).json(&json!({"state": "on"})).go().expect(200);
    ada.send("PATCH", &gone).json(&json!({"state": "maybe"})).go().problem(400, "malformed");
}

#[test]
fn there_are_only_so_many_until_one_is_taken_away() {
    let receiver = Receiver::start();
    let server = server(&receiver, &Clock::default());
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let new = json!({"url": receiver.url("/here"), "format": "standard"});
    for (under, most) in [("/v1/me/webhooks".to_owned(), 10), (format!("{game}/webhooks"), 6)] {
        let hooks: Vec<Value> =
            (0..most).map(|_| ada.post(&under, &new).expect(201)["webhook"].clone()).collect();
        let refused = ada.post(&under, &new).problem(409, "too_many_webhooks");
        assert!(
            refused["detail"].as_str().unwrap().contains(&format!("There are {most} webhooks")),
            "{refused}"
        );
        ada.send("DELETE", &format!("{under}/{}", hooks[0]["id"].as_str().unwrap())).go().expect(204);
        ada.post(&under, &new).expect(201);
        assert_eq!(comes_in_pages(&ada, &under), most);
    }
}

#[test]
fn nothing_leads_into_the_operators_network() {
    let server = Server::start();
    let ada = server.player("Ada");
    for url in [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://a.localhost/",
        "https://[::1]/",
        "https://0/",
        "https://127.1/",
        "https://0x7f000001/",
        "https://017700000001/",
        "https://2130706433/",
        "https://10.0.0.1/",
        "https://192.168.1.1/",
        "https://169.254.169.254/latest/meta-data",
        "https://[::ffff:10.0.0.1]/",
        "https://[::ffff:7f00:1]/",
        "https://[fd00::1]/",
        "https://[fe80::1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[2002:a00:1::]/",
        "https://0.0.0.0/",
        "https://100.64.0.1/",
        "http://hooks.example/",
        "https://hooks.example:8443/",
        "https://user@hooks.example/",
        "https://user:pw@hooks.example/",
        "https://hooks.example/#x",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "gopher://hooks.example/",
        "javascript:alert(1)",
        "hooks",
        "",
        "https://",
        "https://127.0.0.1.:443/",
    ] {
        let sent = ada.post("/v1/me/webhooks", &json!({"url": url, "format": "standard"}));
        let problem = sent.problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/url", "{url}: {problem}");
    }
    let long = format!("https://hooks.example/{}", "x".repeat(2_000));
    ada.post("/v1/me/webhooks", &json!({"url": long, "format": "ntfy"})).problem(400, "malformed");
    ada.post("/v1/me/webhooks", &json!({"url": "https://hooks.example/", "format": "mail"}))
        .problem(400, "malformed");
    assert_eq!(ada.get("/v1/me/webhooks").expect(200)["items"], json!([]));
}

#[test]
fn a_receiver_that_hangs_or_drips_keeps_no_other_waiting() {
    let (slow, fast, clock) = (Receiver::start(), Receiver::start(), Clock::default());
    let server = server(&fast, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let untrusted =
        ada.post("/v1/me/webhooks", &json!({"url": slow.url("/"), "format": "standard"})).expect(201);
    let untrusted = format!("/v1/me/webhooks/{}", untrusted["webhook"]["id"].as_str().unwrap());
    let failed = eventually("the test has failed", || {
        deliveries(&ada, &untrusted).into_iter().find(|one| one["outcome"] == "failed")
    });
    assert_eq!(failed["failure"], "untrusted", "a certificate that nobody vouches for");
    for path in ["/silence", "/drip", "/fast"] {
        proved(&ada, "/v1/me/webhooks", &fast.url(path), &json!({"types": ["turn"]}));
    }
    fast.answer(|message| match message.path.as_str() {
        "/silence" => Reply::Silence,
        "/drip" => Reply::Drip,
        _ => Reply::Echo(200),
    });
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let at = |path: &str| {
        fast.received().iter().filter(|one| one.path == path && !one.body.contains("test")).count()
    };
    eventually("the others have been sent to", || {
        (at("/silence") == 1 && at("/drip") == 1 && at("/fast") == 1).then_some(())
    });
    choose(&ada, &game, 0);
    choose(&bob, &game, 1);
    let ids: Vec<Value> = ada.get("/v1/me/webhooks").expect(200)["items"].as_array().unwrap().clone();
    for hook in &ids[1..3] {
        let hook = format!("/v1/me/webhooks/{}", hook["id"].as_str().unwrap());
        let failed = eventually("nobody waits for it for ever", || {
            deliveries(&ada, &hook).into_iter().find(|one| one["failure"].is_string())
        });
        assert_eq!(failed["failure"], "timeout");
    }
}

#[test]
fn a_person_reads_a_code_and_types_it_back() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada *the* <b>best"), server.player("Bob"));
    let game = table_of("ecopolis", &[&ada, &bob], &json!({}));
    for format in ["discord", "slack", "ntfy"] {
        let order = json!({"url": receiver.url(&format!("/{format}")), "format": format, "mentions": ["<@123>", "<@456>"],
            "types": ["turn", "finished"]});
        let made = ada.post(&format!("{game}/webhooks"), &order).expect(201);
        assert_eq!(made["secret"], Value::Null);
        let hook = format!("{game}/webhooks/{}", made["webhook"]["id"].as_str().unwrap());
        let test = eventually("the test has come", || {
            receiver.received().into_iter().find(|one| one.path == format!("/{format}"))
        });
        let shown = test.body.replace('\\', "");
        let code = shown.split("set it up: ").nth(1).unwrap().split(['"', '\n']).next().unwrap();
        assert!(deliveries(&ada, &hook)[0]["text"] == "", "the code is shown there alone");
        ada.send("PATCH", &hook).json(&json!({"state": "on"})).go().problem(409, "not_proved");
        ada.send("PATCH", &hook).json(&json!({"code": "0000-0000"})).go().problem(403, "wrong_code");
        bob.send("PATCH", &hook).json(&json!({"code": code})).go().problem(404, "not_found");
        let proved = ada.send("PATCH", &hook).json(&json!({"code": code})).go().expect(200);
        assert_eq!(proved["state"], "on");
    }
    let hooks = bob.get(&format!("{game}/webhooks")).expect(200);
    assert!(
        hooks["items"]
            .as_array()
            .unwrap()
            .iter()
            .all(|hook| hook["mine"] == false && hook["host"] == "127.0.0.1")
    );
    ada.send("POST", &format!("{game}/resignation")).go().expect(200);
    let news = receiver.news(6);
    let at = |format: &str| news.iter().rfind(|one| one.path == format!("/{format}")).unwrap();
    assert!(at("discord").json()["content"].as_str().unwrap().contains("The game is over"), "{news:?}");
    assert_eq!(at("discord").json()["allowed_mentions"]["parse"], json!([]));
    assert!(at("slack").json()["text"].as_str().unwrap().starts_with("*Ecopolis*: "));
    assert_eq!(
        (at("ntfy").header("title"), at("ntfy").body.as_str()),
        (Some("Ecopolis"), "The game is over.")
    );
}

#[test]
fn nobody_is_told_what_it_sees_or_does_not_want_to_hear_now() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (hook, _) = proved(&ada, "/v1/me/webhooks", &receiver.url("/"), &json!({"types": ["turn"]}));
    let page = ada.send("GET", "/v1/me/events?present=tab-1").stream();
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    let outcome = || deliveries(&ada, &hook)[0]["outcome"].clone();
    let waits = || {
        eventually("it waits", || {
            (deliveries(&ada, &hook)[0]["due"].as_str()? > "2027-01-15T08:00:00.000Z").then_some(())
        });
    };
    waits();
    clock.advance(31_000);
    eventually("she had it before her eyes", || (outcome() == "dropped").then_some(()));
    ada.send("GET", "/v1/me/events?present=a%20b").go().problem(400, "malformed");
    ada.send("DELETE", "/v1/me/presence/tab-1").go().expect(204);
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    eventually("she has looked away", || (outcome() == "delivered").then_some(()));
    drop(page);
    // It is eight in the morning where the clock stands.
    ada.send("PUT", "/v1/me/quiet")
        .json(&json!({"from": "22:00", "to": "09:30", "utc_offset": 60}))
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
    proved(&eve, "/v1/me/webhooks", &receiver.url("/mine"), &json!({"types": ["turn", "started", "seat"]}));
    let (table_hook, _) = proved(
        &eve,
        &format!("{game}/webhooks"),
        &receiver.url("/table"),
        &json!({"types": ["seat", "started"]}),
    );
    bob.get(&format!("{game}/webhooks")).problem(404, "not_found");
    // What is told of before she leaves does not arrive until she has.
    receiver.answer(|_| Reply::Echo(500));
    bob.post(&format!("{game}/seats"), &seat).expect(201);
    receiver.news(2);
    eventually("both tries are noted", || {
        let all = eve.get("/v1/me/webhooks").expect(200);
        (all["items"][0]["failing_since"].is_string() && deliveries(&eve, &table_hook)[0]["status"] == 500)
            .then_some(())
    });
    eve.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    eve.get(&format!("{game}/webhooks")).problem(404, "not_found");
    receiver.answer(|_| Reply::Echo(200));
    let mine = format!(
        "/v1/me/webhooks/{}",
        eve.get("/v1/me/webhooks").expect(200)["items"][0]["id"].as_str().unwrap()
    );
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
    // A message that comes after all others would have come shows that there are none.
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
    proved(&ada, "/v1/me/webhooks", &receiver.url("/"), &types);
    let told = |text: &str| {
        eventually(text, || receiver.received().iter().any(|one| one.body.contains(text)).then_some(()));
    };
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 3, "substitutes": true,
        "options": {"first_seat": 0}, "clock": {"move_seconds": 60}}));
    let seats = format!("{game}/seats");
    bob.post(&seats, &json!({})).expect(201);
    told("Bob si siede.");
    bob.send("DELETE", &format!("{seats}/mine")).go().expect(200);
    told("Il posto 1 è di nuovo libero.");
    bob.post(&seats, &json!({})).expect(201);
    cyd.post(&seats, &json!({})).expect(201);
    // At the third time that each of them lets pass, the autopilot stays.
    for _ in 0..9 {
        if ada.get(&format!("{game}/view")).expect(200)["seats"][0]["control"] == "player" {
            clock.advance(60_000);
            server.look_at_the_clock();
        }
    }
    told("Ora il tuo posto è del pilota automatico.");
    cyd.post(&format!("{game}/resignation"), &json!({})).expect(200);
    told("Cyd abbandona la partita.");
    let asks_for = |player: &Player, seat_of: &Player| {
        let offers = format!("{game}/substitutions");
        let offer = seat_of.send("POST", &offers).go().expect(201);
        let code = offer["code"].as_str().unwrap();
        player.post(&format!("/v1/invites/{code}/seats"), &json!({})).expect(202);
        format!("{offers}/{}", offer["id"].as_str().unwrap())
    };
    asks_for(&eve, &ada);
    told("Eve subentrerebbe al tuo posto. Sei d'accordo?");
    bob.post(&asks_for(&fay, &bob), &json!({})).expect(200);
    told("Fay subentra a quel posto.");
    fay.post(&format!("{game}/resignation"), &json!({})).expect(200);
    fay.post(&format!("{game}/rematch"), &json!({})).expect(201);
    told("Fay chiede la rivincita: il tuo posto è riservato.");
}

#[test]
fn a_quarter_before_the_deadline_is_told_if_it_is_still_true() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    proved(&ada, "/v1/me/webhooks", &receiver.url("/"), &json!({"types": ["deadline"]}));
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
    let hook = format!(
        "/v1/me/webhooks/{}",
        ada.get("/v1/me/webhooks").expect(200)["items"][0]["id"].as_str().unwrap()
    );
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
    let key = URL_SAFE_NO_PAD.decode(how["push_key"].as_str().unwrap()).unwrap();
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
    // Whoever answers like anything else than a push service is none.
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
    for wrong in [
        json!({"from": "24:00", "to": "07:00", "utc_offset": 0}),
        json!({"from": "22:00", "to": "7:00", "utc_offset": 0}),
        json!({"from": "22:00", "to": "07:00", "utc_offset": 900}),
    ] {
        ada.send("PUT", "/v1/me/quiet").json(&wrong).go().problem(400, "malformed");
    }
    ada.send("PUT", "/v1/me/quiet")
        .json(&json!({"from": "22:00", "to": "07:30", "utc_offset": -90}))
        .go()
        .expect(200);
    assert_eq!(ada.get("/v1/me/notifications").expect(200)["quiet"]["to"], "07:30");
    assert_eq!(ada.send("DELETE", "/v1/me/quiet").go().expect(200)["quiet"], Value::Null);
}

#[test]
fn a_kill_in_the_middle_of_a_thousand_messages_loses_none() {
    const HOOKS: usize = 10;
    const GAMES: usize = 50;
    let (receiver, folder) = (Receiver::start(), tempfile::tempdir().unwrap());
    let database = folder.path().join("games.db");
    let flags = receiver.flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let mut program = Program::serve(&database, &flags);
    let server = program.server();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    for number in 0..HOOKS {
        let types = json!({"types": ["turn", "started"]});
        proved(&ada, "/v1/me/webhooks", &receiver.url(&format!("/{number}")), &types);
    }
    for _ in 0..GAMES {
        table(&[&ada, &bob], &json!({"first_seat": 0}));
    }
    let all = HOOKS * GAMES * 2;
    // It is killed three times, whenever some more have come.
    for part in 1..=3 {
        receiver.news(all * part / 5);
        program.kill();
        program = Program::serve(&database, &flags);
    }
    let told: BTreeMap<String, BTreeSet<String>> = eventually("all have come", || {
        let mut told = BTreeMap::<String, BTreeSet<String>>::new();
        for one in receiver.news(all) {
            told.entry(one.path.clone()).or_default().insert(one.id().to_owned());
        }
        told.values().all(|ids| ids.len() == GAMES * 2).then_some(told)
    });
    let first = &told["/0"];
    assert!(
        told.len() == HOOKS && told.values().all(|ids| ids == first),
        "each is told all, under the same ids"
    );
    // What came twice is what was under way when the program was killed.
    let came = receiver.news(all).len();
    assert!(came <= all + 3 * 2 * HOOKS, "{came} of {all}");
}
