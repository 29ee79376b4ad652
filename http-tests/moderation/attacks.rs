//! Ways around operators and their acts.

use serde_json::json;

use super::{DAY, HOUR, act, id};
use crate::support::{Clock, Player, Server};

#[test]
fn an_operator_gives_no_more_time_than_it_has_and_no_name_that_looks_like_another() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let operator = server.operator(&clock);
    let made = act(&operator, "add_token", &json!({"name": "Bea", "until": "2027-01-15T10:00:00Z"}));
    let bea = Player::with(&server, made["secret"].as_str().unwrap().to_owned());
    act(&bea, "add_token", &json!({"name": "Cyd", "until": "2030-01-01T00:00:00Z"}));
    let tokens = operator.get("/v1/admin/tokens").expect(200);
    let ends: Vec<_> = tokens["items"].as_array().unwrap().iter().map(|one| &one["expires_at"]).collect();
    assert_eq!(ends, ["2027-01-15T10:00:00.000Z"; 2]);
    for name in ["Server", "server.", "BEA", "b e a"] {
        let add = json!({"act": "add_token", "name": name, "reason": "x"});
        operator.post("/v1/operator-log", &add).problem(409, "name_taken");
    }
}

#[test]
fn a_new_recovery_code_ends_the_tokens_of_a_thief() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada) = (server.operator(&clock), server.player("Ada"));
    act(&operator, "recovery_code", &json!({"player": id(&ada)}));
    ada.get("/v1/me").problem(401, "unauthorized");
}

#[test]
fn a_second_report_about_a_closed_subject_is_open_again() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, eve) = (server.operator(&clock), server.player("Ada"), server.player("Eve"));
    let report = |text: &str| {
        let report = json!({"player": id(&eve), "reason": "abuse", "text": text});
        ada.post("/v1/reports", &report).expect(204);
        operator.get("/v1/admin/reports").expect(200)["items"].clone()
    };
    let first = report("first");
    let path = format!("/v1/admin/reports/{}", first[0]["id"].as_str().unwrap());
    operator.send("PATCH", &path).json(&json!({"closed": true})).go().expect(200);
    let second = report("second");
    assert_eq!((&second[0]["text"], &second[1]), (&json!("second"), &json!(null)));
}

#[test]
fn a_player_is_found_by_any_letter_and_ended_bans_are_not_listed() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, player) = (server.operator(&clock), server.player("Ömer"));
    let found =
        |query: &str| operator.get(&format!("/v1/admin/players?{query}")).expect(200)["items"].clone();
    for name in ["%C3%96mer", "%C3%B6mer", "%C3%96MER", "MER"] {
        assert_eq!(found(&format!("name={name}"))[0]["name"], "Ömer", "{name}");
    }
    act(&operator, "ban", &json!({"player": id(&player), "until": "2027-01-15T09:00:00Z"}));
    assert_eq!(found("banned=true")[0]["name"], "Ömer");
    clock.advance(2 * HOUR);
    let operator = server.operator(&clock);
    assert_eq!(operator.get("/v1/admin/players?banned=true").expect(200)["items"], json!([]));
}

#[test]
fn an_address_is_forgotten_when_its_ban_has_ended_and_sees_no_position_before() {
    needs!(one_server);
    let clock = Clock::default();
    let server = Server::with_clock_and(&clock, &["--trusted-proxy", "127.0.0.1"]);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2, "visibility": "public"}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    let seq = ada.get(&format!("{game}/view")).expect(200)["seq"].clone();
    let picture = format!("/{}@{seq}.svg", game.strip_prefix("/v1/").unwrap());
    let from = |address: &str| server.send("GET", &picture).header("X-Forwarded-For", address).go();
    let ban = json!({"address": "203.0.113.9", "until": "2027-01-16T00:00:00Z"});
    act(&operator, "ban_address", &ban);
    from("203.0.113.9").problem(403, "address_banned");
    from("203.0.113.8").expect(200);
    clock.advance(2 * DAY);
    server.forget();
    let unban = json!({"act": "unban_address", "address": "203.0.113.9", "reason": "x"});
    server.operator(&clock).post("/v1/operator-log", &unban).problem(404, "not_found");
}

#[test]
fn who_is_removed_from_games_leaves_one_that_is_about_to_start() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bob) = (server.operator(&clock), server.player("Ada"), server.player("Bob"));
    let new = json!({"ruleset": "ecopolis", "seats": 2, "entropy_commit": "ab".repeat(32)});
    let game = ada.creates(&new);
    assert_eq!(bob.post(&format!("{game}/seats"), &json!({})).expect(201)["status"], "sealed");
    act(&operator, "ban", &json!({"player": id(&bob), "leave_games": true}));
    assert_eq!(ada.get(&game).expect(200)["status"], "void");
}

#[test]
fn reports_are_kept_for_ever_if_the_operator_says_so() {
    let clock = Clock::default();
    let server = Server::with_clock_and(&clock, &["--keep-reports-days", "0"]);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    ada.post("/v1/reports", &json!({"player": id(&bob), "reason": "other"})).expect(204);
    clock.advance(1_000 * DAY);
    server.forget();
    let reports = server.operator(&clock).get("/v1/admin/reports").expect(200);
    assert_eq!(reports["items"].as_array().unwrap().len(), 1);
}

#[test]
fn an_account_is_exported_six_times_an_hour() {
    needs!(one_server);
    let server = Server::start();
    let ada = server.player("Ada");
    for _ in 0..6 {
        ada.get("/v1/me/export").expect(200);
    }
    assert_eq!(ada.get("/v1/me/export").problem(429, "rate_limited")["limit"], "exports_an_hour");
}

#[test]
fn a_banned_bot_is_offered_to_nobody() {
    let clock = Clock::default();
    let server = Server::with_clock(&clock);
    let (operator, ada, bot) = (server.operator(&clock), server.player("Ada"), server.player("Bot"));
    let offer = json!({"rulesets": ["ecopolis"], "seats": [2], "clocks": "any", "at_once": 1});
    bot.send("PUT", "/v1/me/bot").json(&offer).go().expect(200);
    let bot_id = id(&bot);
    act(&operator, "ban", &json!({"player": bot_id}));
    assert!(!server.get("/v1/bots?limit=100").expect(200).to_string().contains(&bot_id));
    let game = ada.creates(&json!({"ruleset": "ecopolis", "seats": 2}));
    ada.post(&format!("{game}/bots"), &json!({"name": "Bot"})).problem(404, "not_found");
}
