//! English and Italian.

use serde_json::json;

use super::support::{Server, table};

#[test]
fn texts_follow_the_reader_and_ids_do_not() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let send = |lang: &str| {
        let sent = json!({"expected_seq": 4, "command": {"type": "grow"}});
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
    assert_eq!(missing["title"], "Qui non c'è nulla");
}
