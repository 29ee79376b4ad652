//! Accounts: the reach of tokens, and accounts that survive lost answers.

use std::{io::Write as _, net::TcpStream};

use serde_json::{Value, json};

use super::support::{Clock, Player, Server, play_to_the_end, raw, table};

const MINUTE: u64 = 60_000;
const HOUR: u64 = 60 * MINUTE;

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_else(|| panic!("{field} of {value}")).to_owned()
}

fn token<'s>(player: &Player<'s>, order: &Value) -> Player<'s> {
    Player::with(player.server, text(&player.post("/v1/me/tokens", order).expect(201), "token"))
}

fn of_scopes<'s>(player: &Player<'s>, scopes: &[&str]) -> Player<'s> {
    token(player, &json!({"name": "test", "scopes": scopes}))
}

#[test]
fn a_token_can_be_told_from_any_other_text_and_a_mistyped_one_is_refused() {
    let server = Server::start();
    let ada = server.player("Ada");
    assert!(ada.token.starts_with("plg_") && ada.token.len() == 64, "{}", ada.token);
    for wrong in [format!("{}0", ada.token), ada.token.replace("plg_", "plg-"), "plg_".to_owned()] {
        server.send("GET", "/v1/me").token(&wrong).go().problem(401, "unauthorized");
        // Also where none is needed.
        server.send("GET", "/v1/rulesets").token(&wrong).go().problem(401, "unauthorized");
        server.send("POST", "/v1/players").token(&wrong).json(&json!({"name": "x"})).go().expect(401);
    }
    server
        .send("GET", "/v1/rulesets")
        .header("Authorization", "Basic eDp5")
        .go()
        .problem(401, "unauthorized");
}

#[test]
fn a_scope_lets_do_what_it_says_and_its_lack_is_named() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let (view, command) = (format!("{game}/view"), format!("{game}/commands"));
    let loan = json!({"expected_seq": 3, "command": {"type": "take_loan", "count": 1}});
    let scopes: [(&[&str], [u16; 4]); 4] = [
        (&["read"], [200, 200, 403, 403]),
        (&["play"], [200, 200, 200, 403]),
        (&["account"], [403, 403, 403, 200]),
        (&["read", "play", "account"], [200, 200, 200, 200]),
    ];
    for (scopes, expected) in scopes {
        let holder = of_scopes(&ada, scopes);
        assert_eq!(holder.get("/v1/me").expect(200)["id"], ada.id.as_str(), "whose it is, everyone may know");
        let draft = json!({"expected_seq": loan["expected_seq"], "commands": [loan["command"]]});
        let answers = [
            holder.get(&view),
            holder.get("/v1/me/games?turn=mine"),
            holder.post(&format!("{game}/drafts"), &draft),
            holder.get("/v1/me/tokens"),
        ];
        assert_eq!(answers.each_ref().map(|answer| answer.status), expected, "{scopes:?}");
    }
    let reader = of_scopes(&ada, &["read"]);
    let refused = reader.post(&command, &loan);
    let challenge = refused.header("www-authenticate").unwrap().to_owned();
    assert_eq!(challenge, r#"Bearer error="insufficient_scope", scope="play""#);
    assert_eq!(refused.problem(403, "insufficient_scope")["scope"], "play");
    // The scope comes before the form.
    reader.send("POST", &command).text("{").go().problem(403, "insufficient_scope");
    server.send("POST", &command).text("{").go().problem(401, "unauthorized");
    ada.send("POST", &command).text("{").go().problem(415, "unsupported_media_type");
}

#[test]
fn a_token_can_make_none_that_may_do_more_than_itself() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let ada = server.player("Ada");
    let until = |minutes: u64| {
        chrono::DateTime::from_timestamp_millis((1_800_000_000_000 + minutes * MINUTE).cast_signed())
            .unwrap()
            .to_rfc3339()
    };
    let account = token(&ada, &json!({"name": "a", "scopes": ["account", "read"], "expires_at": until(30)}));
    let make = |scopes: Value, expires_at: Value| {
        account.post("/v1/me/tokens", &json!({"name": "b", "scopes": scopes, "expires_at": expires_at}))
    };
    assert_eq!(
        make(json!(["read", "play"]), Value::Null).problem(403, "insufficient_scope")["scope"],
        "play"
    );
    make(json!(["read"]), json!(until(31))).problem(400, "malformed");
    make(json!(["read"]), json!(until(0))).problem(400, "malformed");
    let made = make(json!(["read"]), Value::Null).expect(201);
    assert_eq!(made["expires_at"], "2027-01-15T08:30:00.000Z", "it ends with the one that made it");
    let heir = Player::with(&server, text(&made, "token"));
    assert!(heir.is_known());
    clock.advance(30 * MINUTE);
    assert!(!heir.is_known() && !account.is_known() && ada.is_known(), "an end is an end");
    assert_eq!(ada.get("/v1/me/tokens").expect(200)["items"].as_array().unwrap().len(), 1);
    // A recovery code gives a token with all scopes and without an end.
    let all = json!(["read", "play", "account"]);
    let ends = token(&ada, &json!({"name": "a", "scopes": all, "expires_at": until(60)}));
    ends.send("POST", "/v1/me/recovery").go().problem(403, "insufficient_scope");
    let lacks = of_scopes(&ada, &["account"]);
    assert_eq!(
        lacks.send("POST", "/v1/me/recovery").go().problem(403, "insufficient_scope")["scope"],
        "read"
    );
    ada.send("POST", "/v1/me/recovery").go().expect(200);
    for wrong in [
        json!({"name": "b", "scopes": []}),
        json!({"name": "b", "scopes": ["fly"]}),
        json!({"name": "b"}),
        json!({"name": "", "scopes": ["read"]}),
        json!({"name": "b", "scopes": ["read"], "expires_at": "tomorrow"}),
        json!({"name": "b", "scopes": ["read"], "game": "x"}),
    ] {
        ada.post("/v1/me/tokens", &wrong).problem(400, "malformed");
    }
    let unknown = json!({"name": "b", "scopes": ["read"], "game": "01900000-0000-7000-8000-000000000001"});
    ada.post("/v1/me/tokens", &unknown).problem(404, "not_found");
}

#[test]
fn a_token_of_one_game_sees_and_does_only_that() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (one, other) =
        (table(&[&ada, &bob], &json!({"first_seat": 0})), table(&[&ada, &bob], &json!({"first_seat": 0})));
    let id = one.rsplit('/').next().unwrap();
    let order = json!({"name": "for Carla", "scopes": ["read"], "game": id});
    let friend = token(&ada, &order);
    assert_eq!(friend.get(&format!("{one}/view")).expect(200)["viewer"]["seat"], 0, "my own hand");
    for path in ["", "/view", "/events", "/log"] {
        friend.get(&format!("{other}{path}")).problem(404, "not_found");
        // In every spelling of the path that the router accepts.
        for spelled in ["/v1/%67ames", "/%761/games", "/v1/game%73", "/v1/g%61me%73"] {
            let path = format!("{}{path}", other.replace("/v1/games", spelled));
            friend.get(&path).problem(404, "not_found");
        }
    }
    for list in ["/v1/games", "/v1/me/games", "/v1/me/games?turn=mine"] {
        let games = friend.get(list).expect(200)["items"].clone();
        assert_eq!((games.as_array().unwrap().len(), games[0]["id"].as_str()), (1, Some(id)), "{list}");
    }
    let player = token(&ada, &json!({"name": "bot", "scopes": ["play"], "game": id}));
    player.post("/v1/games", &json!({"ruleset": "ecopolis", "seats": 2})).problem(403, "insufficient_scope");
    player.send("POST", "/v1/games").text("{").go().problem(403, "insufficient_scope");
    player.post(&format!("{other}/commands"), &json!({})).problem(404, "not_found");
    let spelled = other.replace("games", "%67ames");
    player.post(&format!("{spelled}/resignation"), &json!({})).problem(404, "not_found");
    // Explorations of other games do not exist either.
    let explored = ada.post(&format!("{other}/explorations"), &json!({})).expect(201);
    let explored = format!("/v1/explorations/{}", text(&explored, "id"));
    player.get(&explored).problem(404, "not_found");
    player
        .post(&format!("{explored}/commands"), &json!({"expected_seq": 0, "command": {"type": "grow"}}))
        .problem(404, "not_found");
    player.send("DELETE", &explored).go().problem(404, "not_found");
    let own = player.post(&format!("{one}/explorations"), &json!({})).expect(201);
    player.get(&format!("/v1/explorations/{}", text(&own, "id"))).expect(200);
    let with_account = json!({"name": "x", "scopes": ["account"], "game": id});
    ada.post("/v1/me/tokens", &with_account).problem(400, "malformed");
    // The stream has notices of this game only.
    let mut notices = player.send("GET", "/v1/me/events").stream();
    ada.send("POST", &format!("{other}/resignation")).go().expect(200);
    ada.send("POST", &format!("{one}/resignation")).go().expect(200);
    assert_eq!(notices.next().unwrap().data["game"], id);
}

#[test]
fn tokens_are_listed_and_end() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let ada = server.player("Ada");
    let bot = of_scopes(&ada, &["play"]);
    clock.advance(3 * HOUR / 2);
    assert!(bot.is_known());
    // Uses are noted without a commit. The next write has them on disk.
    ada.send("POST", "/v1/me/links").go().expect(200);
    let listed = ada.get("/v1/me/tokens").expect(200)["items"].clone();
    let shown: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|token| (token["name"].clone(), token["scopes"].clone(), token["current"].clone()))
        .collect();
    assert_eq!(
        json!(shown),
        json!([["first", ["read", "play", "account"], true], ["test", ["play"], false]])
    );
    assert_eq!(listed[1]["last_used_at"], "2027-01-15T09:00:00.000Z", "to the hour");
    assert!(!listed.to_string().contains("plg_"));
    let path = format!("/v1/me/tokens/{}", listed[1]["id"].as_str().unwrap());
    ada.send("DELETE", &path).go().expect(204);
    assert!(!bot.is_known());
    ada.send("DELETE", &path).go().problem(404, "not_found");
    server
        .player("Bob")
        .send("DELETE", &format!("/v1/me/tokens/{}", text(&listed[0], "id")))
        .go()
        .problem(404, "not_found");
    for _ in 1..50 {
        of_scopes(&ada, &["read"]);
    }
    ada.post("/v1/me/tokens", &json!({"name": "x", "scopes": ["read"]})).problem(409, "too_many_tokens");
    let code = text(&ada.send("POST", "/v1/me/links").go().expect(200), "code");
    let open = || server.send("POST", "/v1/sessions").json(&json!({"code": code})).go();
    open().problem(409, "too_many_tokens");
    let one = ada.get("/v1/me/tokens").expect(200)["items"][1]["id"].clone();
    ada.send("DELETE", &format!("/v1/me/tokens/{}", one.as_str().unwrap())).go().expect(204);
    open().expect(200);
}

#[test]
fn the_old_token_lives_until_the_new_one_is_used() {
    let server = Server::start();
    let ada = server.player("Ada");
    let renew = |player: &Player| {
        let renewed = player.send("POST", "/v1/me/token").go().expect(201);
        Player::with(&server, text(&renewed, "token"))
    };
    let lost = renew(&ada);
    let new = renew(&ada);
    assert!(ada.is_known());
    assert!(new.is_known());
    assert!(!ada.is_known() && !lost.is_known(), "from its first use on it is the only one");
    assert!(new.is_known());
    let server = {
        let token = new.token.clone();
        drop((ada, lost, new));
        let server = server.restarted();
        assert!(Player::with(&server, token).is_known());
        server
    };
    drop(server);
}

#[test]
fn a_lost_account_comes_back_and_earlier_tokens_end() {
    let server = Server::start();
    let ada = server.player("Ada");
    let bot = of_scopes(&ada, &["play"]);
    let recover = |code: &str| server.send("POST", "/v1/recoveries").json(&json!({"code": code})).go();
    let first = recover(&ada.recovery.to_lowercase()).expect(200);
    assert!(!ada.is_known() && !bot.is_known(), "who has stolen a token has nothing now");
    // After a lost answer the code gives the same answer again.
    let second = recover(&ada.recovery).expect(200);
    assert_eq!(second, first);
    let back = Player::with(&server, text(&second, "token"));
    assert_eq!(back.get("/v1/me").expect(200)["id"], ada.id.as_str());
    let wrong = |code: &str| {
        let mut problem = recover(code).problem(403, "invalid_code");
        problem["instance"] = Value::Null;
        problem
    };
    let used = wrong(&ada.recovery);
    for code in ["", "ABCD", "0000-0000-0000-0000-0000-0000"] {
        assert_eq!(wrong(code), used, "no wrong code tells more than another");
    }
    assert!(back.is_known());
    recover(&text(&second, "recovery")).expect(200);
    let ada = server.player("Ada");
    let renewed = text(&ada.send("POST", "/v1/me/recovery").go().expect(200), "recovery");
    wrong(&ada.recovery);
    recover(&renewed).expect(200);
}

#[test]
fn codes_cannot_be_guessed_at_leisure() {
    needs!(one_server);
    let server = Server::start();
    let guess =
        |path: &str| server.send("POST", path).json(&json!({"code": "0000-0000-0000-0000-0000-0000"})).go();
    // A correct code costs nothing.
    let ada = server.player("Ada");
    for _ in 0..25 {
        let code = ada.send("POST", "/v1/me/links").go().expect(200)["code"].clone();
        server.send("POST", "/v1/sessions").json(&json!({"code": code})).go().expect(200);
    }
    for place in 0..20 {
        guess(if place % 2 == 0 { "/v1/recoveries" } else { "/v1/sessions" }).problem(403, "invalid_code");
    }
    let refused = guess("/v1/recoveries");
    assert!(refused.header("retry-after").is_some());
    refused.problem(429, "rate_limited");
}

#[test]
fn another_device_comes_in_by_a_code_of_one_use() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let ada = server.player("Ada");
    let link = || text(&ada.send("POST", "/v1/me/links").go().expect(200), "code");
    let open = |code: &str| server.send("POST", "/v1/sessions").json(&json!({"code": code})).go();
    let code = link();
    let session = open(&code).expect(200);
    assert_eq!(session["player"]["id"], ada.id.as_str());
    let telephone = Player::with(&server, text(&session, "token"));
    assert!(telephone.is_known() && ada.is_known());
    open(&code).problem(403, "invalid_code");
    let (earlier, late) = (link(), link());
    open(&earlier).problem(403, "invalid_code");
    clock.advance(10 * MINUTE);
    open(&late).problem(403, "invalid_code");
}

/// Each call that gives a token, with its answer cut off: the player still gets in.
#[test]
fn no_lost_answer_loses_an_account() {
    let server = Server::start();
    let mut ada = server.player("Ada");
    let cut = |path: &str, token: &str, body: &Value| {
        let body = body.to_string();
        let headers = format!("Authorization: Bearer {token}\r\nContent-Length: {}\r\n", body.len());
        let headers = if token.is_empty() { format!("Content-Length: {}\r\n", body.len()) } else { headers };
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(&raw::post(path, &headers, &body)).unwrap();
    };
    for _ in 0..5 {
        cut("/v1/me/token", &ada.token, &json!({}));
        assert!(ada.is_known());
        cut("/v1/me/tokens", &ada.token, &json!({"name": "x", "scopes": ["play"]}));
        assert!(ada.is_known());
        let link = ada.send("POST", "/v1/me/links").go().expect(200);
        cut("/v1/sessions", "", &json!({"code": link["code"]}));
        assert!(ada.is_known());
        cut("/v1/recoveries", "", &json!({"code": ada.recovery}));
        let back =
            server.send("POST", "/v1/recoveries").json(&json!({"code": ada.recovery})).go().expect(200);
        ada = Player {
            token: text(&back, "token"),
            recovery: text(&back, "recovery"),
            ..Player::with(&server, String::new())
        };
        assert!(ada.is_known());
    }
}

#[test]
fn a_new_name_is_seen_at_every_table_at_once() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let named = || bob.get(&game).expect(200)["seats"][0]["player"]["name"].clone();
    assert_eq!(named(), "Ada");
    let renamed = ada.send("PATCH", "/v1/me").json(&json!({"name": "  Ada Lovelace "})).go().expect(200);
    assert_eq!(renamed["name"], "Ada Lovelace");
    assert_eq!(
        (named(), ada.get("/v1/me").expect(200)["name"].clone()),
        (json!("Ada Lovelace"), json!("Ada Lovelace"))
    );
    assert_eq!(server.get(&format!("/v1/players/{}", ada.id)).expect(200)["name"], "Ada Lovelace");
    for wrong in ["", "a\u{202e}b", "\u{301}a", &"x".repeat(41)] {
        ada.send("PATCH", "/v1/me").json(&json!({"name": wrong})).go().problem(400, "malformed");
    }
}

#[test]
fn who_leaves_for_good_is_nobody_from_then_on() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let running = table(&[&ada, &bob], &json!({}));
    let open = ada.creates(&json!({"ruleset": "ecopolis", "seats": 3}));
    bob.post(&format!("{open}/seats"), &json!({})).expect(201);
    let sealed = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "entropy_commit": "ab".repeat(32)}));
    bob.post(&format!("{sealed}/seats"), &json!({})).expect(201);
    ada.send("DELETE", "/v1/me").go().expect(204);
    assert!(!ada.is_known());
    let gone = json!({"code": ada.recovery});
    server.send("POST", "/v1/recoveries").json(&gone).go().problem(403, "invalid_code");
    assert_eq!(server.get(&format!("/v1/players/{}", ada.id)).expect(200)["name"], Value::Null);
    let seat = &bob.get(&running).expect(200)["seats"][0];
    assert_eq!(
        (seat["player"]["id"].as_str(), &seat["player"]["name"]),
        (Some(ada.id.as_str()), &Value::Null)
    );
    assert_eq!(seat["control"], "resigned");
    assert_eq!(
        bob.get(&running).expect(200)["result"][0],
        json!({"seat": 1, "place": 1}),
        "the other has won"
    );
    assert_eq!(bob.get(&open).expect(200)["seats"][0]["player"], Value::Null);
    assert_eq!(bob.get(&sealed).expect(200)["status"], "void");
    let mut id = String::new();
    let server = {
        id.push_str(&ada.id);
        drop((ada, bob));
        server.restarted()
    };
    assert_eq!(server.get(&running).expect(200)["seats"][0]["player"]["name"], Value::Null, "{id}");
}

#[test]
fn who_leaves_for_good_leaves_every_table() {
    let server = Server::with(&["--games-of-player", "300"]);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let new = json!({"ruleset": "ecopolis", "seats": 2});
    let tables: Vec<_> = (0..203).map(|_| ada.creates(&new)).collect();
    ada.send("DELETE", "/v1/me").go().expect(204);
    for table in tables {
        assert_eq!(bob.get(&table).expect(200)["seats"][0]["player"], Value::Null, "{table}");
    }
}

#[test]
fn a_profile_counts_what_others_could_see() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let profile = |player: &Player| server.get(&format!("/v1/players/{}", player.id)).expect(200);
    assert_eq!(profile(&ada)["games"], json!([]));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let won = |seat: usize| {
        let result = server.get(&game).expect(200)["result"].clone();
        let placed = result.as_array().unwrap().iter().find(|placed| placed["seat"] == seat).unwrap();
        u64::from(placed["place"] == 1)
    };
    for (seat, player) in [&ada, &bob].into_iter().enumerate() {
        let expected = json!([{"ruleset": "industrial-waste", "played": 1, "won": won(seat)}]);
        assert_eq!(profile(player)["games"], expected);
        assert_eq!(profile(player)["bot"], false);
    }
    server.get("/v1/players/nobody").problem(404, "not_found");
}
