//! Webhooks: creation, confirmation, and forbidden addresses.

use serde_json::{Value, json};

use super::{deliveries, server};
use crate::support::{Clock, Server, eventually, receiver::Receiver, table, table_of};

#[test]
fn there_are_only_so_many_until_one_is_taken_away() {
    let receiver = Receiver::start();
    let server = server(&receiver, &Clock::default());
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let id = game.rsplit('/').next().unwrap();
    for (of, most) in [(Value::Null, 10), (json!(id), 6)] {
        let new = json!({"url": receiver.url("/here"), "format": "standard", "game": of});
        let add = || ada.post("/v1/webhooks", &new);
        let hooks: Vec<Value> = (0..most).map(|_| add().expect(201)).collect();
        let refused = add().problem(409, "too_many_webhooks");
        assert!(
            refused["detail"].as_str().unwrap().contains(&format!("There are {most} webhooks")),
            "{refused}"
        );
        ada.send("DELETE", &format!("/v1/webhooks/{}", hooks[0]["id"].as_str().unwrap())).go().expect(204);
        add().expect(201);
    }
    assert_eq!(ada.counts_in_pages("/v1/webhooks"), 16);
    assert_eq!(ada.counts_in_pages(&format!("/v1/webhooks?game={id}")), 6);
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
        let sent = ada.post("/v1/webhooks", &json!({"url": url, "format": "standard"}));
        let problem = sent.problem(400, "malformed");
        assert_eq!(problem["errors"][0]["pointer"], "/url", "{url}: {problem}");
    }
    let long = format!("https://hooks.example/{}", "x".repeat(2_000));
    ada.post("/v1/webhooks", &json!({"url": long, "format": "ntfy"})).problem(400, "malformed");
    ada.post("/v1/webhooks", &json!({"url": "https://hooks.example/", "format": "mail"}))
        .problem(400, "malformed");
    assert_eq!(ada.get("/v1/webhooks").expect(200)["items"], json!([]));
}

#[test]
fn a_person_reads_a_code_and_types_it_back() {
    let (receiver, clock) = (Receiver::start(), Clock::default());
    let server = server(&receiver, &clock);
    let (ada, bob) = (server.player("Ada *the* <b>best"), server.player("Bob"));
    let game = table_of("ecopolis", &[&ada, &bob], &json!({}));
    for format in ["discord", "slack", "ntfy"] {
        let order = json!({"url": receiver.url(&format!("/{format}")), "format": format, "mentions": ["<@123>", "<@456>"],
            "types": ["turn", "finished"], "game": game.rsplit('/').next()});
        let made = ada.post("/v1/webhooks", &order).expect(201);
        assert_eq!(made["secret"], Value::Null);
        let hook = format!("/v1/webhooks/{}", made["id"].as_str().unwrap());
        let test = eventually("the test has come", || {
            receiver.received().into_iter().find(|one| one.path == format!("/{format}"))
        });
        let shown = test.body.replace('\\', "");
        let code = shown.split("set it up: ").nth(1).unwrap().split(['"', '\n']).next().unwrap();
        assert!(deliveries(&ada, &hook)[0]["text"] == "", "the code is shown there alone");
        ada.send("PATCH", &hook).json(&json!({"state": "on"})).go().problem(409, "webhook_not_confirmed");
        ada.send("PATCH", &hook).json(&json!({"code": "0000-0000"})).go().problem(403, "invalid_code");
        bob.send("PATCH", &hook).json(&json!({"code": code})).go().problem(404, "not_found");
        let proved = ada.send("PATCH", &hook).json(&json!({"code": code})).go().expect(200);
        assert_eq!(proved["state"], "on");
    }
    let hooks = bob.get(&format!("/v1/webhooks?game={}", game.rsplit('/').next().unwrap())).expect(200);
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
