//! English and Italian.

use serde_json::{Value, json};

use super::support::{Server, table};

#[test]
fn texts_follow_the_reader_and_ids_do_not() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let send = |lang: &str| {
        let sent = json!({"expected_seq": 3, "command": {"type": "grow"}});
        let request = ada.send("POST", &format!("{game}/commands")).json(&sent);
        request.header("Accept-Language", lang).go().problem(422, "illegal_command")
    };
    let (english, italian) = (send("en"), send("it-IT,it;q=0.9"));
    assert_eq!(english["rule"], italian["rule"]);
    assert_ne!(english["detail"], italian["detail"]);
    assert_ne!(english["title"], italian["title"]);
    let rules = |lang: &str| {
        server.send("GET", "/v1/rulesets/industrial-waste/rules").header("Accept-Language", lang).go()
    };
    let heading = format!("### {} ", english["rule"].as_str().unwrap());
    for lang in ["en", "it"] {
        let rules = rules(lang);
        assert_eq!(rules.header("content-language"), Some(lang));
        assert_eq!(rules.header("content-type"), Some("text/markdown; charset=utf-8"));
        assert!(rules.text().contains(&heading), "a refusal names a heading");
    }
    let ruleset =
        server.send("GET", "/v1/rulesets/industrial-waste").header("Accept-Language", "it").go().expect(200);
    assert!(ruleset["summary"].as_str().unwrap().contains("azienda"));
    assert_eq!(ruleset["seats"], json!({"min": 2, "max": 4}));
    assert_eq!(ruleset["options"]["properties"]["max_rounds"]["default"], 40);
    let missing =
        server.send("GET", "/nowhere").header("Accept-Language", "it").go().problem(404, "not_found");
    assert_eq!(missing["title"], "Non trovato");
}

/// Every refusal is in the requested language.
#[test]
#[allow(clippy::too_many_lines, reason = "it is a table")]
fn every_detail_is_told_in_both_languages() {
    let server = Server::with(&["--games-of-player", "3"]);
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let open = bob.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let unlisted = bob.creates(&json!({"ruleset": "ecopolis", "seats": 2, "visibility": "unlisted"}));
    let running = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let sealed = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "entropy_commit": "ab".repeat(32)}));
    eve.post(&format!("{sealed}/seats"), &json!({})).expect(201);
    let reader =
        ada.post("/v1/me/tokens", &json!({"name": "r", "scopes": ["read"]})).expect(201)["token"].clone();
    let bytes = json!({"entropy": "00".repeat(32)});
    let command = |seq: u64, command: Value| json!({"expected_seq": seq, "command": command});
    let scope = |scopes: Value, end: Value| json!({"name": "x", "scopes": scopes, "expires_at": end});
    let to = |game: &str, path: &str| format!("{game}/{path}");
    let requests: Vec<(&str, &str, String, Option<Value>)> = vec![
        ("", "GET", "/v1/me".into(), None),
        ("plg_x", "GET", "/v1/me".into(), None),
        (reader.as_str().unwrap(), "POST", "/v1/games".into(), None),
        ("", "POST", "/v1/recoveries".into(), Some(json!({"code": "X"}))),
        ("", "GET", "/nope".into(), None),
        ("", "GET", "/v1/rulesets/chess".into(), None),
        ("", "GET", "/v1/games?x=1".into(), None),
        ("", "GET", "/v1/games?limit=0".into(), None),
        ("", "GET", "/v1/games?limit=1&limit=2".into(), None),
        ("", "GET", "/v1/games?status=odd".into(), None),
        ("", "GET", "/v1/games?cursor=x".into(), None),
        ("", "GET", "/v1/games?player=x".into(), None),
        ("", "GET", to(&running, "view?seq=99"), None),
        ("", "GET", to(&running, "replay"), None),
        ("", "GET", to(&running, "view?with=all"), None),
        ("", "PUT", "/v1/games".into(), None),
        ("", "POST", "/v1/players".into(), Some(json!({}))),
        ("", "POST", "/v1/players".into(), Some(json!({"name": 1}))),
        ("", "POST", "/v1/players".into(), Some(json!({"name": ""}))),
        ("", "POST", "/v1/players".into(), Some(json!({"name": "\u{202e}"}))),
        ("", "POST", "/v1/players".into(), Some(json!({"name": "\u{301}"}))),
        ("", "POST", "/v1/players".into(), Some(json!({"name": "x", "y": 1}))),
        ("", "POST", "/v1/players".into(), Some(json!([]))),
        ("", "POST", "/v1/audits".into(), Some(json!({"replay": "", "keys": ["x"]}))),
        ("", "POST", "/v1/audits".into(), Some(json!({"replay": "", "receipts": vec![""; 2_001]}))),
        ("", "POST", "/v1/audits".into(), Some(json!({"replay": "", "restores": ["x"]}))),
        (&ada.token, "POST", "/v1/me/tokens".into(), Some(scope(json!([]), Value::Null))),
        (&ada.token, "POST", "/v1/me/tokens".into(), Some(scope(json!(["x"]), Value::Null))),
        (&ada.token, "POST", "/v1/me/tokens".into(), Some(scope(json!(["read"]), json!("x")))),
        (
            &ada.token,
            "POST",
            "/v1/me/tokens".into(),
            Some(scope(json!(["read"]), json!("2001-01-01T00:00:00Z"))),
        ),
        (&ada.token, "POST", "/v1/me/tokens".into(), Some(json!({"name": "x", "scopes": 1}))),
        (&ada.token, "POST", "/v1/me/tokens".into(), Some(json!({"name": "x"}))),
        (&ada.token, "PUT", to(&running, "plan"), Some(json!({"rules": []}))),
        (&ada.token, "PUT", to(&running, "plan"), Some(json!({"rules": [{"phase": "playing"}]}))),
        (
            &ada.token,
            "POST",
            to(&running, "commands"),
            Some(
                json!({"expected_seq": 3, "command": {"type": "grow"}, "signed": {"key": "x", "seen": 4, "sig": "x"}}),
            ),
        ),
        (&ada.token, "DELETE", format!("/v1/me/tokens/{}", uuid::Uuid::now_v7()), None),
        (&ada.token, "POST", "/v1/games".into(), Some(json!({"ruleset": "chess", "seats": 9}))),
        (&ada.token, "POST", "/v1/games".into(), Some(json!({"ruleset": "ecopolis", "seats": 9}))),
        (
            &ada.token,
            "POST",
            "/v1/games".into(),
            Some(json!({"ruleset": "ecopolis", "seats": 2, "clock": {"move_seconds": 0}})),
        ),
        (
            &ada.token,
            "POST",
            "/v1/games".into(),
            Some(json!({"ruleset": "ecopolis", "seats": 2, "title": "x".repeat(101)})),
        ),
        (
            &ada.token,
            "POST",
            "/v1/games".into(),
            Some(json!({"ruleset": "ecopolis", "seats": 2, "options": {"max_rounds": 0}})),
        ),
        (
            &ada.token,
            "POST",
            "/v1/games".into(),
            Some(json!({"ruleset": "ecopolis", "seats": 2, "options": {"first_seat": 7}})),
        ),
        (
            &ada.token,
            "POST",
            "/v1/games".into(),
            Some(json!({"ruleset": "ecopolis", "seats": 2, "entropy_commit": "x"})),
        ),
        (&bob.token, "POST", "/v1/games".into(), Some(json!({"ruleset": "ecopolis", "seats": 2}))),
        (&ada.token, "POST", to(&unlisted, "seats"), Some(json!({"invite": "x"}))),
        (&bob.token, "POST", to(&open, "seats"), Some(json!({}))),
        (&eve.token, "POST", to(&running, "seats"), Some(json!({}))),
        (&eve.token, "POST", to(&running, "resignation"), None),
        (&ada.token, "POST", to(&running, "resumption"), None),
        (&eve.token, "DELETE", open.clone(), None),
        (&ada.token, "POST", to(&running, "entropy"), Some(bytes.clone())),
        (&ada.token, "POST", to(&sealed, "entropy"), Some(bytes.clone())),
        (&eve.token, "POST", to(&sealed, "entropy"), Some(bytes)),
        (&ada.token, "POST", to(&sealed, "commands"), Some(command(3, json!({"type": "roll"})))),
        (&ada.token, "POST", to(&running, "commands"), Some(command(0, json!({"type": "grow"})))),
        (&ada.token, "POST", to(&running, "commands"), Some(command(3, json!({"type": "grow"})))),
        (&ada.token, "POST", to(&running, "commands"), Some(command(3, json!({"type": "fly"})))),
        (
            &ada.token,
            "POST",
            to(&running, "commands"),
            Some(command(3, json!({"type": "discard", "card": "x"}))),
        ),
        (
            &ada.token,
            "POST",
            to(&running, "commands"),
            Some(command(3, json!({"type": "bid", "amount": -1}))),
        ),
        (
            &ada.token,
            "POST",
            to(&running, "commands"),
            Some(command(3, json!({"type": "innovate", "areas": 1}))),
        ),
        (&bob.token, "POST", to(&running, "commands"), Some(command(3, json!({"type": "grow"})))),
    ];
    let mut codes = std::collections::BTreeSet::new();
    for (token, method, path, body) in &requests {
        let told = |lang: &str| {
            let mut request = server.send(method, path).header("Accept-Language", lang);
            if !token.is_empty() {
                request = request.token(token);
            }
            let request = if let Some(body) = body { request.json(body) } else { request };
            let answer = request.go();
            assert!((400..500).contains(&answer.status), "{method} {path}: {}", answer.text());
            assert_eq!(answer.header("content-language"), Some(lang), "{method} {path}");
            answer.json()
        };
        let (english, italian) = (told("en"), told("it"));
        codes.insert(english["code"].as_str().unwrap().to_owned());
        for field in ["title", "detail"] {
            assert_ne!(english[field], italian[field], "{method} {path}: {english}");
        }
        let of_fields = |problem: &Value| problem["errors"].as_array().cloned().unwrap_or_default();
        for (english, italian) in of_fields(&english).iter().zip(of_fields(&italian)) {
            assert_eq!(english["pointer"], italian["pointer"]);
            assert_ne!(english["detail"], italian["detail"], "{method} {path}");
        }
    }
    assert!(codes.len() >= 20, "{codes:?}");
}
