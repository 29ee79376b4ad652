//! Evenness of the API: what is written can be read, and what is created has an address.

use serde_json::json;

use super::support::{DOCUMENT, Server, table};

/// Paths that are written and read under another one.
const READ_ELSEWHERE: [&str; 1] = ["/v1/games/{id}/mutes/{seat}"];

#[test]
fn whatever_is_put_or_changed_can_be_read() {
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        let is_written = item.get("put").is_some() || item.get("patch").is_some();
        if is_written && !READ_ELSEWHERE.contains(&path.as_str()) {
            assert!(item.get("get").is_some(), "{path}");
        }
    }
}

#[test]
fn an_answer_has_one_status_for_one_kind_of_act() {
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let answers = operation["responses"].as_object().unwrap();
            let has = |status: &str| answers.contains_key(status);
            let body = |status: &str| answers[status]["content"].is_object();
            if has("204") && !path.ends_with("/events") {
                assert!(!has("200"), "{method} {path} answers with a body or without one");
            }
            if method == "delete" && has("200") {
                let schema = &answers["200"]["content"]["application/json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/GameWithReceipt", "{path}: only the log answers");
            }
            if has("201") {
                assert!(method == "post" && body("201"), "{method} {path}");
                assert!(answers["201"]["headers"]["Location"].is_object(), "{method} {path}");
            }
        }
    }
}

#[test]
fn every_page_has_one_shape() {
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().unwrap() {
        if let Some(fields) = schema["properties"].as_object().filter(|fields| fields.contains_key("items")) {
            let names: Vec<_> = fields.keys().map(String::as_str).collect();
            assert_eq!(names, ["items", "next_cursor"], "{name}");
        }
    }
}

#[test]
fn what_is_created_has_the_address_that_is_told() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let open = ada.creates(&json!({"ruleset": "ecopolis", "seats": 3, "substitutes": true}));
    bob.post(&format!("{open}/seats"), &json!({})).expect(201);
    ada.post(&format!("{open}/bots"), &json!({"level": "easy"})).expect(201);
    let choice = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    let keys = json!({"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "ZnKXG9l9oQyd-D_BlJIwUg"});
    for (path, body) in [
        ("/v1/me/tokens", json!({"name": "bot", "scopes": ["play"]})),
        ("/v1/webhooks", json!({"url": "https://hooks.example/x", "format": "standard"})),
        ("/v1/me/pushes", json!({"endpoint": "https://push.example/x", "keys": keys, "name": "phone"})),
        (&format!("{game}/messages"), json!({"text": "Good luck!"})),
        (&format!("{game}/explorations"), json!({})),
        (&format!("{game}/commands"), choice),
        ("/v1/games", json!({"ruleset": "industrial-waste", "seats": 2, "title": "Friday night"})),
    ] {
        let created = ada.post(path, &body);
        let address =
            created.header("location").unwrap_or_else(|| panic!("{path}: {}", created.text())).to_owned();
        let (created, read) = (created.expect(201), ada.get(&address).expect(200));
        let is_same = ["id", "seq"].iter().any(|name| {
            created.get(*name).is_some_and(|id| *id == read[*name] || *id == read["items"][0][*name])
        });
        assert!(is_same, "{path}: {created} {read}");
        if path == "/v1/me/pushes" {
            ada.post(&format!("{address}/test"), &json!({})).expect(202);
        }
    }
    assert_eq!(ada.get("/v1/me/devices").expect(200), json!({"items": [], "next_cursor": null}));
    let made = server.send("POST", "/v1/players").json(&json!({"name": "Carla"})).go();
    let address = made.header("location").unwrap().to_owned();
    assert_eq!(server.get(&address).expect(200)["id"], made.json()["player"]["id"]);
}

#[test]
fn a_key_repeats_the_address_as_well() {
    let server = Server::start();
    let ada = server.player("Ada");
    let create = || {
        let request = ada.send("POST", "/v1/games").header("Idempotency-Key", "one");
        request.json(&json!({"ruleset": "ecopolis", "seats": 2})).go()
    };
    let (first, second) = (create(), create());
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
    assert_eq!(first.header("location").unwrap(), second.header("location").unwrap());
}

#[test]
fn every_mistake_in_a_query_is_told() {
    let server = Server::start();
    let problem =
        server.get("/v1/games?status=odd&limit=0&player=x&wait=99&nope=1").problem(400, "malformed");
    let wrong: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|one| one["parameter"].clone()).collect();
    assert_eq!(wrong, ["status", "player", "limit", "wait", "nope"]);
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        ["`status`", "`limit`", "`nope` is not a known parameter"].iter().all(|one| detail.contains(one)),
        "{detail}"
    );
    let ada = server.player("Ada");
    let key = ada.send("POST", "/v1/games").header("Idempotency-Key", "two words");
    let key = key.json(&json!({"ruleset": "ecopolis", "seats": 2})).go();
    assert_eq!(key.problem(400, "malformed")["errors"][0]["header"], "Idempotency-Key");
    let cursor = server.get("/v1/games?cursor=zz").problem(400, "malformed");
    assert_eq!(cursor["errors"][0]["parameter"], "cursor");
}

#[test]
fn the_codes_of_problems_have_an_index() {
    let server = Server::start();
    let get = |path: &str, kind: &str| server.send("GET", path).header("Accept", kind).go();
    let all = get("/problems", "application/json").expect(200);
    let stale = all["items"].as_array().unwrap().iter().find(|one| one["code"] == "stale_seq").unwrap();
    assert_eq!(get("/problems/stale_seq", "application/json").expect(200), *stale);
    for kind in ["*/*", "text/html"] {
        let page = get("/problems", kind);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{kind}");
        assert!(page.text().contains("<a href=\"/problems/stale_seq\">The game has moved on</a>"));
    }
}
