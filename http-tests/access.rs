//! Access: every endpoint of a game, and every kind of caller.

use serde_json::json;

use super::support::{DOCUMENT, Server, table};

/// Method, path, body, and the two lines of statuses.
pub type Row = (&'static str, &'static str, &'static str, [u16; 3], [u16; 3]);

/// Requests, and their answers to a spectator, a stranger and a seated player, in a public and in a private
/// game.
pub const TABLE: &[Row] = &[
    ("GET", "", "", [200, 200, 200], [404, 404, 200]),
    ("GET", "/view", "", [200, 200, 200], [404, 404, 200]),
    ("GET", "/events", "", [200, 200, 200], [404, 404, 200]),
    ("GET", "/log", "", [200, 200, 200], [404, 404, 200]),
    ("GET", "/proof", "", [409, 409, 409], [404, 404, 409]),
    ("GET", "/replay", "", [409, 409, 409], [404, 404, 409]),
    (
        "POST",
        "/commands",
        r#"{"expected_seq":3,"command":{"type":"take_loan","count":0}}"#,
        [401, 403, 422],
        [401, 404, 422],
    ),
    (
        "POST",
        "/drafts",
        r#"{"expected_seq":3,"commands":[{"type":"take_loan","count":0}]}"#,
        [401, 403, 422],
        [401, 404, 422],
    ),
    ("POST", "/seats", "{}", [401, 409, 409], [401, 404, 409]),
    (
        "POST",
        "/entropy",
        r#"{"entropy":"0000000000000000000000000000000000000000000000000000000000000000"}"#,
        [401, 403, 409],
        [401, 404, 409],
    ),
    ("POST", "/rematch", "{}", [401, 403, 409], [401, 404, 409]),
    ("GET", "/note", "", [401, 403, 200], [401, 404, 200]),
    ("PUT", "/note", r#"{"text":"x"}"#, [401, 403, 200], [401, 404, 200]),
    ("GET", "/messages", "", [401, 403, 200], [401, 404, 200]),
    ("POST", "/messages", r#"{"text":"x"}"#, [401, 403, 201], [401, 404, 201]),
    ("GET", "/messages/0", "", [401, 403, 404], [401, 404, 404]),
    ("GET", "/mutes", "", [401, 403, 200], [401, 404, 200]),
    ("PUT", "/mutes/1", "", [401, 403, 200], [401, 404, 200]),
    ("DELETE", "/mutes/1", "", [401, 403, 204], [401, 404, 204]),
    ("DELETE", "", "", [401, 403, 409], [401, 404, 409]),
    ("DELETE", "/seats/mine", "", [401, 403, 409], [401, 404, 409]),
    ("POST", "/bots", r#"{"level":"easy"}"#, [401, 403, 409], [401, 404, 409]),
    (
        "POST",
        "/invitations",
        r#"{"player":"01900000-0000-7000-8000-000000000001","met_in":"01900000-0000-7000-8000-000000000002"}"#,
        [401, 404, 404],
        [401, 404, 404],
    ),
    ("POST", "/explorations", "{}", [401, 403, 201], [401, 404, 201]),
    ("DELETE", "/bots/1", "", [401, 403, 409], [401, 404, 409]),
    ("POST", "/resumption", "", [401, 403, 409], [401, 404, 409]),
    ("GET", "/pause", "", [200, 200, 200], [404, 404, 200]),
    ("PUT", "/pause", "", [401, 403, 409], [401, 404, 409]),
    ("DELETE", "/pause", "", [401, 403, 409], [401, 404, 409]),
    ("POST", "/takebacks", r#"{"expected_seq":3,"to":3}"#, [401, 403, 409], [401, 404, 409]),
    (
        "POST",
        "/revocations",
        r#"{"keys":["8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c"]}"#,
        [401, 403, 409],
        [401, 404, 409],
    ),
    ("POST", "/rekey", "", [401, 403, 409], [401, 404, 409]),
    ("GET", "/plan", "", [401, 403, 200], [401, 404, 200]),
    (
        "PUT",
        "/plan",
        r#"{"rules":[{"phase":"accident","command":{"type":"bribe"}}]}"#,
        [401, 403, 200],
        [401, 404, 200],
    ),
    ("DELETE", "/plan", "", [401, 403, 204], [401, 404, 204]),
    ("POST", "/substitution", "", [401, 403, 409], [401, 404, 409]),
    ("GET", "/substitution", "", [401, 403, 200], [401, 404, 200]),
    (
        "POST",
        "/substitution/acceptance",
        r#"{"player":"01900000-0000-7000-8000-000000000001"}"#,
        [401, 403, 404],
        [401, 404, 404],
    ),
    ("DELETE", "/substitution", "", [401, 403, 404], [401, 404, 404]),
    ("POST", "/resignation", "", [401, 403, 200], [401, 404, 200]),
];

#[test]
fn everybody_may_do_what_the_table_says_and_nothing_else() {
    // No proof can be had within the test.
    let server = Server::with(&["--checkpoint-seconds", "3600"]);
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let public = table(&[&ada, &bob], &json!({}));
    let private = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2, "visibility": "private"}));
    let invite = ada.get(&private).expect(200)["invite"].clone();
    bob.post(&format!("{private}/seats"), &json!({"invite": invite})).expect(201);
    for (method, path, body, in_public, in_private) in TABLE {
        for (game, expected) in [(&public, in_public), (&private, in_private)] {
            for (caller, expected) in [None, Some(&eve), Some(&ada)].into_iter().zip(expected) {
                let mut request = server.send(method, &format!("{game}{path}"));
                if let Some(player) = caller {
                    request = request.token(&player.token);
                }
                if !body.is_empty() {
                    request = request.text(body).header("Content-Type", "application/json");
                }
                let answer = request.go();
                let who =
                    caller.map_or(
                        "a spectator",
                        |player| if player.id == eve.id { "a stranger" } else { "a player" },
                    );
                assert_eq!(answer.status, *expected, "{method} {path} by {who}: {}", answer.text());
            }
        }
    }
}

/// All other endpoints, and their answers without a token: 401 if one is needed.
const ELSEWHERE: &[(&str, &str, u16)] = &[
    ("GET", "/", 200),
    ("GET", "/problems", 200),
    ("GET", "/problems/malformed", 200),
    ("GET", "/openapi.json", 200),
    ("GET", "/health/live", 200),
    ("GET", "/health/ready", 200),
    ("GET", "/metrics", 200),
    ("GET", "/v1/fairlog", 200),
    ("GET", "/tlog/checkpoint", 200),
    ("GET", "/v1/keys", 200),
    ("GET", "/v1/rulesets", 200),
    ("GET", "/v1/rulesets/ecopolis", 200),
    ("GET", "/v1/rulesets/ecopolis/rules", 200),
    ("GET", "/v1/rulesets/ecopolis/catalogue", 200),
    ("GET", "/v1/games", 200),
    ("POST", "/v1/audits", 200),
    ("POST", "/v1/players", 400),
    ("POST", "/v1/games", 401),
    ("GET", "/v1/me", 401),
    ("PATCH", "/v1/me", 401),
    ("DELETE", "/v1/me", 401),
    ("GET", "/v1/me/tokens", 401),
    ("POST", "/v1/me/tokens", 401),
    ("GET", "/v1/me/tokens/01900000-0000-7000-8000-000000000001", 401),
    ("DELETE", "/v1/me/tokens/01900000-0000-7000-8000-000000000001", 401),
    ("POST", "/v1/me/token", 401),
    ("POST", "/v1/me/recovery", 401),
    ("GET", "/v1/me/apps", 401),
    ("GET", "/v1/me/apps/01900000-0000-7000-8000-000000000001", 401),
    ("DELETE", "/v1/me/apps/01900000-0000-7000-8000-000000000001", 401),
    ("POST", "/v1/oauth/requests", 401),
    ("POST", "/v1/oauth/consents", 401),
    ("GET", "/.well-known/oauth-authorization-server", 200),
    ("GET", "/oauth/authorize", 200),
    ("GET", "/games", 200),
    ("GET", "/games/01900000-0000-7000-8000-000000000001", 200),
    ("GET", "/games/01900000-0000-7000-8000-000000000001@2.png", 404),
    ("GET", "/invite/none", 200),
    ("GET", "/rules", 200),
    ("GET", "/rules/ecopolis", 200),
    ("GET", "/rules/ecopolis/CO-1.1", 200),
    ("GET", "/settings", 200),
    ("GET", "/settings/", 308),
    ("GET", "/games/01900000-0000-7000-8000-000000000001/", 308),
    ("GET", "/code", 200),
    ("GET", "/check", 200),
    ("GET", "/manifest.webmanifest", 200),
    ("GET", "/openapi-strict.json", 200),
    ("GET", "/openapi-3.0.json", 200),
    ("POST", "/v1/me/links", 401),
    ("GET", "/v1/me/devices", 401),
    ("POST", "/v1/me/devices", 401),
    ("DELETE", "/v1/me/devices/0000000000000000000000000000000000000000000000000000000000000000", 401),
    ("POST", "/v1/recoveries", 400),
    ("POST", "/v1/sessions", 400),
    ("GET", "/v1/players/01900000-0000-7000-8000-000000000001", 404),
    ("GET", "/v1/explorations/01900000-0000-7000-8000-000000000001", 401),
    ("DELETE", "/v1/explorations/01900000-0000-7000-8000-000000000001", 401),
    ("POST", "/v1/explorations/01900000-0000-7000-8000-000000000001/commands", 401),
    ("PUT", "/v1/me/bot", 401),
    ("DELETE", "/v1/me/bot", 401),
    ("GET", "/v1/bots", 200),
    ("GET", "/v1/me/bot", 401),
    ("GET", "/v1/me/games", 401),
    ("GET", "/v1/me/events", 401),
    ("GET", "/v1/webhooks", 401),
    ("POST", "/v1/webhooks", 401),
    ("GET", "/v1/webhooks/01900000-0000-7000-8000-000000000001", 401),
    ("PATCH", "/v1/webhooks/01900000-0000-7000-8000-000000000001", 401),
    ("DELETE", "/v1/webhooks/01900000-0000-7000-8000-000000000001", 401),
    ("POST", "/v1/webhooks/01900000-0000-7000-8000-000000000001/test", 401),
    ("GET", "/v1/webhooks/01900000-0000-7000-8000-000000000001/deliveries", 401),
    ("POST", "/v1/webhooks/01900000-0000-7000-8000-000000000001/deliveries/x/resend", 401),
    ("GET", "/v1/me/notifications", 401),
    ("DELETE", "/v1/me/presence/x", 401),
    ("PATCH", "/v1/me/notifications", 401),
    ("POST", "/v1/mail/confirmations", 400),
    ("POST", "/v1/mail/unsubscriptions", 403),
    ("POST", "/v1/me/pushes", 401),
    ("GET", "/v1/me/pushes/01900000-0000-7000-8000-000000000001", 401),
    ("DELETE", "/v1/me/pushes/01900000-0000-7000-8000-000000000001", 401),
    ("POST", "/v1/me/pushes/01900000-0000-7000-8000-000000000001/test", 401),
    ("POST", "/v1/streams/tickets", 401),
    ("GET", "/v1/invites/none", 404),
    ("GET", "/v1/server", 200),
    ("GET", "/v1/operator-log", 200),
    ("GET", "/v1/operator-log/01900000-0000-7000-8000-000000000001", 404),
    ("POST", "/v1/operator-log", 401),
    ("GET", "/v1/admin/players", 401),
    ("GET", "/v1/admin/players/01900000-0000-7000-8000-000000000001", 401),
    ("GET", "/v1/admin/games", 401),
    ("GET", "/v1/admin/games/01900000-0000-7000-8000-000000000001", 401),
    ("GET", "/v1/admin/addresses", 401),
    ("GET", "/v1/admin/invitations", 401),
    ("GET", "/v1/admin/tokens", 401),
    ("GET", "/v1/admin/reports", 401),
    ("GET", "/v1/admin/reports/01900000-0000-7000-8000-000000000001", 401),
    ("PATCH", "/v1/admin/reports/01900000-0000-7000-8000-000000000001", 401),
    ("POST", "/v1/reports", 401),
    ("GET", "/v1/me/blocks", 401),
    ("GET", "/v1/me/blocks/01900000-0000-7000-8000-000000000001", 401),
    ("PUT", "/v1/me/blocks/01900000-0000-7000-8000-000000000001", 401),
    ("DELETE", "/v1/me/blocks/01900000-0000-7000-8000-000000000001", 401),
    ("GET", "/v1/me/export", 401),
    ("GET", "/admin", 200),
];

#[test]
fn without_a_token_there_is_what_the_table_says() {
    let server = Server::start();
    for (method, path, status) in ELSEWHERE {
        let request = server.send(method, path);
        let body = if *path == "/v1/games" { r#"{"ruleset":"ecopolis","seats":2}"# } else { "{}" };
        let request = if *method == "POST" {
            request.text(body).header("Content-Type", "application/json")
        } else {
            request
        };
        let answer = request.go();
        assert_eq!(answer.status, *status, "{method} {path}: {}", answer.text());
    }
}

#[test]
fn no_endpoint_is_missing_from_the_tables() {
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys().map(|method| method.to_uppercase()) {
            let of_a_game = path.strip_prefix("/v1/games/{id}");
            let fits = |shown: &str| {
                let (shown, path): (Vec<_>, Vec<_>) = (shown.split('/').collect(), path.split('/').collect());
                shown.len() == path.len()
                    && shown.iter().zip(&path).all(|(shown, part)| shown == part || part.starts_with('{'))
            };
            let known = match of_a_game {
                Some(rest) => {
                    let rest = rest.replace("{seat}", "1").replace("{message}", "0");
                    TABLE.iter().any(|(known, path, ..)| (*known, *path) == (method.as_str(), &rest))
                }
                None => ELSEWHERE.iter().any(|(known, path, _)| *known == method && fits(path)),
            };
            assert!(known, "{method} {path}");
        }
    }
}

/// No request of Bob changes Ada's seat.
#[test]
fn nobody_acts_for_another_seat() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    for (method, path, body, ..) in TABLE.iter().filter(|(method, ..)| *method != "GET") {
        let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
        let before_end = ada.legal(&game)["commands"].clone();
        let of_ada = || {
            let shown = ada.get(&game).expect(200);
            let view = ada.get(&format!("{game}/view")).expect(200);
            let legal = ada.legal(&game);
            // After Bob's resignation Ada has won, and no command is legal.
            let legal =
                if shown["status"] == "running" { legal["commands"].clone() } else { before_end.clone() };
            (shown["seats"][0].clone(), view["state"].clone(), legal)
        };
        let before = of_ada();
        let request = bob.send(method, &format!("{game}{path}"));
        let request = if body.is_empty() {
            request
        } else {
            request.text(body).header("Content-Type", "application/json")
        };
        request.go();
        assert_eq!(of_ada(), before, "{method} {path}");
    }
}
