//! Views have tags, and replays never change.

use serde_json::json;

use super::support::{Server, table};

#[test]
fn a_view_that_has_not_changed_is_not_sent_again() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"first_seat": 0}));
    let path = format!("{game}/view");
    let first = ada.get(&path);
    let tag = first.header("etag").unwrap().to_owned();
    assert!(tag.starts_with('"'), "a strong tag");
    assert_eq!(first.header("cache-control"), Some("private, no-cache"));
    assert!(first.header("vary").unwrap().contains("Authorization"));
    for known in [tag.clone(), format!("\"x\", {tag}"), format!("W/{tag}"), "*".to_owned()] {
        let again = ada.send("GET", &path).header("If-None-Match", &known).go();
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag.as_str())));
    }
    assert_ne!(bob.get(&path).header("etag"), Some(tag.as_str()), "another viewer, another view");
    let sent = json!({"expected_seq": 4, "command": {"type": "choose_combination", "column": 0}});
    ada.post(&format!("{game}/commands"), &sent).expect(201);
    assert_eq!(ada.send("GET", &path).header("If-None-Match", &tag).go().status, 200);
}

#[test]
fn a_replay_is_sealed_until_the_end_and_immutable_after() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2}));
    server.get(&format!("{game}/replay")).problem(403, "replay_sealed");
    ada.send("DELETE", &game).go().expect(200);
    let replay = server.get(&format!("{game}/replay"));
    assert!(replay.header("cache-control").unwrap().starts_with("public, "));
    assert!(replay.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(server.get(&format!("{game}/replay")).body, replay.body);
}

/// What never changes while the server runs is sent once, and packed to who takes it so.
#[test]
fn what_never_changes_has_a_tag_and_is_packed() {
    let server = Server::start();
    for path in [
        "/openapi.json",
        "/v1/fairlog",
        "/v1/rulesets/ecopolis/rules",
        "/docs/",
        "/docs/swagger-ui-bundle.js",
    ] {
        let plain = server.send("GET", path).header("Accept-Encoding", "identity").go();
        let packed = server.send("GET", path).header("Accept-Encoding", "br, gzip").go();
        assert_eq!((plain.status, packed.status), (200, 200), "{path}");
        assert_eq!(
            (plain.header("content-encoding"), packed.header("content-encoding")),
            (None, Some("gzip"))
        );
        assert!(packed.body.starts_with(b"\x1f\x8b") && packed.body.len() * 2 < plain.body.len(), "{path}");
        assert!(packed.header("vary").unwrap().contains("Accept-Encoding"));
        for (answer, encoding) in [(&plain, "identity"), (&packed, "gzip")] {
            let tag = answer.header("etag").unwrap();
            let again = server
                .send("GET", path)
                .header("Accept-Encoding", encoding)
                .header("If-None-Match", tag)
                .go();
            assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)), "{path}");
        }
        assert_ne!(plain.header("etag"), packed.header("etag"));
    }
    let english = server.get("/v1/rulesets/ecopolis/rules");
    let italian = server.send("GET", "/v1/rulesets/ecopolis/rules").header("Accept-Language", "it").go();
    assert_ne!(english.header("etag"), italian.header("etag"));
}
