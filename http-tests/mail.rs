//! Being told by mail.

use serde_json::{Value, json};

use super::support::{Answer, Clock, Player, Server, eventually, mail_server::MailServer, table};

fn server(mails: &MailServer, clock: &Clock) -> Server {
    let flags = mails.flags();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    Server::with_clock_and(clock, &flags)
}

fn settings(player: &Player) -> Value {
    player.get("/v1/me/notifications").expect(200)["mail"].clone()
}

fn set(player: &Player, mail: &Value) -> Answer {
    player.send("PATCH", "/v1/me/notifications").json(&json!({"mail": mail})).go()
}

/// The player gets notifications by mail, and has opened the link.
fn confirmed(player: &Player, mails: &MailServer, order: &Value) {
    let before = mails.count();
    let asked = set(player, order).expect(200);
    assert_eq!(asked["mail"]["state"], "unproved");
    let code = mails.mails(before + 1)[before].after("https://play.example/mail/confirm#");
    player.server.send("POST", "/v1/mail/confirmations").json(&json!({"code": code})).go().expect(204);
    assert_eq!(settings(player)["state"], "on");
}

#[test]
fn an_address_is_confirmed_by_a_link_and_let_go_by_another() {
    let (mails, clock) = (MailServer::start(), Clock::default());
    let server = server(&mails, &clock);
    let (ada, bob) = (server.player("Ada <b>!</b>"), server.player("Bob"));
    set(&ada, &json!({"address": "not an address"})).problem(400, "malformed");
    confirmed(&ada, &mails, &json!({"address": "ada@mail.example"}));
    let asked = mails.mails(1)[0].clone();
    assert_eq!(
        (asked.to.as_str(), asked.header("auto-submitted").as_deref()),
        ("ada@mail.example", Some("auto-generated"))
    );
    assert!(!asked.text().contains("Ada"), "nobody can say something to strangers by it: {}", asked.text());
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2, "title": "Ada <b>!</b>",
        "options": {"first_seat": 0}}));
    bob.post(&format!("{game}/seats"), &json!({})).expect(201);
    let told = mails.mails(2)[1].clone();
    assert!(told.header("subject").is_some(), "{told:?}");
    assert!(told.text().contains("https://play.example/games/"));
    assert!(told.text().contains(".png?lang="), "a picture of the position");
    assert!(
        told.text().contains("&lt;b&gt;") && told.text().contains("Ada <b>!</b>"),
        "plain in plain text, and no markup"
    );
    assert_eq!(told.header("list-unsubscribe-post").as_deref(), Some("List-Unsubscribe=One-Click"));
    let link = told.header("list-unsubscribe").unwrap();
    let path = link.trim_matches(['<', '>']).strip_prefix("https://play.example").unwrap().to_owned();
    for wrong in ["", "?code=", "?code=x", "?code=01900000-0000", "?code=%C3%A9"] {
        server.send("POST", &format!("/v1/mail/unsubscriptions{wrong}")).go().problem(403, "invalid_code");
    }
    let confirm = asked.after("https://play.example/mail/confirm#");
    server
        .send("POST", &format!("/v1/mail/unsubscriptions?code={confirm}"))
        .go()
        .problem(403, "invalid_code");
    let click = server.send("POST", &path).text("List-Unsubscribe=One-Click");
    click.header("Content-Type", "application/x-www-form-urlencoded").go().expect(204);
    assert_eq!(settings(&ada), Value::Null);
    server
        .send("POST", "/v1/mail/confirmations")
        .json(&json!({"code": confirm}))
        .go()
        .problem(403, "invalid_code");
}

#[test]
fn one_mail_a_day_tells_of_all_that_still_waits() {
    let (mails, clock) = (MailServer::start(), Clock::default());
    let server = server(&mails, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    // It is eight in the morning in London, and ten at Ada's place.
    confirmed(
        &ada,
        &mails,
        &json!({"address": "ada@mail.example", "digest": "18:00", "utc_offset": 120, "types": ["turn"], "lang": "it"}),
    );
    assert_eq!(settings(&ada)["digest"], "18:00");
    let games: Vec<String> = (0..3).map(|_| table(&[&ada, &bob], &json!({"first_seat": 0}))).collect();
    let seq = ada.get(&format!("{}/view", games[0])).expect(200)["seq"].clone();
    let command = json!({"expected_seq": seq, "command": {"type": "choose_combination", "column": 0}});
    ada.post(&format!("{}/commands", games[0]), &command).expect(201);
    clock.advance(8 * 3_600_000 - 60_000);
    server.look_at_the_clock();
    assert_eq!(mails.count(), 1);
    clock.advance(61_000);
    let told = mails.mails(2)[1].clone();
    assert!(told.header("subject").unwrap().starts_with("2 "), "{told:?}");
    let tells_of =
        |game: &String| told.text().contains(&format!("/games/{}", game.rsplit('/').next().unwrap()));
    assert_eq!(
        games.iter().map(tells_of).collect::<Vec<_>>(),
        [false, true, true],
        "what was done needs no telling"
    );
}

#[test]
fn an_address_that_is_refused_is_sent_nothing_more() {
    let (mails, clock) = (MailServer::start(), Clock::default());
    let server = server(&mails, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    confirmed(&ada, &mails, &json!({"address": "ada@mail.example", "types": ["turn"]}));
    let mut events = ada.send("GET", "/v1/me/events").stream();
    mails.refuse(Some("451 later"));
    table(&[&ada, &bob], &json!({"first_seat": 0}));
    clock.advance(1_000);
    assert_eq!(settings(&ada)["state"], "on", "who is only busy is tried again");
    mails.refuse(Some("550 no such person"));
    eventually("it is off", || {
        // However late the first try ends, the next one follows.
        clock.advance(1_000);
        (settings(&ada)["state"] == "off").then_some(())
    });
    assert!(std::iter::from_fn(|| Some(events.next().unwrap().kind)).any(|kind| kind == "webhook"));
    assert_eq!(mails.count(), 1);
}

#[test]
fn nobody_is_bombed_with_mail() {
    needs!(one_server);
    let (mails, clock) = (MailServer::start(), Clock::default());
    let server = server(&mails, &clock);
    let ask = |player: &Player, address: &str| set(player, &json!({"address": address})).status;
    let players: Vec<Player> = (0..5).map(|number| server.player(&format!("Eve {number}"))).collect();
    let answers: Vec<u16> = players.iter().map(|player| ask(player, "Victim@mail.example")).collect();
    assert_eq!(answers, [200, 200, 200, 429, 429]);
    assert_eq!(ask(&players[0], "victim@MAIL.example"), 429);
    let others: Vec<u16> =
        (0..25).map(|number| ask(&players[0], &format!("v{number}@mail.example"))).collect();
    assert!(others.iter().filter(|status| **status == 200).count() <= 20, "{others:?}");
    let none = Server::start();
    let ada = none.player("Ada");
    assert_eq!(ada.get("/v1/me/notifications").expect(200)["has_mail"], false);
    set(&ada, &json!({"address": "a@b.example"})).problem(400, "malformed");
}
