//! Messages arrive once, signed, in spite of failures on either side.

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::BASE64;
use ed25519_dalek::{Signature, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{DAY, choose, deliveries, proved, server};
use crate::support::{
    Clock, Player, eventually,
    program::Program,
    receiver::{Received, Receiver, Reply},
    table,
};

/// Checks a message as the Standard Webhooks say, by the secret and by the server's key.
fn assert_signed(message: &Received, secret: &str, key: &str) {
    let signed =
        format!("{}.{}.{}", message.id(), message.header("webhook-timestamp").unwrap(), message.body);
    let secret = BASE64.decode(secret.strip_prefix("whsec_").unwrap().as_bytes()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
    mac.update(signed.as_bytes());
    let by_secret = format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()));
    let (one, other) = message.header("webhook-signature").unwrap().split_once(' ').unwrap();
    assert_eq!(one, by_secret);
    let key = BASE64.decode(key.strip_prefix("whpk_").unwrap().as_bytes()).unwrap();
    let key = VerifyingKey::from_bytes(&key.try_into().unwrap()).unwrap();
    let signature = BASE64.decode(other.strip_prefix("v1a,").unwrap().as_bytes()).unwrap();
    let signature = Signature::from_slice(&signature).unwrap();
    key.verify_strict(signed.as_bytes(), &signature).unwrap();
}

#[test]
fn a_player_is_sent_one_signed_message_a_turn() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (hook, made) = proved(&ada, "/v1/webhooks", &receiver.url("/here?x=1"), &json!({"name": "mine"}));
    assert!(made.get("url").is_none() && made["host"] == "127.0.0.1", "{made}");
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
    assert!(turn["data"]["text"].as_str().unwrap().contains("Take one of the 3 columns"), "{turn}");
    let listed = deliveries(&ada, &hook);
    let kinds: Vec<&str> = listed.iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["turn", "started", "turn", "test"]);
    let id = listed[2]["id"].as_str().unwrap();
    assert_eq!(id, news[0].id());
    ada.send("POST", &format!("{hook}/deliveries/{id}/resend")).go().expect(202);
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
        let (hook, _) = proved(&ada, "/v1/webhooks", &receiver.url("/"), &json!({"types": ["turn"]}));
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
    let hook = ada.get("/v1/webhooks").expect(200)["items"][0].clone();
    assert!(hook["failing_since"].is_string(), "{hook}");
    let hook = format!("/v1/webhooks/{}", hook["id"].as_str().unwrap());
    assert_eq!(receiver.news(3).len(), 3, "it is left alone for as long as it wishes");
    receiver.answer(|_| Reply::Echo(204));
    clock.advance(3_700_000);
    let news = receiver.news(4);
    assert!(news.iter().all(|one| one.id() == news[0].id() && one.body == news[0].body));
    eventually("it is noted", || (deliveries(&ada, &hook)[0]["outcome"] == "delivered").then_some(()));
    choose(&ada, &game, 0);
    assert_eq!(ada.get("/v1/webhooks").expect(200)["items"][0]["failing_since"], Value::Null);
}

#[test]
fn a_webhook_at_which_nothing_arrives_for_three_days_is_off_and_its_owner_told() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (dead, _) = proved(
        &ada,
        "/v1/webhooks",
        &receiver.url("/dead"),
        &json!({"name": "Old pager", "types": ["turn"]}),
    );
    let (gone, _) = proved(&ada, "/v1/webhooks", &receiver.url("/gone"), &json!({"types": ["turn"]}));
    proved(&ada, "/v1/webhooks", &receiver.url("/alive"), &json!({"types": ["webhook"]}));
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
        (ada.get("/v1/webhooks").expect(200)["items"][1]["state"] == "off").then_some(())
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
        (ada.get("/v1/webhooks").expect(200)["items"][0]["state"] == "off").then_some(())
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
fn a_receiver_that_hangs_or_drips_keeps_no_other_waiting() {
    let (slow, fast, clock) = (Receiver::start(), Receiver::start(), Clock::default());
    let server = server(&fast, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let untrusted =
        ada.post("/v1/webhooks", &json!({"url": slow.url("/"), "format": "standard"})).expect(201);
    let untrusted = format!("/v1/webhooks/{}", untrusted["id"].as_str().unwrap());
    let failed = eventually("the test has failed", || {
        deliveries(&ada, &untrusted).into_iter().find(|one| one["outcome"] == "failed")
    });
    assert_eq!(failed["failure"], "untrusted", "a certificate that nobody vouches for");
    for path in ["/silence", "/drip", "/fast"] {
        proved(&ada, "/v1/webhooks", &fast.url(path), &json!({"types": ["turn"]}));
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
    let ids: Vec<Value> = ada.get("/v1/webhooks").expect(200)["items"].as_array().unwrap().clone();
    for hook in &ids[1..3] {
        let hook = format!("/v1/webhooks/{}", hook["id"].as_str().unwrap());
        let failed = eventually("nobody waits for it for ever", || {
            deliveries(&ada, &hook).into_iter().find(|one| one["failure"].is_string())
        });
        assert_eq!(failed["failure"], "timeout");
    }
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
        proved(&ada, "/v1/webhooks", &receiver.url(&format!("/{number}")), &types);
    }
    for _ in 0..GAMES {
        table(&[&ada, &bob], &json!({"first_seat": 0}));
    }
    let all = HOOKS * GAMES * 2;
    // Killed three times, after some more messages.
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
    // Messages that arrived twice were in flight during a kill.
    let came = receiver.news(all).len();
    assert!(came <= all + 3 * 2 * HOOKS, "{came} of {all}");
}
