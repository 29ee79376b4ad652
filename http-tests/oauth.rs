//! OAuth: apps of others come in with the player's consent, and do no more than they were allowed to.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::support::{
    Answer, Clock, Player, Server,
    receiver::{Receiver, Reply},
    table,
};

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CLIENT: &str = "http://localhost/callback";
const REDIRECT: &str = "http://localhost:8123/callback";
const HOUR: u64 = 60 * 60 * 1_000;
const DAY: u64 = 24 * HOUR;

/// A valid authorization request.
fn request() -> Value {
    json!({"response_type": "code", "client_id": CLIENT, "redirect_uri": REDIRECT, "scope": "read play",
        "state": "a b&c=d", "code_challenge": BASE64URL_NOPAD.encode(&Sha256::digest(VERIFIER)),
        "code_challenge_method": "S256"})
}

/// Returns the request with other fields.
fn with(changes: &Value) -> Value {
    let mut request = request();
    request.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    request
}

fn consent(player: &Player, request: &Value) -> Answer {
    player.post("/v1/oauth/consents", &json!({"request": request}))
}

/// Returns the parameters of an address.
fn query(address: &str) -> Vec<(String, String)> {
    url::Url::parse(address).unwrap().query_pairs().map(|(name, value)| (name.into(), value.into())).collect()
}

fn value(address: &str, name: &str) -> Option<String> {
    query(address).into_iter().find(|(known, _)| known == name).map(|(_, value)| value)
}

/// Returns the code of a consent.
fn code(player: &Player, request: &Value) -> String {
    let done = consent(player, request).expect(200);
    value(done["redirect"].as_str().unwrap(), "code").unwrap()
}

fn post(server: &Server, path: &str, form: &[(&str, &str)]) -> Answer {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in form {
        body.append_pair(name, value);
    }
    server
        .send("POST", path)
        .text(&body.finish())
        .header("Content-Type", "application/x-www-form-urlencoded")
        .go_unchecked()
}

fn exchange(server: &Server, code: &str) -> Answer {
    exchange_as(server, code, CLIENT, VERIFIER)
}

fn exchange_as(server: &Server, code: &str, client: &str, verifier: &str) -> Answer {
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("client_id", client),
        ("redirect_uri", REDIRECT),
        ("code_verifier", verifier),
    ];
    post(server, "/oauth/token", &form)
}

fn refresh(server: &Server, token: &Value) -> Answer {
    let token = token.as_str().unwrap();
    let form = [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", CLIENT)];
    post(server, "/oauth/token", &form)
}

/// Checks that the answer is this OAuth error.
#[track_caller]
fn error(answer: &Answer, code: &str) {
    assert_eq!((answer.status, &answer.json()["error"]), (400, &json!(code)), "{}", answer.text());
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

fn app<'s>(server: &'s Server, tokens: &Value) -> Player<'s> {
    Player::with(server, tokens["access_token"].as_str().unwrap().to_owned())
}

#[test]
fn an_app_comes_in_by_the_consent_of_the_player_and_plays() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let metadata = server.get("/.well-known/oauth-authorization-server");
    let metadata = metadata.expect(200);
    assert_eq!(metadata["code_challenge_methods_supported"], json!(["S256"]));
    let issuer = metadata["issuer"].as_str().unwrap().to_owned();
    assert_eq!(metadata["token_endpoint"], format!("{issuer}/oauth/token"));

    let asked = ada.post("/v1/oauth/requests", &request()).expect(200);
    assert_eq!((&asked["host"], &asked["returns_to"]), (&json!("localhost"), &json!(REDIRECT)));
    assert_eq!((&asked["scopes"], &asked["error"]), (&json!(["read", "play"]), &Value::Null));
    let refused = asked["refused"].as_str().unwrap();
    assert_eq!(value(refused, "error").as_deref(), Some("access_denied"));
    assert_eq!(value(refused, "state").as_deref(), Some("a b&c=d"));

    let done = consent(&ada, &request()).expect(200);
    let redirect = done["redirect"].as_str().unwrap();
    assert!(redirect.starts_with(&format!("{REDIRECT}?code=plc_")), "{redirect}");
    assert_eq!(value(redirect, "state").as_deref(), Some("a b&c=d"), "as it was sent");
    assert_eq!(value(redirect, "iss").unwrap(), issuer, "against mixed-up servers");
    assert_eq!(ada.get("/v1/me/apps").expect(200)["items"], json!([]), "nothing until the code is exchanged");
    let answer = exchange(&server, &value(redirect, "code").unwrap());
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let tokens = answer.expect(200);
    assert_eq!(
        (&tokens["token_type"], &tokens["expires_in"], &tokens["scope"]),
        (&json!("Bearer"), &json!(3_600), &json!("read play"))
    );

    let app = app(&server, &tokens);
    assert_eq!(app.get("/v1/me").expect(200)["name"], "Ada");
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let choice = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    app.post(&format!("{game}/commands"), &choice).expect(201);
    app.get("/v1/me/tokens").problem(403, "insufficient_scope");
    assert_eq!(
        ada.get("/v1/me/tokens").expect(200)["items"].as_array().unwrap().len(),
        1,
        "an app is no token"
    );

    let apps = ada.get("/v1/me/apps").expect(200)["items"].clone();
    assert_eq!((apps.as_array().unwrap().len(), &apps[0]["client_id"]), (1, &json!(CLIENT)));
    assert_eq!(apps[0]["name"], "localhost");
    let path = format!("/v1/me/apps/{}", apps[0]["id"].as_str().unwrap());
    assert_eq!(ada.get(&path).expect(200), apps[0]);
    bob.get(&path).problem(404, "not_found");
    bob.send("DELETE", &path).go().problem(404, "not_found");
    ada.send("DELETE", &path).go().expect(204);
    app.get("/v1/me").problem(401, "unauthorized");
    error(&refresh(&server, &tokens["refresh_token"]), "invalid_grant");
    assert_eq!(ada.get("/v1/me/apps").expect(200)["items"], json!([]));
}

#[test]
fn a_code_is_good_once_for_its_client_with_its_verifier_and_for_a_minute() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let ada = server.player("Ada");
    let once = code(&ada, &request());
    let tokens = exchange(&server, &once).expect(200);
    error(&exchange(&server, &once), "invalid_grant");
    let app = app(&server, &tokens);
    app.get("/v1/me").problem(401, "unauthorized");
    error(&refresh(&server, &tokens["refresh_token"]), "invalid_grant");

    let stolen = code(&ada, &request());
    error(&exchange_as(&server, &stolen, CLIENT, &"x".repeat(43)), "invalid_grant");
    error(&exchange(&server, &stolen), "invalid_grant");
    let other = code(&ada, &request());
    error(&exchange_as(&server, &other, "http://localhost/other", VERIFIER), "invalid_grant");
    let late = code(&ada, &request());
    clock.advance(60_000);
    error(&exchange(&server, &late), "invalid_grant");
    error(&exchange(&server, "plc_nonsense"), "invalid_grant");
    assert_eq!(ada.get("/v1/me/apps").expect(200)["items"], json!([]));
}

#[test]
fn no_one_is_led_where_the_client_did_not_say() {
    let server = Server::start();
    let ada = server.player("Ada");
    for (client, redirect) in [
        (CLIENT, "http://localhost:8123/other"),
        (CLIENT, "http://localhost.evil.example/callback"),
        (CLIENT, "http://127.0.0.1:8123/callback"),
        (CLIENT, "https://localhost:8123/callback"),
        (CLIENT, "http://localhost:8123/callback?next=https://evil.example"),
        (CLIENT, "http://localhost:8123/callback#x"),
        (CLIENT, "http://evil@localhost:8123/callback"),
        (CLIENT, "http://localhost:8123/callback/../../evil"),
        (CLIENT, "javascript:alert(1)"),
        (CLIENT, "//localhost/callback"),
        ("http://evil.example/callback", "http://evil.example/callback"),
        ("https://127.0.0.1/client", "https://127.0.0.1/callback"),
        ("https://user:pw@app.example/client", "https://app.example/callback"),
        ("app", REDIRECT),
        ("", REDIRECT),
    ] {
        let sent = with(&json!({"client_id": client, "redirect_uri": redirect}));
        for (path, body) in
            [("/v1/oauth/requests", sent.clone()), ("/v1/oauth/consents", json!({"request": sent}))]
        {
            let problem = ada.post(path, &body).problem(400, "malformed");
            let pointer = problem["errors"][0]["pointer"].as_str().unwrap();
            assert!(pointer == "/client_id" || pointer == "/redirect_uri", "{client} {redirect}: {problem}");
        }
    }
}

#[test]
fn a_mistake_of_the_app_is_told_to_the_app() {
    let server = Server::start();
    let ada = server.player("Ada");
    for (changes, wrong) in [
        (json!({"response_type": "token"}), "unsupported_response_type"),
        (json!({"response_type": null}), "unsupported_response_type"),
        (json!({"code_challenge": null}), "invalid_request"),
        (json!({"code_challenge_method": "plain"}), "invalid_request"),
        (json!({"code_challenge_method": null}), "invalid_request"),
        (json!({"code_challenge": "short"}), "invalid_request"),
        (json!({"scope": "play everything"}), "invalid_scope"),
        (json!({"scope": " "}), "invalid_scope"),
        (json!({"scope": "account", "game": "01900000-0000-7000-8000-000000000001"}), "invalid_scope"),
    ] {
        let sent = with(&changes);
        assert_eq!(ada.post("/v1/oauth/requests", &sent).expect(200)["error"], wrong, "{changes}");
        let done = consent(&ada, &sent).expect(200);
        let redirect = done["redirect"].as_str().unwrap();
        assert_eq!(value(redirect, "error").as_deref(), Some(wrong), "{changes}");
        assert_eq!(value(redirect, "code"), None);
    }
    for (form, wrong) in [
        (vec![], "invalid_request"),
        (vec![("grant_type", "password"), ("client_id", CLIENT)], "unsupported_grant_type"),
        (vec![("grant_type", "authorization_code"), ("client_id", CLIENT), ("code", "x")], "invalid_request"),
        (vec![("grant_type", "refresh_token"), ("refresh_token", "x")], "invalid_request"),
        (vec![("grant_type", "refresh_token"), ("grant_type", "refresh_token")], "invalid_request"),
    ] {
        error(&post(&server, "/oauth/token", &form), wrong);
    }
    error(&server.send("POST", "/oauth/token").json(&json!({})).go_unchecked(), "invalid_request");
}

#[test]
fn a_refresh_token_is_replaced_and_a_stolen_one_ends_the_app() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let ada = server.player("Ada");
    let first = exchange(&server, &code(&ada, &request())).expect(200);
    clock.advance(2 * HOUR);
    app(&server, &first).get("/v1/me").problem(401, "unauthorized");
    // Answers may be lost: until the new access token is used, the old refresh token works.
    let lost = refresh(&server, &first["refresh_token"]).expect(200);
    let second = refresh(&server, &first["refresh_token"]).expect(200);
    assert_ne!(lost["refresh_token"], second["refresh_token"]);
    app(&server, &lost).get("/v1/me").problem(401, "unauthorized");
    app(&server, &second).get("/v1/me").expect(200);
    let third = refresh(&server, &second["refresh_token"]).expect(200);
    app(&server, &second).get("/v1/me").expect(200);
    let form = [
        ("grant_type", "refresh_token"),
        ("refresh_token", third["refresh_token"].as_str().unwrap()),
        ("client_id", "http://localhost/other"),
    ];
    error(&post(&server, "/oauth/token", &form), "invalid_grant");
    app(&server, &third).get("/v1/me").expect(200);
    app(&server, &second).get("/v1/me").problem(401, "unauthorized");
    // The one before comes again: one of two holders has stolen it.
    error(&refresh(&server, &second["refresh_token"]), "invalid_grant");
    app(&server, &third).get("/v1/me").problem(401, "unauthorized");
    error(&refresh(&server, &third["refresh_token"]), "invalid_grant");
}

#[test]
fn an_app_ends_with_its_time_with_its_account_and_by_its_own_wish() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let ada = server.player("Ada");
    let short = ada.post("/v1/oauth/consents", &json!({"request": request(), "days": 1})).expect(200);
    let short = exchange(&server, &value(short["redirect"].as_str().unwrap(), "code").unwrap()).expect(200);
    clock.advance(DAY - HOUR / 2);
    let last = refresh(&server, &short["refresh_token"]).expect(200);
    assert_eq!(last["expires_in"], 1_800, "no longer than the app");
    clock.advance(HOUR / 2);
    app(&server, &last).get("/v1/me").problem(401, "unauthorized");
    error(&refresh(&server, &last["refresh_token"]), "invalid_grant");
    assert_eq!(ada.get("/v1/me/apps").expect(200)["items"], json!([]));
    for days in [0, 367] {
        ada.post("/v1/oauth/consents", &json!({"request": request(), "days": days}))
            .problem(400, "malformed");
    }

    let tokens = exchange(&server, &code(&ada, &request())).expect(200);
    let revoke = |token: &Value| post(&server, "/oauth/revoke", &[("token", token.as_str().unwrap())]).status;
    assert_eq!(revoke(&tokens["access_token"]), 200);
    app(&server, &tokens).get("/v1/me").problem(401, "unauthorized");
    let next = refresh(&server, &tokens["refresh_token"]).expect(200);
    assert_eq!(revoke(&next["refresh_token"]), 200);
    app(&server, &next).get("/v1/me").problem(401, "unauthorized");
    assert_eq!(revoke(&json!("plr_unknown")), 200);
    assert_eq!(revoke(&json!(ada.token)), 200);
    assert!(ada.is_known(), "a token of the player's own is revoked elsewhere");

    let tokens = exchange(&server, &code(&ada, &request())).expect(200);
    server.send("POST", "/v1/recoveries").json(&json!({"code": ada.recovery})).go().expect(200);
    let app = app(&server, &tokens);
    assert!(!ada.is_known() || app.is_known(), "a recovery ends all tokens once its own is used");
}

#[test]
fn an_app_cannot_extend_its_rights() {
    let server = Server::start();
    let ada = server.player("Ada");
    let all = with(&json!({"scope": "read play account"}));
    let app = app(&server, &exchange(&server, &code(&ada, &all)).expect(200));
    app.send("PATCH", "/v1/me").json(&json!({"name": "Ada B."})).go().expect(200);
    for (method, path, body) in [
        ("POST", "/v1/me/tokens", json!({"name": "x", "scopes": ["read"]})),
        ("POST", "/v1/me/token", json!({})),
        ("POST", "/v1/me/links", json!({})),
        ("POST", "/v1/me/recovery", json!({})),
        ("POST", "/v1/oauth/requests", request()),
        ("POST", "/v1/oauth/consents", json!({"request": request()})),
        ("DELETE", "/v1/me", json!({})),
        ("DELETE", "/v1/me/apps/01900000-0000-7000-8000-000000000001", json!({})),
        ("DELETE", "/v1/me/tokens/01900000-0000-7000-8000-000000000001", json!({})),
    ] {
        app.send(method, path).json(&body).go().problem(403, "insufficient_scope");
    }
    // Nor can a token that has less give more.
    let order = json!({"name": "reader", "scopes": ["account"]});
    let token = ada.post("/v1/me/tokens", &order).expect(201)["token"].as_str().unwrap().to_owned();
    consent(&Player::with(&server, token), &request()).problem(403, "insufficient_scope");
}

#[test]
fn an_app_of_one_game_sees_only_that() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (one, other) = (table(&[&ada, &bob], &json!({})), table(&[&ada, &bob], &json!({})));
    let sent = with(&json!({"game": one.rsplit('/').next().unwrap()}));
    let tokens = exchange(&server, &code(&ada, &sent)).expect(200);
    assert_eq!(tokens["game"], sent["game"]);
    let app = app(&server, &tokens);
    app.get(&format!("{one}/view")).expect(200);
    app.get(&format!("{other}/view")).problem(404, "not_found");
    let nowhere = with(&json!({"game": "01900000-0000-7000-8000-000000000001"}));
    consent(&ada, &nowhere).problem(404, "not_found");
}

#[test]
fn a_client_with_an_address_says_who_it_is_in_its_document() {
    let receiver = Receiver::start();
    let ada_of = |server: &Server| server.player("Ada").token;
    let server = super::webhooks::server(&receiver, &Clock::default());
    let ada = Player::with(&server, ada_of(&server));
    let id = receiver.url("/client.json");
    let redirect = "https://app.example/callback";
    let ask = |document: &Value| {
        let text = document.to_string();
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{text}", text.len());
        receiver.answer(move |_| Reply::Text(answer.clone()));
        ada.post("/v1/oauth/requests", &with(&json!({"client_id": id, "redirect_uri": redirect})))
    };
    let good = json!({"client_id": id, "client_name": "Board Friend", "redirect_uris": [redirect]});
    let asked = ask(&good).expect(200);
    assert_eq!((&asked["name"], &asked["returns_to"]), (&json!("Board Friend"), &json!(redirect)));
    let mut other = good.clone();
    other["client_id"] = "https://app.example/other".into();
    ask(&other).problem(400, "malformed");
    other = good.clone();
    other["redirect_uris"] = json!(["https://app.example/callback/"]);
    ask(&other).problem(400, "malformed");
    other = good.clone();
    other["token_endpoint_auth_method"] = "client_secret_basic".into();
    ask(&other).problem(400, "malformed");
    other = good.clone();
    other["client_name"] = "Evil\u{202e}".into();
    assert_eq!(ask(&other).expect(200)["name"], Value::Null, "a name that cannot be shown is none");
    other["padding"] = "x".repeat(9_000).into();
    ask(&other).problem(400, "malformed");
    ask(&json!("no document")).problem(400, "malformed");
}

/// A stolen refresh token ends the app, even if the thief was faster.
#[test]
fn two_holders_of_a_refresh_token_end_the_app() {
    let server = Server::start();
    let ada = server.player("Ada");
    let tokens = exchange(&server, &code(&ada, &request())).expect(200);
    let owner = refresh(&server, &tokens["refresh_token"]).expect(200);
    let thief = refresh(&server, &tokens["refresh_token"]).expect(200);
    app(&server, &thief).get("/v1/me").expect(200);
    error(&refresh(&server, &owner["refresh_token"]), "invalid_grant");
    app(&server, &thief).get("/v1/me").problem(401, "unauthorized");
    assert_eq!(ada.get("/v1/me/apps").expect(200)["items"], json!([]));
}

/// Webhooks, push and mail would continue after the app is disconnected.
#[test]
fn an_app_sends_nothing_elsewhere() {
    let server = Server::start();
    let ada = server.player("Ada");
    let tokens = exchange(&server, &code(&ada, &with(&json!({"scope": "read play account"})))).expect(200);
    let app = app(&server, &tokens);
    let hook = json!({"url": "https://app.example/", "format": "standard"});
    app.post("/v1/webhooks", &hook).problem(403, "insufficient_scope");
    let push = json!({"endpoint": "https://push.example/", "keys": {"p256dh": "a", "auth": "b"}});
    app.post("/v1/me/pushes", &push).problem(403, "insufficient_scope");
    let mail = json!({"mail": {"address": "app@app.example"}});
    app.send("PATCH", "/v1/me/notifications").json(&mail).go().problem(403, "insufficient_scope");
    app.send("PATCH", "/v1/me").json(&json!({"name": "Ada L"})).go().expect(200);
}

/// Codes are long, so wrong ones need not be counted against an address.
#[test]
fn wrong_codes_of_an_app_keep_nobody_out() {
    let server = Server::start();
    let ada = server.player("Ada");
    for _ in 0..30 {
        error(&exchange(&server, "plc_wrong"), "invalid_grant");
    }
    exchange(&server, &code(&ada, &request())).expect(200);
}
