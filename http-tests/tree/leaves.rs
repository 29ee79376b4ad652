//! Leaves of the public tree: in order, once, for ever, and with a receipt that leads to each.

use std::{collections::BTreeSet, sync::Arc};

use playledger::{
    engine::hash::Bytes32,
    ledger::receipt::Note,
    tree::{
        merkle::{Shape, of_leaf, over},
        note::VerifierKey,
        proof::Proof,
    },
};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Played, grown, heads, leads, leaves, log_key, shape};
use crate::support::{
    Clock, Player, Server, eventually, play_one, play_to_the_end,
    program::{Program, run},
    table,
};

#[test]
fn what_is_pinned_stands_in_the_order_of_the_commits_and_once() {
    let server = Server::start();
    eventually("the empty tree is published", || {
        (server.get("/tlog/checkpoint").status == 200).then_some(())
    });
    let note = server.get("/tlog/checkpoint").text();
    assert_eq!(shape(&server), Shape::empty(), "{note}");
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let first = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    let second = ada.creates(&json!({"ruleset": "industrial-waste", "seats": 2}));
    server.pin();
    let (of_first, of_second) = (heads(&server, &first), heads(&server, &second));
    let kinds: Vec<&str> = of_first.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["genesis", "join", "join", "start"]);
    let head = |heads: &[(String, Bytes32)], seq: usize| heads[seq].1;
    let expected = [
        head(&of_first, 0),
        head(&of_first, 2),
        head(&of_first, 3),
        head(&of_second, 0),
        head(&of_second, 1),
    ];
    assert_eq!(leaves(&server), expected);
    let hashes: Vec<Bytes32> = expected.iter().map(of_leaf).collect();
    assert_eq!(server.get("/tlog/tile/0/000.p/5").body, hashes.concat());
    assert_eq!(shape(&server), Shape { size: 5, root: over_five(&hashes) });
    server.pin();
    assert_eq!(shape(&server).size, 5, "nothing moved");
    play_one(&first, &[&ada, &bob]);
    play_one(&first, &[&ada, &bob]);
    server.pin();
    let of_first = heads(&server, &first);
    assert_eq!(
        leaves(&server)[5..],
        [head(&of_first, of_first.len() - 1)],
        "the newest head of a game that moved"
    );
    play_to_the_end(&first, &[&ada, &bob], |_| 0);
    server.pin();
    let of_first = heads(&server, &first);
    assert_eq!(of_first.last().unwrap().0, "end");
    assert_eq!(leaves(&server)[6..], [of_first.last().unwrap().1]);
    let distinct: BTreeSet<Bytes32> = leaves(&server).into_iter().collect();
    assert_eq!(distinct.len() as u64, shape(&server).size);
}

fn over_five(hashes: &[Bytes32]) -> Bytes32 {
    playledger::tree::merkle::of_children(&over(&hashes[..4]), &hashes[4])
}

#[test]
fn tiles_are_served_as_far_as_they_were_published_and_for_ever() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    table(&[&ada, &bob], &json!({}));
    server.pin();
    let size = shape(&server).size;
    for width in 1..=size {
        let tile = server.get(&format!("/tlog/tile/0/000.p/{width}"));
        assert_eq!((tile.status, tile.body.len() as u64), (200, width * 32));
        assert_eq!(tile.header("content-type"), Some("application/octet-stream"));
        assert!(tile.header("cache-control").unwrap().contains("immutable"));
    }
    let checkpoint = server.get("/tlog/checkpoint");
    assert_eq!(checkpoint.header("content-type"), Some("text/plain; charset=utf-8"));
    assert_eq!(checkpoint.header("cache-control"), Some("public, max-age=2"));
    assert_eq!(server.send("HEAD", "/tlog/checkpoint").go().status, 200);
    assert_eq!(server.send("HEAD", "/tlog/tile/0/000.p/1").go().status, 200);
    for missing in [
        format!("0/000.p/{}", size + 1),
        "0/000".into(),
        "0/001.p/1".into(),
        "1/000.p/1".into(),
        "0/000.p/0".into(),
        "0/0".into(),
        "entries/000".into(),
        "9/x999/000".into(),
        "../../etc".into(),
        "%00".into(),
    ] {
        server.get(&format!("/tlog/tile/{missing}")).problem(404, "not_found");
    }
}

#[test]
fn a_receipt_is_led_to_the_tree_and_to_no_other_game() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    let early = server.get(&format!("{game}/proof"));
    assert!(early.header("retry-after").is_some());
    early.problem(409, "not_in_tree_yet");
    let receipt = play_one(&game, &[&ada, &bob]);
    server.pin();
    let seq = Note::read(&receipt).unwrap().receipt.seq;
    let proof = server.get(&format!("{game}/proof?seq={seq}")).expect(200);
    leads(&server, &proof, &receipt);
    let whole = server.get(&format!("{game}/proof")).expect(200);
    assert_eq!(whole["links"].as_array().unwrap().len() as u64, whole["seq"].as_u64().unwrap());
    let later = play_one(&game, &[&ada, &bob]);
    let later_seq = Note::read(&later).unwrap().receipt.seq;
    server.get(&format!("{game}/proof?seq={later_seq}")).problem(409, "not_in_tree_yet");
    server.get(&format!("{game}/proof?seq={}", later_seq + 99)).problem(404, "not_found");
    server.get(&format!("{game}/proof?seq=-1")).problem(400, "malformed");
    server.get(&format!("{game}/proof?seq=x")).problem(400, "malformed");
    server.get(&format!("{game}/proof?sequence=1")).problem(400, "malformed");
    server.pin();
    leads(&server, &server.get(&format!("{game}/proof?seq={seq}")).expect(200), &receipt);
    let other = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    server.pin();
    let other = server.get(&format!("{other}/proof")).expect(200);
    let key: VerifierKey = log_key(&server).parse().unwrap();
    let head = Note::read(&later).unwrap().receipt.head;
    let moved = Proof::read(other["proof"].as_str().unwrap()).unwrap().check(&head, &[key], &[], 0);
    assert!(moved.is_err());
    let private = json!({"ruleset": "industrial-waste", "seats": 2, "visibility": "private"});
    let private = ada.creates(&private);
    server.pin();
    server.get(&format!("{private}/proof")).problem(404, "not_found");
    bob.get(&format!("{private}/proof")).problem(404, "not_found");
    ada.get(&format!("{private}/proof")).expect(200);
}

#[test]
fn the_replay_of_a_game_carries_the_proof_of_its_end() {
    let server = Server::start();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let games: Vec<String> = (0..2)
        .map(|_| {
            let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
            play_to_the_end(&game, &[&ada, &bob], |_| 0);
            game
        })
        .collect();
    let early = server.get(&format!("{}/replay", games[0]));
    let (tag, text) = (early.header("etag").unwrap().to_owned(), early.text());
    assert!(!early.header("cache-control").unwrap().contains("31536000"), "more is to come");
    server.pin();
    let late = server.send("GET", &format!("{}/replay", games[0])).header("If-None-Match", &tag).go();
    assert_eq!(
        (late.status, late.header("cache-control")),
        (200, Some("public, max-age=31536000, immutable"))
    );
    let (mut before, mut after): (Value, Value) =
        (serde_json::from_str(&text).unwrap(), serde_json::from_str(&late.text()).unwrap());
    assert_eq!(
        (before["proofs"].as_array().unwrap().len(), after["proofs"].as_array().unwrap().len()),
        (0, 1)
    );
    let proof = after["proofs"].take();
    before["proofs"] = Value::Null;
    assert_eq!(before, after, "they differ in nothing else");
    let outcome = |document: &str| -> (String, String) {
        let check = server.audit(document).expect(200)["checks"][7].clone();
        (check["outcome"].as_str().unwrap().into(), check["detail"].as_str().unwrap().into())
    };
    assert_eq!(outcome(&late.text()).0, "pass", "{:?}", outcome(&late.text()));
    let other = server.get(&format!("{}/replay", games[1])).text();
    let other_proof = serde_json::from_str::<Value>(&other).unwrap()["proofs"][0].to_string();
    let moved = late.text().replace(&proof[0].to_string(), &other_proof);
    assert_eq!(outcome(&moved).0, "fail", "a proof of another game");
    assert_eq!(outcome(&text).0, "not_run");
}

#[test]
fn a_bit_that_is_flipped_is_found_and_nothing_more_is_signed_over_it() {
    needs!(file);
    let (folder, clock) = (Arc::new(tempfile::tempdir().unwrap()), Clock::default());
    let server = Server::on(&folder, &clock);
    let (key, played) = (log_key(&server), Played::begin(&server));
    server.pin();
    drop(server);
    let raw = Connection::open(folder.path().join("games.db")).unwrap();
    assert!(
        raw.execute("UPDATE leaf SET head = zeroblob(32) WHERE id = 1", []).is_err(),
        "it is append-only"
    );
    assert!(raw.execute("DELETE FROM leaf WHERE id = 1", []).is_err());
    assert!(raw.execute("INSERT INTO leaf VALUES (99, 1, 1, zeroblob(32))", []).is_err());
    raw.execute_batch(
        "DROP TRIGGER leaf_is_never_changed; UPDATE leaf SET head = zeroblob(32) WHERE id = 1;",
    )
    .unwrap();
    drop(raw);
    let (status, said) = run(folder.path(), &["check", "--database", "games.db"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("leaf 1"), "{said}");
    let server = Server::on(&folder, &clock);
    let size = shape(&server).size;
    let url = format!("http://{}", server.address);
    let (status, said) = run(folder.path(), &["follow", &url, "--key", &key, "--state", "seen"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("DAMAGED"), "{said}");
    played.go_on(&server, 1);
    let refused = server.try_to_pin().unwrap_err();
    assert!(refused.text().en.contains("does not extend the published checkpoint"), "{refused:?}");
    assert_eq!(shape(&server).size, size);
}

/// After repeated kills during games, published trees are never contradicted, and no leaf is lost or doubled.
#[test]
fn a_kill_at_any_time_neither_loses_nor_doubles_a_leaf() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.db");
    let flags = ["--checkpoint-seconds", "1"];
    let mut program = Program::serve(&database, &flags);
    let key = log_key(&program.server());
    let played = Played::begin(&program.server());
    for round in 1..=8 {
        let server = program.server();
        played.go_on(&server, 1 + round % 3);
        let players = played.tokens.clone().map(|token| Player::with(&server, token));
        table(&[&players[0], &players[1]], &json!({}));
        if round % 2 == 0 {
            grown(&server, shape(&server).size.saturating_sub(1));
        }
        let url = format!("http://{}", server.address);
        let (status, said) = run(folder.path(), &["follow", &url, "--key", &key, "--state", "seen"]);
        assert_eq!(status, Some(0), "round {round}: {said}");
        program.kill();
        program = Program::serve(&database, &flags);
    }
    let server = program.server();
    let (_, newest) = heads(&server, &played.game).pop().unwrap();
    let all = eventually("all is pinned", || Some(leaves(&server)).filter(|leaves| leaves.contains(&newest)));
    let distinct: BTreeSet<&Bytes32> = all.iter().collect();
    assert_eq!(distinct.len(), all.len(), "none stands twice");
    let games = server.get("/v1/games?limit=100").expect(200);
    for game in games["items"].as_array().unwrap() {
        for (kind, head) in heads(&server, &format!("/v1/games/{}", game["id"].as_str().unwrap())) {
            let is_landmark = ["genesis", "seal", "start", "end"].contains(&kind.as_str());
            assert!(!is_landmark || all.contains(&head), "{kind}");
        }
    }
    let (status, said) = run(
        folder.path(),
        &["follow", &format!("http://{}", server.address), "--key", &key, "--state", "seen", "--whole"],
    );
    assert_eq!(status, Some(0), "{said}");
}
