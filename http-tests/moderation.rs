//! Operators: what they may do, whom a ban keeps out, and that everyone can read what they did.

mod attacks;

use serde_json::{Value, json};

use super::support::{Clock, Player, Server, no_check_fails, play_one, table, timeless};

const HOUR: u64 = 60 * 60 * 1_000;
const DAY: u64 = 24 * HOUR;

/// Performs an act for a reason.
fn act(operator: &Player, act: &str, more: &Value) -> Value {
    let mut body = json!({"act": act, "reason": "It was necessary."});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    operator.post("/v1/operator-log", &body).expect(201)
}

fn id(player: &Player) -> String {
    player.get("/v1/me").expect(200)["id"].as_str().unwrap().to_owned()
}

fn id_of(game: &str) -> &str {
    game.strip_prefix("/v1/games/").unwrap()
}

#[test]
fn only_an_operator_acts() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada) = (server.operator(&clock), server.player("Ada"));
    let ban = json!({"act": "ban", "player": id(&ada), "reason": "No."});
    let refused = ada.post("/v1/operator-log", &ban).problem(403, "insufficient_scope");
    assert_eq!(refused["scope"], "admin");
    server.send("POST", "/v1/operator-log").json(&ban).go().problem(401, "unauthorized");
    let wrong = format!("plo_{}", "0".repeat(60));
    Player::with(&server, wrong).post("/v1/operator-log", &ban).problem(401, "unauthorized");
    for path in ["players", "games", "addresses", "invitations", "tokens", "reports"] {
        ada.get(&format!("/v1/admin/{path}")).problem(403, "insufficient_scope");
        server.get(&format!("/v1/admin/{path}")).problem(401, "unauthorized");
        operator.get(&format!("/v1/admin/{path}")).expect(200);
    }
    operator.get("/v1/me").problem(401, "unauthorized");

    // The token of a second operator, until it is revoked.
    let made = act(&operator, "add_token", &json!({"name": "Bea"}));
    let second = Player::with(&server, made["secret"].as_str().unwrap().to_owned());
    assert_eq!(act(&second, "notice", &json!({"text": "Hello"}))["operator"], "Bea");
    let tokens = operator.get("/v1/admin/tokens").expect(200);
    assert_eq!(tokens["items"][0]["name"], "Bea");
    act(&operator, "revoke_token", &json!({"id": tokens["items"][0]["id"]}));
    second.get("/v1/admin/players").problem(401, "unauthorized");

    // A token that the key made is valid for minutes.
    clock.advance(HOUR);
    operator.get("/v1/admin/players").problem(401, "unauthorized");
    server.operator(&clock).get("/v1/admin/players").expect(200);
}

#[test]
fn an_act_needs_its_members_and_is_done_once_under_its_key() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let operator = server.operator(&clock);
    let send = |body: &Value| operator.post("/v1/operator-log", body);
    let pointer = |problem: Value| problem["errors"][0]["pointer"].as_str().unwrap().to_owned();
    assert_eq!(pointer(send(&json!({"act": "ban", "reason": "x"})).problem(400, "malformed")), "/player");
    assert_eq!(pointer(send(&json!({"act": "fly", "reason": "x"})).problem(400, "malformed")), "/act");
    assert_eq!(pointer(send(&json!({"act": "notice", "reason": " "})).problem(400, "malformed")), "/reason");
    let address = json!({"act": "ban_address", "reason": "x", "address": "somewhere"});
    assert_eq!(pointer(send(&address).problem(400, "malformed")), "/address");
    let nobody = "01a2246e-19e7-7000-8000-000000000001";
    send(&json!({"act": "ban", "reason": "x", "player": nobody})).problem(404, "not_found");
    send(&json!({"act": "end_game", "reason": "x", "game": nobody})).problem(404, "not_found");
    assert_eq!(server.get("/v1/operator-log").expect(200)["items"], json!([]), "nothing was done");

    let once = || {
        let invite = json!({"act": "invite", "reason": "A friend.", "uses": 2});
        operator
            .send("POST", "/v1/operator-log")
            .header("Idempotency-Key", "k")
            .json(&invite)
            .go()
            .expect(201)
    };
    assert_eq!(once(), once());
    assert_eq!(server.get("/v1/operator-log").expect(200)["items"].as_array().unwrap().len(), 1);
}

#[test]
fn a_suspended_player_is_kept_out_by_every_door() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let open = bob.creates(&json!({"ruleset": "ecopolis", "seats": 3}));
    let id = id(&bob);
    let made = bob.post("/v1/me/tokens", &json!({"name": "bot", "scopes": ["play"]})).expect(201);
    let other = Player::with(&server, made["token"].as_str().unwrap().to_owned());
    let ticket = bob.post("/v1/streams/tickets", &json!({})).expect(200)["ticket"].clone();
    let recovery = bob.post("/v1/me/recovery", &json!({})).expect(200)["recovery"].clone();
    let link = bob.post("/v1/me/links", &json!({})).expect(200)["code"].clone();
    let mut stream = bob.send("GET", "/v1/me/events").stream();

    act(&operator, "ban", &json!({"player": id, "until": "2030-01-01T00:00:00Z"}));
    assert_eq!(ada.get(&open).expect(200)["seats"][0]["player"], Value::Null, "an open table is left");
    for token in [&bob, &other] {
        token.get("/v1/me/games").problem(403, "suspended");
        token.get(&format!("{game}/view")).problem(403, "suspended");
        token.post(&format!("{game}/commands"), &json!({})).problem(403, "suspended");
        token.post("/v1/games", &json!({"ruleset": "ecopolis", "seats": 2})).problem(403, "suspended");
        token.get("/v1/me/events").problem(403, "suspended");
    }
    let refused = bob.get("/v1/me/games").problem(403, "suspended");
    assert!(refused["detail"].as_str().unwrap().contains("2030-01-01"), "{refused}");
    server.get(&format!("/v1/me/events?ticket={}", ticket.as_str().unwrap())).problem(403, "suspended");
    let back = server.send("POST", "/v1/recoveries").json(&json!({"code": recovery})).go().expect(200);
    let back = Player::with(&server, back["token"].as_str().unwrap().to_owned());
    back.get("/v1/me/games").problem(403, "suspended");
    let linked = server.send("POST", "/v1/sessions").json(&json!({"code": link})).go();
    assert!(linked.status == 403 || linked.status == 201, "a code gives at most a token");
    while stream.next().is_some() {}

    // The player may still see, take and delete what is its own.
    back.get("/v1/me").expect(200);
    back.get("/v1/me/export").expect(200);
    back.get("/v1/server").expect(200);
    let reasons = back.get(&format!("/v1/operator-log?about={id}")).expect(200);
    back.get(&format!("/v1/operator-log/{}", reasons["items"][0]["id"].as_str().unwrap())).expect(200);

    // It ends by itself, or by the operator.
    act(&operator, "unban", &json!({"player": id}));
    back.get("/v1/me/games").expect(200);
    let until = "2027-01-16T00:00:00Z";
    act(&operator, "ban", &json!({"player": id, "until": until}));
    back.get("/v1/me/games").problem(403, "suspended");
    clock.advance(2 * DAY);
    back.get("/v1/me/games").expect(200);

    let log = server.get(&format!("/v1/operator-log?about={id}")).expect(200);
    let acts: Vec<&str> =
        log["items"].as_array().unwrap().iter().map(|act| act["act"].as_str().unwrap()).collect();
    assert_eq!(acts, ["ban", "unban", "ban"]);
    assert_eq!(log["items"][0]["until"], "2027-01-16T00:00:00.000Z");
}

#[test]
fn a_suspended_player_can_be_removed_from_its_games() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Ada"), server.player("Bob"));
    let carol = server.player("Carol");
    let game = table(&[&ada, &bob, &carol], &json!({"max_rounds": 2}));
    play_one(&game, &[&ada, &bob, &carol]);
    act(&operator, "ban", &json!({"player": id(&bob), "leave_games": true}));
    let seats = ada.get(&game).expect(200)["seats"].clone();
    assert_eq!(seats[1]["control"], "resigned");
    act(&operator, "remove_player", &json!({"game": id_of(&game), "seat": 2}));
    let over = ada.get(&game).expect(200);
    assert_eq!((&over["status"], &over["end"]), (&json!("finished"), &json!("resigned")));
    no_check_fails(server.verifies(&game));
    let again = json!({"act": "remove_player", "reason": "x", "game": id_of(&game), "seat": 2});
    operator.post("/v1/operator-log", &again).problem(409, "game_not_running");
}

#[test]
fn an_operator_ends_a_game_for_a_public_reason() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    play_one(&game, &[&ada, &bob]);
    act(&operator, "end_game", &json!({"game": id_of(&game)}));
    let over = ada.get(&game).expect(200);
    assert_eq!(
        (&over["status"], &over["end"], &over["result"]),
        (&json!("finished"), &json!("halted"), &Value::Null)
    );
    let report = server.verifies(&game);
    assert!(report.to_string().contains("It was necessary."), "the reason is in the log");
    no_check_fails(report);
    let open = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    act(&operator, "end_game", &json!({"game": id_of(&open)}));
    assert_eq!(ada.get(&open).expect(200)["end"], "halted");
    let again = json!({"act": "end_game", "reason": "x", "game": id_of(&game)});
    operator.post("/v1/operator-log", &again).problem(409, "game_not_running");
}

#[test]
fn an_address_is_banned_with_its_accounts() {
    // Other servers follow within seconds.
    needs!(one_server);
    let clock = Clock::default();
    let server = Server::with_clock_and(&clock, &["--trusted-proxy", "127.0.0.1"]);
    let operator = server.operator(&clock);
    let from = |address: &str, path: &str| server.send("GET", path).header("X-Forwarded-For", address).go();
    act(&operator, "ban_address", &json!({"address": "203.0.113.0/24", "until": "2027-01-16T00:00:00Z"}));
    from("203.0.113.9", "/v1/games").problem(403, "address_banned");
    from("203.0.113.9", "/v1/server").expect(200);
    from("198.51.100.1", "/v1/games").expect(200);
    assert_eq!(operator.get("/v1/admin/addresses").expect(200)["items"][0]["address"], "203.0.113.0/24");
    let log = server.get("/v1/operator-log").expect(200);
    assert!(!log.to_string().contains("203.0.113"), "an address is nobody's business: {log}");
    act(&operator, "unban_address", &json!({"address": "203.0.113.0/24"}));
    from("203.0.113.9", "/v1/games").expect(200);
    act(&operator, "ban_address", &json!({"address": "203.0.113.9", "until": "2027-01-16T00:00:00Z"}));
    let server = server.restarted_at(&clock);
    let from = |address: &str| server.send("GET", "/v1/games").header("X-Forwarded-For", address).go();
    from("203.0.113.9").problem(403, "address_banned");
    clock.advance(2 * DAY);
    from("203.0.113.9").expect(200);
}

#[test]
fn registration_is_open_by_invitation_or_closed() {
    // Other servers follow within seconds.
    needs!(one_server);
    let clock = Clock::default();
    let server = Server::with_clock_and(&clock, &["--registration", "invited"]);
    let operator = server.operator(&clock);
    let enter = |server: &Server, body: &Value| server.send("POST", "/v1/players").json(body).go();
    enter(&server, &json!({"name": "Ada"})).problem(403, "registration_closed");
    let code = act(&operator, "invite", &json!({"uses": 2, "name": "the club"}))["secret"].clone();
    enter(&server, &json!({"name": "Ada", "invitation": "0000-0000"})).problem(403, "invalid_code");
    enter(&server, &json!({"name": "Ada", "invitation": code})).expect(201);
    enter(&server, &json!({"name": "Bob", "invitation": code})).expect(201);
    enter(&server, &json!({"name": "Eve", "invitation": code})).problem(403, "invalid_code");

    let code = act(&operator, "invite", &json!({}))["secret"].clone();
    let listed = operator.get("/v1/admin/invitations").expect(200);
    let open = listed["items"].as_array().unwrap().iter().find(|one| one["uses"] == 1).unwrap();
    act(&operator, "revoke_invitation", &json!({"id": open["id"]}));
    enter(&server, &json!({"name": "Eve", "invitation": code})).problem(403, "invalid_code");
    assert!(!server.get("/v1/operator-log").expect(200).to_string().contains(code.as_str().unwrap()));

    act(&operator, "registration", &json!({"registration": "closed"}));
    let code = act(&operator, "invite", &json!({}))["secret"].clone();
    enter(&server, &json!({"name": "Eve", "invitation": code})).problem(403, "registration_closed");
    let server = server.restarted_at(&clock);
    assert_eq!(server.get("/v1/server").expect(200)["registration"], "closed", "it outlives a restart");
    act(&server.operator(&clock), "registration", &json!({"registration": "open"}));
    enter(&server, &json!({"name": "Eve"})).expect(201);
    for name in ["Admin", "a d m i n", "Server."] {
        enter(&server, &json!({"name": name})).problem(409, "name_taken");
    }
}

#[test]
fn names_titles_and_messages_can_be_removed() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Rude"), server.player("Bob"));
    let game =
        ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "title": "Rude", "visibility": "private"}));
    let invite = ada.get(&game).expect(200)["invite"].clone();
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);
    let said = ada.post(&format!("{game}/messages"), &json!({"text": "Rude words"})).expect(201);

    let seen = operator.get(&format!("/v1/admin/games/{}", id_of(&game))).expect(200);
    assert_eq!(seen["title"], Value::Null, "of a private table the operator sees what was reported");
    operator.get(&format!("{game}/messages")).problem(401, "unauthorized");

    act(&operator, "remove_message", &json!({"game": id_of(&game), "message": said["id"]}));
    act(&operator, "remove_title", &json!({"game": id_of(&game)}));
    act(&operator, "rename", &json!({"player": id(&ada), "name": "Player 1"}));
    assert_eq!(bob.get(&format!("{game}/messages")).expect(200)["items"], json!([]));
    let shown = bob.get(&game).expect(200);
    assert_eq!((&shown["title"], &shown["seats"][0]["player"]["name"]), (&Value::Null, &json!("Player 1")));
    let again = json!({"act": "remove_message", "reason": "x", "game": id_of(&game), "message": said["id"]});
    operator.post("/v1/operator-log", &again).problem(404, "not_found");
    let log = server.get("/v1/operator-log").expect(200);
    assert!(!log.to_string().contains(id_of(&game)), "the id of a private game lets nobody in: {log}");
    assert!(!log.to_string().contains("Rude"), "{log}");
    assert_eq!(log["items"].as_array().unwrap().len(), 3);
    let one = log["items"][0]["id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/v1/operator-log/{one}")).expect(200), log["items"][0]);
    let known = operator.get(&format!("/v1/admin/players/{}", id(&ada))).expect(200);
    assert_eq!((&known["name"], &known["active_games"]), (&json!("Player 1"), &json!(1)));
    let found = operator.get("/v1/admin/players?name=PLAYER%201").expect(200);
    assert_eq!(found["items"][0]["id"], id(&ada));
    assert_eq!(operator.get("/v1/admin/players?name=%25").expect(200)["items"], json!([]));
}

#[test]
fn a_lost_account_gets_a_new_recovery_code() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada) = (server.operator(&clock), server.player("Ada"));
    let id = id(&ada);
    let code = act(&operator, "recovery_code", &json!({"player": id}))["secret"].clone();
    let back = server.send("POST", "/v1/recoveries").json(&json!({"code": code})).go().expect(200);
    let back = Player::with(&server, back["token"].as_str().unwrap().to_owned());
    assert_eq!(back.get("/v1/me").expect(200)["id"], id.as_str());
    act(&operator, "delete_player", &json!({"player": id}));
    back.get("/v1/me").problem(401, "unauthorized");
    assert_eq!(server.get(&format!("/v1/players/{id}")).expect(200)["name"], Value::Null);
}

#[test]
fn the_operator_sees_what_was_reported() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Ada"), server.player("Bob"));
    let eve = server.player("Eve");
    let game =
        ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "title": "Rude", "visibility": "private"}));
    let invite = ada.get(&game).expect(200)["invite"].clone();
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);
    let said = ada.post(&format!("{game}/messages"), &json!({"text": "Rude words"})).expect(201);
    ada.post(&format!("{game}/messages"), &json!({"text": "A secret"})).expect(201);

    let report = json!({"game": id_of(&game), "message": said["id"], "reason": "abuse", "text": "Look."});
    eve.post("/v1/reports", &report).problem(404, "not_found");
    bob.post("/v1/reports", &report).expect(204);
    bob.post("/v1/reports", &report).expect(204);
    bob.post("/v1/reports", &json!({"player": id(&ada), "reason": "name"})).expect(204);
    bob.post("/v1/reports", &json!({"game": id_of(&game), "reason": "other"})).expect(204);
    let both = json!({"game": id_of(&game), "player": id(&ada), "reason": "other"});
    bob.post("/v1/reports", &both).problem(400, "malformed");

    let reports = operator.get("/v1/admin/reports").expect(200);
    let items = reports["items"].as_array().unwrap();
    let quotes: Vec<&str> = items.iter().map(|one| one["quote"].as_str().unwrap()).collect();
    assert_eq!(quotes, ["Rude", "Ada", "Rude words"]);
    assert_eq!((&items[2]["reporter"], &items[2]["player"]), (&json!(id(&bob)), &json!(id(&ada))));
    assert!(!reports.to_string().contains("A secret"), "the rest of the table stays private");
    let one = format!("/v1/admin/reports/{}", items[2]["id"].as_str().unwrap());
    assert_eq!(operator.get(&one).expect(200), items[2]);
    let closed = operator.send("PATCH", &one);
    closed.json(&json!({"closed": true})).go().expect(200);
    assert_eq!(operator.get("/v1/admin/reports").expect(200)["items"].as_array().unwrap().len(), 2);
    assert_eq!(
        operator.get("/v1/admin/reports?closed=true").expect(200)["items"].as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_player_reports_ten_times_a_day() {
    // Each server counts for itself.
    needs!(one_server);
    let server = Server::start();
    let (bob, eve) = (server.player("Bob"), server.player("Eve"));
    let report = json!({"player": id(&eve), "reason": "name"});
    for _ in 0..10 {
        bob.post("/v1/reports", &report).expect(204);
    }
    bob.post("/v1/reports", &report).problem(429, "rate_limited");
}

#[test]
fn a_blocked_player_meets_closed_doors_and_is_told_nothing() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob, carol) = (server.player("Ada"), server.player("Bob"), server.player("Carol"));
    let before = table(&[&ada, &bob], &json!({}));
    let (block, of_bob) = (format!("/v1/me/blocks/{}", id(&bob)), id(&bob));
    let blocked = ada.send("PUT", &block).go().expect(200);
    assert_eq!(blocked["name"], "Bob");
    assert_eq!(ada.get("/v1/me/blocks").expect(200)["items"], json!([blocked]));
    ada.get(&block).expect(200);
    ada.send("PUT", &format!("/v1/me/blocks/{}", id(&ada))).go().problem(404, "not_found");

    let open = ada.creates(&json!({"ruleset": "ecopolis", "seats": 3}));
    bob.post(&format!("{open}/seats"), &json!({})).problem(403, "cannot_join");
    let lobby = |player: &Player| player.get("/v1/games?status=open").expect(200).to_string();
    assert!(!lobby(&bob).contains(id_of(&open)) && lobby(&carol).contains(id_of(&open)));
    carol.post(&format!("{open}/seats"), &json!({})).expect(201);

    // A common game continues, without Bob's messages.
    bob.post(&format!("{before}/messages"), &json!({"text": "Hello?"})).expect(201);
    assert_eq!(ada.get(&format!("{before}/messages")).expect(200)["items"], json!([]));
    assert_eq!(timeless(ada.get(&format!("{before}/view")).expect(200))["status"], "running");
    let theirs = bob.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    let invitation = json!({"player": id(&ada), "met_in": id_of(&before)});
    let mut heard = ada.send("GET", "/v1/me/events").stream();
    bob.post(&format!("{theirs}/invitations"), &invitation).expect(204);
    ada.send("DELETE", &block).go().expect(204);
    bob.post(&format!("{theirs}/invitations"), &invitation).expect(204);
    assert_eq!(heard.next_of("invitation").data["by"], of_bob.as_str());
    server.close_streams();
    let more = std::iter::from_fn(|| heard.next()).filter(|event| event.kind == "invitation").count();
    assert_eq!(more, 0, "only the second invitation was told");
    ada.get(&block).problem(404, "not_found");
}

#[test]
fn an_account_is_exported_and_takes_its_words_along() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "title": "Our table"}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    ada.post(&format!("{game}/messages"), &json!({"text": "Hello Bob"})).expect(201);
    ada.send("PUT", &format!("{game}/note")).json(&json!({"text": "My note"})).go().expect(200);
    ada.send("PUT", &format!("/v1/me/blocks/{}", id(&bob))).go().expect(200);
    ada.post("/v1/reports", &json!({"player": id(&bob), "reason": "other", "text": "My report"})).expect(204);
    ada.send("PUT", &format!("{game}/mutes/1")).go().expect(200);
    let offer = json!({"rulesets": ["ecopolis"], "seats": [2], "clocks": "any", "at_once": 1});
    ada.send("PUT", "/v1/me/bot").json(&offer).go().expect(200);
    let all = ada.get("/v1/me/export").expect(200);
    for (path, value) in [
        ("/player/name", "Ada"),
        ("/games/0/id", id_of(&game)),
        ("/games/0/title", "Our table"),
        ("/messages/0/text", "Hello Bob"),
        ("/notes/0/text", "My note"),
        ("/blocks/0/name", "Bob"),
        ("/reports/0/report/text", "My report"),
        ("/mutes/0/game", id_of(&game)),
        ("/bot/clocks", "any"),
        ("/tokens/0/name", "first"),
    ] {
        assert_eq!(all.pointer(path), Some(&json!(value)), "{path}");
    }
    bob.get("/v1/me/export").expect(200);

    ada.send("DELETE", "/v1/me").go().expect(204);
    assert_eq!(bob.get(&format!("{game}/messages")).expect(200)["items"], json!([]));
    assert_eq!(bob.get(&game).expect(200)["title"], Value::Null);
    let server = server.restarted_at(&clock);
    assert_eq!(server.get(&game).expect(200)["title"], Value::Null, "also after a restart");
}

#[test]
fn the_server_says_whose_it_is() {
    // Other servers follow within seconds.
    needs!(one_server);
    let clock = Clock::default();
    let flags = [
        "--instance-name",
        "The club",
        "--contact-url",
        "mailto:host@play.example",
        "--rules-url",
        "https://play.example/rules",
        "--imprint-url",
        "https://play.example/imprint",
        "--privacy-url",
        "https://play.example/privacy",
    ];
    let server = Server::with_clock_and(&clock, &flags);
    let operator = server.operator(&clock);
    act(&operator, "notice", &json!({"text": "We stop at ten.", "until": "2027-01-16T00:00:00Z"}));
    let told = server.get("/v1/server").expect(200);
    assert_eq!((&told["name"], &told["notice"]["text"]), (&json!("The club"), &json!("We stop at ten.")));
    assert_eq!(told["contact_url"], "mailto:host@play.example");
    assert_eq!(told["registration"], "open");
    clock.advance(2 * DAY);
    assert_eq!(server.get("/v1/server").expect(200)["notice"], Value::Null);
    act(&server.operator(&clock), "notice", &json!({}));
}

#[test]
fn what_is_old_is_forgotten_as_the_operator_says() {
    let clock = Clock::default();
    let flags = ["--keep-messages-days", "10", "--keep-accounts-days", "20", "--keep-reports-days", "5"];
    let server = Server::with_clock_and(&clock, &flags);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let (over, going) = (table(&[&ada, &bob], &json!({})), table(&[&ada, &bob], &json!({})));
    for game in [&over, &going] {
        ada.post(&format!("{game}/messages"), &json!({"text": "Hello"})).expect(201);
    }
    ada.post(&format!("{over}/resignation"), &json!({})).expect(200);
    ada.post("/v1/reports", &json!({"player": id(&bob), "reason": "other"})).expect(204);
    let gone = server.player("Gone");
    let id_of_gone = id(&gone);
    clock.advance(11 * DAY);
    server.forget();
    let said =
        |game: &str| bob.get(&format!("{game}/messages")).expect(200)["items"].as_array().unwrap().len();
    assert_eq!((said(&over), said(&going)), (0, 1), "a running game keeps its messages");
    assert_eq!(server.operator(&clock).get("/v1/admin/reports").expect(200)["items"], json!([]));
    gone.get("/v1/me").expect(200);
    clock.advance(21 * DAY);
    server.forget();
    gone.get("/v1/me").problem(401, "unauthorized");
    assert_eq!(server.get(&format!("/v1/players/{id_of_gone}")).expect(200)["name"], Value::Null);
    assert_eq!(bob.get("/v1/me").expect(200)["name"], "Bob", "a player with a running game stays");
}

#[test]
fn a_ban_holds_for_every_spelling_whole_networks_and_open_streams() {
    // Other servers follow within seconds.
    needs!(one_server);
    let clock = Clock::default();
    let server = Server::with_clock_and(&clock, &["--trusted-proxy", "127.0.0.1"]);
    let operator = server.operator(&clock);
    let from = |address: &str, path: &str| server.send("GET", path).header("X-Forwarded-For", address);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let mut stream = from("203.0.113.9", &format!("{game}/events?after=-1"));
    stream = stream.header("Accept", "text/event-stream");
    let mut stream = stream.stream();
    stream.take(1);
    act(&operator, "ban_address", &json!({"address": "203.0.113.9/24"}));
    let listed = operator.get("/v1/admin/addresses").expect(200);
    assert_eq!(listed["items"][0]["address"], "203.0.113.0/24", "in its usual form");
    for path in ["/v1/games", "/%76%31/games", "/v%31/games"] {
        from("203.0.113.9", path).go_unchecked().problem(403, "address_banned");
    }
    play_one(&game, &[&ada, &bob]);
    while stream.next().is_some() {}
    act(&operator, "ban_address", &json!({"address": "2001:db8:1:2:3:4:5:6"}));
    from("2001:db8:1:2::9", "/v1/games").go().problem(403, "address_banned");
    from("2001:db8:1:3::9", "/v1/games").go().expect(200);
    let unknown = json!({"act": "unban_address", "reason": "x", "address": "192.0.2.1"});
    operator.post("/v1/operator-log", &unknown).problem(404, "not_found");

    // An operator is not shut out.
    act(&operator, "ban_address", &json!({"address": "::/0"}));
    server.get("/v1/games").problem(403, "address_banned");
    act(&operator, "unban_address", &json!({"address": "::/0"}));
    server.get("/v1/games").expect(200);
}

#[test]
fn operators_have_names_of_their_own_and_acts_end_in_the_future() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let operator = server.operator(&clock);
    let send = |act: &Value| operator.post("/v1/operator-log", act);
    act(&operator, "add_token", &json!({"name": "Bea"}));
    for name in ["Bea", "server"] {
        send(&json!({"act": "add_token", "reason": "x", "name": name})).problem(409, "name_taken");
    }
    let past = json!({"act": "notice", "reason": "x", "text": "Late", "until": "2020-01-01T00:00:00Z"});
    send(&past).problem(400, "malformed");
    let long = "a".repeat(60_000);
    assert_eq!(operator.get(&format!("/v1/admin/players?name={long}")).expect(200)["items"], json!([]));
}

#[test]
fn a_banned_or_blocked_player_gets_no_seat_by_a_detour() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Ada"), server.player("Bob"));
    let carol = server.player("Carol");
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2, "substitutes": true}));
    carol.post(&format!("{game}/seats"), &json!({})).expect(201);
    let offer = ada.post(&format!("{game}/substitution"), &json!({})).expect(201);
    let ask = json!({"invite": offer["code"]});
    bob.post(&format!("{game}/seats"), &ask).expect(202);
    act(&operator, "ban", &json!({"player": id(&bob)}));
    let accept = json!({"player": id(&bob)});
    ada.post(&format!("{game}/substitution/acceptance"), &accept).problem(409, "no_substitute");
    act(&operator, "unban", &json!({"player": id(&bob)}));

    let before = table(&[&ada, &bob], &json!({}));
    bob.post(&format!("{before}/resignation"), &json!({})).expect(200);
    ada.send("PUT", &format!("/v1/me/blocks/{}", id(&bob))).go().expect(200);
    let offer = ada.post(&format!("{game}/substitution"), &json!({})).expect(201);
    bob.post(&format!("{game}/seats"), &json!({"invite": offer["code"]})).problem(403, "cannot_join");
    let mut heard = ada.send("GET", "/v1/me/events").stream();
    bob.post(&format!("{before}/rematch"), &json!({})).expect(201);
    server.close_streams();
    let asked = std::iter::from_fn(|| heard.next()).filter(|event| event.kind == "rematch").count();
    assert_eq!(asked, 0, "who is blocked asks for no rematch");
}
