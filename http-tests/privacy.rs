//! Unlisted and private games, and secrets of all games.

use serde_json::json;

use super::{
    access::TABLE,
    support::{Server, play_to_the_end, table},
};

/// Private games cannot be detected: each answer equals that for an absent game, byte for byte.
#[test]
fn a_private_game_is_not_there_for_strangers() {
    let server = Server::start();
    let (ada, bob, eve) = (server.player("Ada"), server.player("Bob"), server.player("Eve"));
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2, "visibility": "private"}));
    let nowhere = format!("/v1/games/{}", uuid::Uuid::now_v7());
    let guess = ("POST", "/seats", r#"{"invite":"guessed"}"#);
    let rows = TABLE.iter().map(|(method, path, body, ..)| (*method, *path, *body)).chain([guess]);
    for (method, path, body) in rows {
        for token in [None, Some(&eve.token)] {
            let ask = |game: &str| {
                let mut request = server.send(method, &format!("{game}{path}"));
                if let Some(token) = token {
                    request = request.token(token);
                }
                if !body.is_empty() {
                    request = request.text(body).header("Content-Type", "application/json");
                }
                request.go()
            };
            let answer = ask(&game);
            assert!(matches!(answer.status, 401 | 404), "{method} {path}: {}", answer.text());
            assert_eq!(answer.shape(), ask(&nowhere).shape(), "{method} {path}");
        }
    }

    let invite = ada.get(&game).expect(200)["invite"].clone();
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);
    assert_eq!(bob.get(&game).expect(200)["invite"], invite);
    assert_eq!(server.get("/v1/games").expect(200)["items"], json!([]));
}

#[test]
fn an_unlisted_game_is_seen_by_its_id_and_joined_by_its_invite() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2, "visibility": "unlisted"}));
    assert!(server.get(&game).expect(200).get("invite").is_none());
    assert_eq!(server.get("/v1/games").expect(200)["items"], json!([]));
    bob.post(&format!("{game}/seats"), &json!({"invite": "wrong"})).problem(403, "invalid_invite");
    let invite = ada.get(&game).expect(200)["invite"].clone();
    bob.post(&format!("{game}/seats"), &json!({"invite": invite})).expect(201);
}

#[test]
fn each_viewer_sees_its_own_cash_only() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({}));
    let cash = |view: serde_json::Value| {
        let companies = view["state"]["companies"].as_array().unwrap().clone();
        companies.into_iter().map(|company| company["cash"].clone()).collect::<Vec<_>>()
    };
    let path = format!("{game}/view");
    assert_eq!(cash(ada.get(&path).expect(200)), [json!(15), json!(null)]);
    assert_eq!(cash(bob.get(&path).expect(200)), [json!(null), json!(15)]);
    assert_eq!(cash(server.get(&path).expect(200)), [json!(null), json!(null)]);
}

/// Plays a game, and searches all answers for the server's seed, which the replay reveals at the end.
#[test]
fn no_seed_and_no_token_is_ever_said() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 2}));
    let mut said = String::new();
    let paths = ["", "/view", "/events", "/log"].map(|path| format!("{game}{path}"));
    play_to_the_end(&game, &[&ada, &bob], |count| {
        for path in &paths {
            said.push_str(&server.get(path).text());
            said.push_str(&ada.get(path).text());
        }
        count - 1
    });
    for path in ["/metrics", "/v1/games", "/openapi.json"] {
        said.push_str(&server.get(path).text());
    }
    let replay = server.get(&format!("{game}/replay")).expect(200);
    let seed = replay["server_seed"].as_str().unwrap();
    assert!(!said.contains(seed) && !said.contains(&ada.token) && !said.contains(&bob.token));
    assert!(!said.contains(r#""draws""#), "no draw before the end");
}
