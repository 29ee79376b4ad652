//! Every refusal, with its code.

use serde_json::{Value, json};

use super::support::{Server, table};

fn pointers(problem: &Value) -> Vec<String> {
    let errors = problem["errors"].as_array().unwrap().iter();
    errors.map(|error| error["pointer"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn bad_requests_are_told_what_is_wrong_with_them() {
    let server = Server::start();
    let send = |text: &str| {
        server.send("POST", "/v1/players").text(text).header("Content-Type", "application/json").go()
    };
    for (text, place) in [
        ("", "EOF"),
        ("{", "EOF"),
        ("[]", "must be an object"),
        ("null", "must be an object"),
        (r#"{"name":1}"#, "name: must be a string"),
        (r#"{"name":""}"#, "name"),
        (r#"{"name":"a\u0007b"}"#, "control"),
        (r#"{"name":"a","name":"b"}"#, "appears twice"),
        (r#"{"name":"a","age":3}"#, "age: is not a known field"),
        (&format!(r#"{{"name":"{}"}}"#, "x".repeat(41)), "1 to 40"),
        (&"[".repeat(5_000), "recursion"),
    ] {
        let problem = send(text).problem(400, "malformed");
        assert!(problem["detail"].as_str().unwrap().contains(place), "{text}: {problem}");
    }
    send(&format!(r#"{{"name":"{}"}}"#, "x".repeat(65_536))).problem(413, "payload_too_large");
    server
        .send("POST", "/v1/players")
        .text("{}")
        .header("Content-Type", "text/plain")
        .go()
        .problem(415, "unsupported_media_type");
    server.send("POST", "/v1/players").text("{}").go().problem(415, "unsupported_media_type");
    let zipped = server.send("POST", "/v1/players").json(&json!({})).header("Content-Encoding", "gzip");
    zipped.go().problem(415, "unsupported_media_type");
}

#[test]
fn a_long_name_of_a_field_is_not_repeated() {
    let server = Server::start();
    let sent = json!({"name": "Ada", "x".repeat(50_000): 1});
    let refused = server.send("POST", "/v1/players").json(&sent).go();
    assert!(refused.body.len() < 600, "{}", refused.body.len());
    let pointer = format!("/{}…", "x".repeat(40));
    assert_eq!(pointers(&refused.problem(400, "malformed")), [pointer]);
}

#[test]
fn the_framework_speaks_in_problems_too() {
    let server = Server::start();
    for path in
        ["/nope", "/v1", "/v1/games/not-a-uuid", "/v1/games/%00", "/v1/rulesets/chess", "/problems/none"]
    {
        server.get(path).problem(404, "not_found");
    }
    for (method, path, allow) in [
        ("PUT", "/v1/me", "DELETE, GET, HEAD, PATCH"),
        ("PUT", "/v1/players", "POST"),
        ("PATCH", "/v1/games", "GET, HEAD, POST"),
        ("POST", "/v1/games/x", "DELETE, GET, HEAD"),
        ("POST", "/tlog/tile/0/000", "GET, HEAD"),
        ("DELETE", "/docs/", "GET, HEAD"),
        ("PUT", "/worker.js", "GET, HEAD"),
    ] {
        let refused = server.send(method, path).go();
        let mut methods: Vec<&str> = refused.header("allow").unwrap().split(", ").collect();
        methods.sort_unstable();
        assert_eq!(methods.join(", "), allow, "{method} {path}");
        refused.problem(405, "method_not_allowed");
    }
    for query in [
        "x=1",
        "limit=0",
        "limit=101",
        "limit=1.0",
        "limit=+1",
        "limit=1&limit=2",
        "status=odd",
        "cursor=zz",
        "player=1",
    ] {
        server.get(&format!("/v1/games?{query}")).problem(400, "malformed");
    }
    let head = server.send("HEAD", "/v1/rulesets").go();
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn what_nobody_can_give_is_not_acceptable() {
    let server = Server::start();
    for (path, accept, status) in [
        ("/v1/games", "application/json", 200),
        ("/v1/games", "text/html, */*;q=0.1", 200),
        ("/v1/games", "text/csv", 406),
        ("/v1/games", "application/json;q=0", 406),
        ("/v1/fairlog", "text/markdown", 200),
        ("/v1/fairlog", "application/json", 406),
    ] {
        let answer = server.send("GET", path).header("Accept", accept).go();
        assert_eq!(answer.status, status, "{path} {accept}: {}", answer.text());
    }
    // An answer without content is of no type.
    let ada = server.player("Ada");
    for accept in ["application/json", "image/png"] {
        ada.send("DELETE", "/v1/me/bot").header("Accept", accept).go().expect(204);
    }
}

#[test]
fn tokens_must_be_valid_wherever_they_are_sent() {
    let server = Server::start();
    let ada = server.player("Ada");
    server.get("/v1/me").problem(401, "unauthorized");
    for wrong in ["Bearer nonsense", "Bearer ", "Basic abc", "nonsense"] {
        let answer = server.send("GET", "/v1/games").header("Authorization", wrong).go();
        assert_eq!(answer.header("www-authenticate"), Some("Bearer error=\"invalid_token\""));
        answer.problem(401, "unauthorized");
    }
    assert_eq!(ada.get("/v1/me").expect(200)["name"], "Ada");
    let renewed = ada.send("POST", "/v1/me/token").go().expect(201)["token"].as_str().unwrap().to_owned();
    assert_eq!(server.send("GET", "/v1/me").token(&renewed).go().expect(200)["id"], ada.id.as_str());
    ada.get("/v1/me").problem(401, "unauthorized");
}

#[test]
fn a_command_is_checked_in_the_order_of_the_contract() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let open = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2}));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let path = format!("{game}/commands");
    let good = json!({"type": "choose_combination", "column": 0});
    let with = |seq: u64, command: &Value| json!({"expected_seq": seq, "command": command});
    let nowhere = format!("/v1/games/{}/commands", uuid::Uuid::now_v7());

    server.send("POST", &nowhere).json(&json!({"command": good})).go().problem(401, "unauthorized");
    eve.post(&nowhere, &json!({"command": good})).problem(400, "malformed");
    eve.post(&nowhere, &json!({"expected_seq": 3})).problem(400, "malformed");
    eve.post(&nowhere, &with(3, &json!({"type": "castle"}))).problem(400, "malformed");
    let both = json!({"expected_seq": 3, "command": good, "commands": [good]});
    assert_eq!(pointers(&eve.post(&nowhere, &both).problem(400, "malformed")), ["/command"]);
    let empty = eve.post(&nowhere, &json!({"signed": 1})).problem(400, "malformed");
    assert_eq!(pointers(&empty), ["/expected_seq", "/signed", "/command"]);
    eve.post(&nowhere, &with(3, &good)).problem(404, "not_found");
    eve.post(&path, &with(0, &good)).problem(403, "not_seated");
    ada.post(&format!("{open}/commands"), &with(0, &good)).problem(409, "game_not_running");
    let stale = bob.post(&path, &with(2, &good)).problem(409, "stale_seq");
    assert_eq!(stale["seq"], 3);
    let illegal = bob.post(&path, &with(3, &good)).problem(409, "not_your_turn");
    assert_eq!(illegal["rule"], "IW-6.1");
    for malformed in [
        json!({"type": 0}),
        json!({"type": "roll"}),
        json!(["grow"]),
        json!({"type": "grow", "advisor": 1}),
        json!({"type": "grow", "card": "order"}),
        json!({"type": "bid", "amount": -1}),
        json!({"type": "bid", "amount": 9_007_199_254_740_992_u64}),
        json!({"type": "discard", "card": "joker"}),
        json!({"type": "discard", "card": {"order": null}}),
        json!({"type": "pass_bid", "x": 1}),
    ] {
        ada.post(&path, &with(3, &malformed)).problem(400, "malformed");
    }
    let list = json!([{"type": "grow", "advisor": 1}, {"type": "pass_bid"}, {"type": "bid", "amount": -1}]);
    for way in ["commands", "drafts"] {
        let sent = json!({"expected_seq": 3, "commands": list});
        let problem = ada.post(&format!("{game}/{way}"), &sent).problem(400, "malformed");
        assert_eq!(pointers(&problem), ["/commands/0/advisor", "/commands/2/amount"], "{way}");
    }
    let both = json!({"expected_seq": 3, "command": good, "commands": [good]});
    let both = ada.post(&path, &both).problem(400, "malformed");
    assert!(both["errors"][0]["detail"].as_str().unwrap().contains("cannot be sent together"), "{both}");
    ada.post(&path, &with(3, &json!({"type": "choose_combination", "column": 77})))
        .problem(422, "illegal_command");
    let (draft, drafts) = (json!({"expected_seq": 3, "commands": [good]}), format!("{game}/drafts"));
    ada.post(&drafts, &draft).expect(200);
    bob.post(&drafts, &draft).problem(409, "not_your_turn");
    assert_eq!(ada.get(&format!("{game}/view")).expect(200)["seq"], 3, "a draft changes nothing");
    ada.post(&path, &with(3, &good)).expect(201);
}

#[test]
fn whoever_asks_too_much_waits() {
    let server = Server::with(&["--requests-per-second", "1", "--request-burst", "5"]);
    let mut refused = None;
    for _ in 0..20 {
        let answer = server.get("/v1/keys");
        if answer.status == 429 {
            refused = Some(answer);
        }
    }
    let refused = refused.expect("a limit");
    assert!(refused.header("retry-after").unwrap().parse::<u64>().unwrap() >= 1);
    refused.problem(429, "rate_limited");
}

#[test]
fn every_code_has_a_page_in_both_languages() {
    let server = Server::start();
    for code in playledger::http::problem::CODES {
        let path = format!("/problems/{}", code.id);
        assert!(server.get(&path).text().contains(code.title.en));
        let italian = server.send("GET", &path).header("Accept-Language", "it").go();
        assert_eq!(italian.header("content-language"), Some("it"));
        assert!(italian.text().contains(code.title.it));
    }
}

/// Including mistakes within objects and lists.
#[test]
fn all_that_is_broken_within_a_field_is_named_at_once() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let bots = json!([{"seat": "x", "level": 7}, "easy", {"seat": 2, "z": 1}]);
    let bots = json!({"ruleset": "ecopolis", "seats": 2, "title": 7, "bots": bots});
    let bots = pointers(&ada.post("/v1/games", &bots).problem(400, "malformed"));
    let places = ["/bots/0/seat", "/bots/0/level", "/bots/1", "/bots/2/level", "/bots/2/z"];
    assert_eq!(bots, [&["/title"][..], &places[..]].concat());
    let seats = [0, 1, 1].map(|seat| json!({"seat": seat, "level": "easy"}));
    let seats = json!({"ruleset": "ecopolis", "seats": 2, "bots": seats, "options": {"max_rounds": 0}});
    let seats = pointers(&ada.post("/v1/games", &seats).problem(400, "malformed"));
    assert_eq!(seats, ["/options/max_rounds", "/bots/0/seat", "/bots/2/seat"]);

    let game = table(&[&ada, &bob], &json!({}));
    let commands = format!("{game}/commands");
    let signed = json!({"key": "x", "seen": -1, "y": 1});
    let signed = json!({"expected_seq": -1, "command": {"type": "bribe"}, "signed": signed});
    let signed = pointers(&ada.post(&commands, &signed).problem(400, "malformed"));
    assert_eq!(signed, ["/expected_seq", "/signed/key", "/signed/seen", "/signed/sig", "/signed/y"]);
    let areas = json!({"type": "innovate", "areas": [0, "waste_reduction", "x"]});
    let areas = ada.post(&commands, &json!({"expected_seq": 4, "command": areas}));
    assert_eq!(pointers(&areas.problem(400, "malformed")), ["/command/areas/0", "/command/areas/2"]);
    let rules = json!({"rules": [{"phase": 1, "command": {}}, {"z": 1}]});
    let plan = ada.send("PUT", &format!("{game}/plan")).json(&rules).go().problem(400, "malformed");
    assert_eq!(pointers(&plan), ["/rules/0/phase", "/rules/1/phase", "/rules/1/command", "/rules/1/z"]);
}

#[test]
fn all_broken_fields_are_named_at_once() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let order = json!({
        "ruleset": "ecopolis", "seats": "two", "title": "a\u{7}", "visibility": "hidden", "clock": {"move_seconds": 0},
        "options": {"max_rounds": 0, "open_hands": 1, "a/b": 2}, "fast~": true,
    });
    let problem = ada.post("/v1/games", &order).problem(400, "malformed");
    let expected = [
        "/seats",
        "/title",
        "/visibility",
        "/clock",
        "/fast~0",
        "/options/max_rounds",
        "/options/open_hands",
        "/options/a~1b",
    ];
    let found = pointers(&problem);
    let inner = json!({
        "ruleset": "ecopolis", "seats": 2, "signed": {"key": "x", "nonce": 5, "y": 1}, "clock": {"move_seconds": 0, "bank_seconds": -1, "z": 1},
    });
    let inner = ada.post("/v1/games", &inner).problem(400, "malformed");
    let places = [
        "/signed/key",
        "/signed/nonce",
        "/signed/y",
        "/clock/move_seconds",
        "/clock/bank_seconds",
        "/clock/z",
    ];
    let told = pointers(&inner);
    assert!(places.iter().all(|place| told.iter().any(|told| told == place)), "{told:?}");
    let scopes = ada.post("/v1/me/tokens", &json!({"name": "x", "scopes": ["read", "x", "y"]}));
    assert_eq!(pointers(&scopes.problem(400, "malformed")), ["/scopes/1", "/scopes/2"]);
    for pointer in expected {
        assert!(found.iter().any(|found| found.starts_with(pointer)), "{pointer} in {found:?}");
    }
    let of_visibility =
        problem["errors"].as_array().unwrap().iter().find(|error| error["pointer"] == "/visibility");
    assert_eq!(of_visibility.unwrap()["detail"], "`hidden` is not one of `public`, `unlisted`, `private`");
    let game = table(&[&ada, &bob], &json!({}));
    let command = json!({"type": "adjust_workforce", "direction": "up", "advisor": "yes", "x": 1});
    let sent = json!({"expected_seq": -1, "command": command, "signed": 0});
    let problem = ada.post(&format!("{game}/commands"), &sent).problem(400, "malformed");
    let all = ["/expected_seq", "/command/direction", "/command/advisor", "/command/x", "/signed"];
    assert_eq!(pointers(&problem), all);
    let sent =
        json!({"expected_seq": 1.5, "commands": [{"type": "bid", "amount": 1_u64 << 53}, {"type": "nope"}]});
    for path in ["commands", "drafts"] {
        let problem = ada.post(&format!("{game}/{path}"), &sent).problem(400, "malformed");
        assert_eq!(pointers(&problem), ["/expected_seq", "/commands/0/amount", "/commands/1/type"]);
    }
    let keys = ada.post(&format!("{game}/revocations"), &json!({"keys": ["x", 5]}));
    assert_eq!(pointers(&keys.problem(400, "malformed")), ["/keys/0", "/keys/1"]);
    let sent = json!({"ruleset": "nope", "seats": 2.5, "title": 5});
    assert_eq!(
        pointers(&ada.post("/v1/games", &sent).problem(400, "malformed")),
        ["/ruleset", "/seats", "/title"]
    );
    let sent = json!({"expected_seq": 4, "command": command});
    let problem = ada.post(&format!("{game}/commands"), &sent).problem(400, "malformed");
    assert_eq!(pointers(&problem), ["/command/direction", "/command/advisor", "/command/x"]);
    let many: serde_json::Map<_, _> = (0..1_000).map(|n| (format!("field{n}"), json!(n))).collect();
    assert_eq!(pointers(&ada.post("/v1/players", &Value::Object(many)).problem(400, "malformed")).len(), 20);
    let none = server.send("POST", "/v1/players").text("{").header("Content-Type", "application/json").go();
    assert_eq!(pointers(&none.problem(400, "malformed")), [""]);
}
