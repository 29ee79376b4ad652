//! Views have tags, and replays never change.

use serde_json::json;

use super::support::{Server, table, timeless};

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
    let sent = json!({"expected_seq": 3, "command": {"type": "choose_combination", "column": 0}});
    ada.post(&format!("{game}/commands"), &sent).expect(201);
    assert_eq!(ada.send("GET", &path).header("If-None-Match", &tag).go().status, 200);
}

#[test]
fn a_replay_is_sealed_until_the_end_and_immutable_after() {
    let server = Server::start();
    let ada = server.player("Ada");
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2}));
    server.get(&format!("{game}/replay")).problem(409, "game_not_finished");
    ada.send("DELETE", &game).go().expect(200);
    let replay = server.get(&format!("{game}/replay"));
    assert!(replay.header("cache-control").unwrap().starts_with("public, "));
    assert!(replay.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(server.get(&format!("{game}/replay")).body, replay.body);
}

/// Proofs under newer checkpoints are equivalent.
#[test]
fn the_replay_is_the_same_however_the_tree_grows() {
    let server = Server::start();
    let ada = server.player("Ada");
    let new = json!({"ruleset": "industrial-waste", "seats": 2});
    let game = ada.creates(&new);
    ada.send("DELETE", &game).go().expect(200);
    server.pin();
    let replay = || server.get(&format!("{game}/replay"));
    let whole = replay();
    assert_eq!(whole.header("cache-control"), Some("public, max-age=31536000, immutable"));
    ada.creates(&new);
    server.pin();
    let later = replay();
    assert_ne!(later.body, whole.body, "the tree has grown");
    let tag = whole.header("etag").unwrap();
    assert_eq!(later.header("etag"), Some(tag));
    let known = server.send("GET", &format!("{game}/replay")).header("If-None-Match", tag).go();
    assert_eq!((known.status, known.header("cache-control")), (304, whole.header("cache-control")));
}

#[test]
fn whatever_is_read_is_known_by_what_stands_in_it() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let of_game = ["note", "plan", "messages", "mutes", "pause", "events", "log", "view?with=legal"];
    let of_game = of_game.map(|what| format!("{game}/{what}"));
    let of_player = ["", "/tokens", "/notifications", "/games"].map(|what| format!("/v1/me{what}"));
    for path in of_game.iter().chain(&of_player).chain([&"/v1/keys".to_owned(), &"/v1/webhooks".to_owned()]) {
        let first = ada.get(path);
        let tag = first.header("etag").unwrap_or_else(|| panic!("{path} has no tag"));
        assert_eq!(first.status, 200, "{path}");
        let again = ada.send("GET", path).header("If-None-Match", tag).go();
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)), "{path}");
        assert_eq!(again.header("cache-control"), first.header("cache-control"), "{path}");
        assert_eq!(again.header("vary"), first.header("vary"), "{path}");
    }
}

/// Texts make a different answer per language, also for caches.
#[test]
fn words_are_in_a_language() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    for what in ["view", "events"] {
        let get = |query: &str, tag: &str| {
            let request = ada.send("GET", &format!("{game}/{what}{query}")).header("Accept-Language", "it");
            request.header("If-None-Match", tag).go()
        };
        let (plain, worded) = (get("", "\"\""), get("?words=true", "\"\""));
        assert_eq!((plain.header("content-language"), plain.header("vary")), (None, Some("Authorization")));
        for answer in [&worded, &get("?words=true", worded.header("etag").unwrap())] {
            assert_eq!(answer.header("content-language"), Some("it"), "{what}");
            assert_eq!(answer.header("vary"), Some("Authorization, Accept-Language"), "{what}");
        }
    }
}

/// Including lists that usually fit a page.
#[test]
fn lists_come_in_pages() {
    let server = Server::start();
    let ada = server.player("Ada");
    for name in ["one", "two", "three"] {
        ada.post("/v1/me/tokens", &json!({"name": name, "scopes": ["read"]})).expect(201);
    }
    for (path, count) in [("/v1/me/tokens", 4), ("/v1/rulesets", 2)] {
        assert_eq!(ada.counts_in_pages(path), count, "{path}");
    }
}

/// Constant answers are sent once, and compressed on request.
#[test]
fn what_never_changes_has_a_tag_and_is_packed() {
    let server = Server::start();
    for path in [
        "/",
        "/openapi.json",
        "/v1/fairlog",
        "/v1/rulesets/ecopolis/rules",
        "/docs/",
        "/docs/swagger-ui-bundle.js",
    ] {
        let plain = server.send("GET", path).header("Accept-Encoding", "identity").go();
        let packed = server.send("GET", path).header("Accept-Encoding", "gzip").go();
        let smallest = server.send("GET", path).header("Accept-Encoding", "br, gzip").go();
        assert_eq!((plain.status, packed.status, smallest.status), (200, 200, 200), "{path}");
        assert_eq!(
            [&plain, &packed, &smallest].map(|answer| answer.header("content-encoding")),
            [None, Some("gzip"), Some("br")]
        );
        assert!(smallest.body.len() < packed.body.len(), "{path}");
        assert!(packed.body.starts_with(b"\x1f\x8b") && packed.body.len() * 2 < plain.body.len(), "{path}");
        assert!(packed.header("vary").unwrap().contains("Accept-Encoding"));
        for (answer, encoding) in [(&plain, "identity"), (&packed, "gzip"), (&smallest, "br")] {
            let tag = answer.header("etag").unwrap();
            let again = server
                .send("GET", path)
                .header("Accept-Encoding", encoding)
                .header("If-None-Match", tag)
                .go();
            assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, Some(tag)), "{path}");
        }
        assert_ne!(plain.header("etag"), packed.header("etag"));
        assert_ne!(smallest.header("etag"), packed.header("etag"));
    }
    let english = server.get("/v1/rulesets/ecopolis/rules");
    let italian = server.send("GET", "/v1/rulesets/ecopolis/rules").header("Accept-Language", "it").go();
    assert_ne!(english.header("etag"), italian.header("etag"));
}

/// A compressed answer has the same content and tag.
#[test]
fn long_answers_are_packed_on_request() {
    use std::io::Read as _;
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let path = format!("{game}/view?seq=3");
    let get = |encoding: &str| ada.send("GET", &path).header("Accept-Encoding", encoding).go();
    let plain = get("identity");
    assert_eq!((plain.header("content-encoding"), plain.body.len() > 1_024), (None, true));
    for (asked, way) in [("gzip", "gzip"), ("br", "br"), ("br;q=0.1, gzip", "gzip"), ("gzip;q=0.5, br", "br")]
    {
        let packed = get(asked);
        assert_eq!(packed.header("content-encoding"), Some(way), "{asked}");
        assert_eq!(packed.header("vary"), Some("Authorization, Accept-Encoding"));
        assert!(packed.body.len() < plain.body.len());
        let mut text = Vec::new();
        let read = match way {
            "gzip" => flate2::read::GzDecoder::new(packed.body.as_slice()).read_to_end(&mut text),
            _ => brotli::Decompressor::new(packed.body.as_slice(), 4_096).read_to_end(&mut text),
        };
        assert_eq!(read.unwrap(), text.len());
        assert_eq!(timeless(serde_json::from_slice(&text).unwrap()), timeless(plain.json()));
        let tag = packed.header("etag").unwrap();
        assert!(tag.ends_with(&format!("-{way}\"")) && Some(tag) != plain.header("etag"), "{tag}");
        for encoding in ["identity", asked] {
            let again =
                ada.send("GET", &path).header("Accept-Encoding", encoding).header("If-None-Match", tag).go();
            assert_eq!(again.status, 304, "{asked} {encoding}");
        }
    }
    let short = ada.send("GET", "/v1/me").header("Accept-Encoding", "gzip, br").go();
    assert_eq!(short.header("content-encoding"), None);
    let secret =
        server.send("POST", "/v1/players").header("Accept-Encoding", "gzip").json(&json!({"name": "x"})).go();
    assert_eq!(secret.header("content-encoding"), None);
}
