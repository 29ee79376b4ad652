//! Hostile clients: their requests are refused, and other clients notice nothing.

use playledger::ledger::{encoding::hex, seed::entropy_commitment};
use serde_json::json;

use super::support::{
    Answer, Clock, DOCUMENT, Player, Request, Server,
    program::program,
    raw::{HOST, assert_problem, get, post, raw, status},
    table,
};

#[test]
fn heads_that_are_none_are_refused() {
    let server = Server::start();
    let many = "X: 1\r\n".repeat(100);
    let large = format!("X: {}\r\n", "a".repeat(200_000));
    for (name, head, expected) in [
        ("a greeting of TLS", "\x16\x03\x01\x02\r\n\r\n".to_owned(), 400),
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(), 400),
        ("no host", "GET /v1/games HTTP/1.1\r\n\r\n".into(), 400),
        ("a space in a name", format!("GET /v1/games HTTP/1.1\r\nX : y\r\n{HOST}\r\n"), 400),
        ("a folded header", format!("GET /v1/games HTTP/1.1\r\nX: y\r\n z\r\n{HOST}\r\n"), 400),
        ("a zero in a header", format!("GET /v1/games HTTP/1.1\r\nX: a\0b\r\n{HOST}\r\n"), 400),
        ("100 headers", format!("GET /v1/games HTTP/1.1\r\n{HOST}{many}\r\n"), 431),
        ("a header of 200 KB", format!("GET /v1/games HTTP/1.1\r\n{HOST}{large}\r\n"), 431),
        ("a path of 100 KB", format!("GET /{} HTTP/1.1\r\n{HOST}\r\n", "a".repeat(100_000)), 400),
    ] {
        let answer = raw(&server, head.as_bytes());
        // For oversized heads, the answer may be lost to the reset of the connection.
        let lost = answer.is_empty() && head.len() > 65_536;
        assert!(status(&answer) == expected || lost, "{name}: {answer}");
    }
    server.get("/health/live").expect(200);
}

/// A body with two lengths could smuggle a request past a proxy.
#[test]
fn bodies_of_a_doubtful_length_are_refused() {
    let server = Server::start();
    let smuggled = "0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n";
    for (lengths, body) in [
        ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", smuggled),
        ("Content-Length: 5\r\nContent-Length: 6\r\n", "{\"a\":1}"),
        ("Content-Length: -1\r\n", "{}"),
        ("Content-Length: 99999999999999999999999\r\n", "{}"),
        ("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "ffffffffffffffffff\r\n{}"),
    ] {
        let answer = raw(&server, &post("/v1/players", lengths, body));
        assert_eq!((status(&answer), answer.matches("HTTP/1.1").count()), (400, 1), "{lengths}{answer}");
    }
    server.get("/health/live").expect(200);
}

#[test]
fn a_body_may_have_64_kib_and_not_a_byte_more() {
    let server = Server::start();
    for (length, expected) in [(65_536, 201), (65_537, 413)] {
        let name = r#"{"name":"Ada"}"#;
        let body = format!("{name}{}", " ".repeat(length - name.len()));
        let plain = post("/v1/players", &format!("Content-Length: {length}\r\n"), &body);
        let chunked = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
        let chunked = post("/v1/players", "Transfer-Encoding: chunked\r\n", &chunked);
        for request in [plain, chunked] {
            let answer = raw(&server, &request);
            assert_eq!(status(&answer), expected, "{length}: {answer}");
            if expected == 413 {
                assert_problem(&answer, 413, "payload_too_large");
            }
        }
    }
}

#[test]
fn nothing_deep_is_followed() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob, operator) = (server.player("Ada"), server.player("Bob"), server.operator(&clock));
    let game = table(&[&ada, &bob], &json!({}));
    for (method, path) in writes(&game) {
        let is_operators = path.starts_with("/v1/admin/") || path == "/v1/operator-log";
        let caller = if is_operators { &operator } else { &ada };
        for deep in ["[".repeat(60_000), r#"{"a":"#.repeat(12_000), format!("{}1", "[".repeat(100))] {
            let request = caller.send(&method, &path).text(&deep).header("Content-Type", "application/json");
            let answer = request.go();
            // The verifier cannot read a deeply nested document.
            let report = answer.json();
            let refused = answer.status == 400 || report["checks"][0]["outcome"] == "fail";
            // Mail programs send arbitrary bodies with a click, which are ignored.
            let is_unread = path == "/v1/mail/unsubscriptions" && answer.status == 403;
            let refused = refused || is_unread;
            assert!(refused, "{method} {path}: {} {report}", answer.status);
        }
    }
}

/// Returns all requests with a body, for this game or for unknown ids.
fn writes(game: &str) -> Vec<(String, String)> {
    let mut writes = Vec::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        let path = path.replace("/v1/games/{id}", game).replace("{seat}", "1").replace("{code}", "AAAA");
        let parts = path
            .split('/')
            .map(|part| if part.starts_with('{') { "01900000-0000-7000-8000-000000000001" } else { part });
        let path = parts.collect::<Vec<_>>().join("/");
        let methods = ["post", "put", "patch"].into_iter().filter(|method| item[method].is_object());
        writes.extend(methods.map(|method| (method.to_uppercase(), path.clone())));
    }
    assert!(writes.len() > 40, "the document names them");
    writes
}

/// All bodies are read by the same rules, and mistakes are named.
#[test]
fn no_endpoint_takes_a_body_that_is_none() {
    let server = Server::with(&["--requests-per-second", "0"]);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let before = ada.get(&format!("{game}/log")).expect(200);
    let large = format!("{{}}{}", " ".repeat(100_000));
    let bodies: [(&str, &[u8]); 9] = [
        ("nothing of JSON", b"what?"),
        ("half of it", br#"{"a":"#),
        ("two", b"{}{}"),
        ("no object", b"[1]"),
        ("bytes", b"\"\xff\xfe\""),
        ("half a character", br#"{"name":"\ud800"}"#),
        ("a zero", br#"{"\u0000":"\u0000"}"#),
        ("a field twice and a number without end", br#"{"seats":1e400,"seats":2}"#),
        ("100 KB", large.as_bytes()),
    ];
    for (method, path) in writes(&game) {
        for (name, body) in bodies {
            let head = format!(
                "Authorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
                ada.token,
                body.len()
            );
            let head = format!("{method} {path} HTTP/1.1\r\n{HOST}{head}\r\n");
            let answer = raw(&server, &[head.as_bytes(), body].concat());
            // For an unread body, the answer may be lost to the reset of the connection.
            let lost = answer.is_empty() && name == "100 KB";
            let is_read = path == "/v1/audits" && status(&answer) == 200;
            let refused = (400..500).contains(&status(&answer)) && status(&answer) != 429;
            assert!(lost || is_read || refused, "{method} {path}, {name}: {answer}");
        }
    }
    assert!(ada.is_known(), "nothing was done");
    assert_eq!(ada.get(&format!("{game}/log")).expect(200), before, "nothing was done");
}

/// Neither may keep a connection for long.
#[test]
fn slow_heads_and_slow_bodies_are_cut_off() {
    let server = Server::with(&["--head-seconds", "1", "--body-seconds", "1"]);
    let body = post("/v1/players", "Content-Length: 10\r\n", "{");
    std::thread::scope(|scope| {
        let head = scope.spawn(|| raw(&server, b"GET /v1/games HTTP/1.1\r\nHo"));
        let body = scope.spawn(|| raw(&server, &body));
        assert_eq!(status(&head.join().unwrap()), 408);
        assert_problem(&body.join().unwrap(), 408, "request_timeout");
    });
}

#[test]
fn no_path_leads_out() {
    let server = Server::start();
    for path in [
        "/v1/games/../../etc/passwd",
        "/docs/../../Cargo.toml",
        "/docs/%2e%2e/%2e%2e/etc/passwd",
        "/docs/..%2f..%2fetc/passwd",
        "/docs\\..\\..\\Cargo.toml",
        "/problems/../metrics",
        "/v1/rulesets/ecopolis/../../me",
        "/v1/rulesets/%2e%2e",
        "//v1/games",
        "/v1//games",
        "/v1/./games",
        "/v1/games/",
        "/V1/games",
        "/v1/games;x=1",
        "/%2fmetrics",
        "/v1/games/%00",
        "/v1/games/%",
        "/v1/games/%ff%fe",
    ] {
        assert_problem(&raw(&server, &get(path)), 404, "not_found");
    }
}

/// A stored answer has data of its player.
#[test]
fn a_key_opens_nothing_for_another_player() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let sent = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    let send = |token: &str| {
        let request = server.send("POST", &format!("{game}/commands")).token(token).json(&sent);
        request.header("Idempotency-Key", "move-1").go()
    };
    let kept = send(&ada.token);
    assert_eq!(kept.status, 201);
    for (player, status, code) in [(&bob, 409, "stale_seq"), (&eve, 403, "not_seated")] {
        let answer = send(&player.token);
        assert_eq!(answer.header("idempotency-replayed"), None);
        answer.problem(status, code);
    }
    server
        .send("POST", &format!("{game}/commands"))
        .json(&sent)
        .header("Idempotency-Key", "move-1")
        .go()
        .problem(401, "unauthorized");
    let again = send(&ada.token);
    assert_eq!((again.header("idempotency-replayed"), &again.body), (Some("true"), &kept.body));
}

#[test]
fn a_question_behind_a_write_is_refused() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let sent = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    ada.post(&format!("{game}/commands?really=true"), &sent).problem(400, "malformed");
    ada.send("POST", &format!("{game}/resignation?really=no")).go().problem(400, "malformed");
    ada.send("DELETE", &format!("{game}?x=1")).go().problem(400, "malformed");
    server.send("POST", "/v1/audits?x=1").json(&json!({})).go().problem(400, "malformed");
    assert_eq!(ada.get(&format!("{game}/view")).expect(200)["seq"], 3, "nothing was done");
}

#[test]
fn a_page_of_another_origin_may_read_every_answer_if_it_may_read_any() {
    let server = Server::with(&[
        "--cors-origin",
        "https://client.example",
        "--requests-per-second",
        "1",
        "--request-burst",
        "6",
    ]);
    let from = |request: Request| request.header("Origin", "https://client.example").go();
    let allowed = |answer: &Answer| answer.header("access-control-allow-origin").map(str::to_owned);
    let preflight = server.send("OPTIONS", "/v1/games").header("Access-Control-Request-Method", "POST");
    let of_a_kind =
        |kind: &str| server.send("OPTIONS", "/v1/games").header("Access-Control-Request-Method", kind);
    assert_eq!(from(of_a_kind("HEAD")).status, 200);
    from(of_a_kind("TRACE")).problem(400, "malformed");
    let other =
        of_a_kind("GET").header("Origin", "https://other.example").header("Accept-Language", "it").go();
    assert_eq!(other.header("content-language"), Some("it"));
    other.problem(400, "malformed");
    let mut answers = vec![
        from(preflight),
        from(server.send("GET", "/v1/games")),
        from(server.send("GET", "/nope").header("Accept-Language", "it")),
        from(server.send("GET", "/v1/games").header("Accept", "text/csv")),
    ];
    while answers.last().unwrap().status != 429 {
        answers.push(from(server.send("GET", "/v1/games")));
    }
    for answer in answers {
        assert_eq!(allowed(&answer).as_deref(), Some("https://client.example"), "{answer:?}");
    }
}

#[test]
fn pages_of_all_origins_may_call_the_api_unless_the_operator_says_no() {
    let server = Server::start();
    let asked = server.send("OPTIONS", "/v1/games").header("Origin", "https://app.example");
    let asked = asked.header("Access-Control-Request-Method", "POST");
    let preflight = asked.header("Access-Control-Request-Headers", "x-client, authorization").go();
    assert_eq!(preflight.status, 200);
    assert_eq!(preflight.header("access-control-allow-origin"), Some("*"), "no cookie is used");
    let metrics = server.send("GET", "/metrics").header("Origin", "https://app.example").go();
    assert_eq!(
        (metrics.status, metrics.header("access-control-allow-origin")),
        (200, None),
        "local programs only"
    );
    let read = server.send("GET", "/v1/games").header("Origin", "https://app.example").go();
    assert_eq!(read.header("access-control-allow-origin"), Some("*"));
    assert_eq!(read.header("access-control-allow-credentials"), None);
    let closed = Server::with(&["--cors-origin", "none"]);
    let read = closed.send("GET", "/v1/games").header("Origin", "https://app.example").go();
    assert_eq!(read.header("access-control-allow-origin"), None);
}

/// Other games stay playable.
#[test]
fn a_damaged_game_harms_no_other() {
    needs!(file);
    let folder = std::sync::Arc::new(tempfile::tempdir().unwrap());
    let clock = Clock::default();
    let server = Server::on(&folder, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (sound, damaged) = (table(&[&ada, &bob], &json!({})), table(&[&ada, &bob], &json!({})));
    let (ada, id) = (ada.token.clone(), damaged.rsplit('/').next().unwrap().to_owned());
    drop(server);
    let database = folder.path().join("games.db");
    let raw = rusqlite::Connection::open(&database).unwrap();
    let change = "DROP TRIGGER log_is_never_changed;
        UPDATE log SET body = CAST(replace(CAST(body AS TEXT), 'join', 'jojn') AS BLOB) WHERE seq = 1 AND game = (SELECT max(id) FROM game)";
    raw.execute_batch(change).unwrap();
    drop(raw);
    let server = Server::on(&folder, &clock);
    server.get(&damaged).problem(500, "internal");
    for list in ["/v1/games", "/v1/me/games", "/v1/me/games?turn=mine"] {
        let items = server.send("GET", list).token(&ada).go().expect(200)["items"].to_string();
        assert!(!items.contains(&id), "{list}: {items}");
    }
    let list = server.get("/v1/games").expect(200);
    assert_eq!(list["items"].as_array().unwrap().len(), 1);
    server.get(&format!("{sound}/view")).expect(200);
    assert!(server.get("/metrics").text().contains("playledger_damaged_games 1"));
    let check = program().args(["check", "--database"]).arg(&database).output().unwrap();
    let said = String::from_utf8(check.stdout).unwrap();
    assert_eq!(
        (check.status.code(), said.matches(&id).count(), said.lines().count()),
        (Some(1), 1, 1),
        "{said}"
    );
}

/// Two seats with the same secret share one.
#[test]
fn a_promise_is_not_made_twice_at_a_table() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let promise = hex(&entropy_commitment(&[7; 32]));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 3, "entropy_commit": promise}));
    let join = |player: &Player, promise: &str| {
        player.post(&format!("{game}/seats"), &json!({"entropy_commit": promise}))
    };
    join(&eve, &promise).problem(422, "commitment_reused");
    let others = hex(&entropy_commitment(&[8; 32]));
    join(&bob, &others).expect(201);
    bob.send("DELETE", &format!("{game}/seats/mine")).go().expect(200);
    join(&eve, &others).problem(422, "commitment_reused");
}

/// Names and titles must look like their characters.
#[test]
fn names_and_titles_that_deceive_are_refused() {
    let server = Server::start();
    let ada = server.player("Ada");
    for text in ["Ada\u{202e}nimda", "A\u{200b}da", "\u{3164}", "\u{301}Ada", "\u{e000}", "Ada\u{2800}"] {
        let name = server.send("POST", "/v1/players").json(&json!({"name": text})).go();
        name.problem(400, "malformed");
        let title = ada.post("/v1/games", &json!({"ruleset": "ecopolis", "seats": 2, "title": text}));
        title.problem(400, "malformed");
    }
    let created = server.send("POST", "/v1/players").json(&json!({"name": " Zoe\u{308} "})).go().expect(201);
    assert_eq!(created["player"]["name"], "Zo\u{eb}");
}

#[test]
fn the_documentation_runs_its_own_scripts_only() {
    let server = Server::start();
    for path in ["/docs/", "/docs/index.html", "/docs/swagger-initializer.js"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200);
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(!answer.text().contains("<script>"), "no script stands in the page itself");
    }
    server.get("/docs/nothing.js").problem(404, "not_found");
}

/// Invented methods are no labels, and their lines are clipped.
#[test]
fn methods_that_are_made_up_are_counted_as_one() {
    let server = Server::start();
    for number in 0..20 {
        let head = format!("M{number}{} /health/live HTTP/1.1\r\n{HOST}\r\n", "X".repeat(10_000));
        assert_problem(&raw(&server, head.as_bytes()), 405, "method_not_allowed");
    }
    let metrics = server.get("/metrics").text();
    assert!(metrics.contains("method=\"other\",route=\"/health/live\",status=\"405\"} 20"), "{metrics}");
    assert!(metrics.len() < 5_000, "{} bytes", metrics.len());
}

#[test]
fn of_many_players_with_one_key_one_is_made() {
    let server = Server::start();
    let key = "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29";
    let mut statuses = std::thread::scope(|threads| {
        let made =
            || server.send("POST", "/v1/players").json(&json!({"name": "Ada", "key": key})).go().status;
        let all = [(); 10].map(|()| threads.spawn(made));
        all.map(|thread| thread.join().unwrap())
    });
    statuses.sort_unstable();
    assert_eq!((statuses[0], statuses[1], statuses[9]), (201, 409, 409), "{statuses:?}");
}
