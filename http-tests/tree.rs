//! The public tree over all games: what is pinned, what is proved, who witnesses it, and how a second history is found out.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use playledger::{
    engine::{Format, hash::Bytes32},
    ledger::{chain::Chain, encoding::unhex, receipt::Note},
    tree::{
        checkpoint::Checkpoint,
        merkle::{Shape, of_leaf, over},
        note::{VerifierKey, WitnessKey},
        proof::Proof,
        tile::read_entries,
    },
};
use rusqlite::Connection;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::support::{
    Clock, Player, Server, database, eventually, play_one, play_to_the_end,
    program::{Program, run},
    table,
};

/// The key of the tree of a server, as it is written.
fn log_key(server: &Server) -> String {
    let keys = server.get("/v1/keys").expect(200);
    let key = keys["keys"].as_array().unwrap().iter().find(|key| key["use"] == "log").unwrap();
    key["key"].as_str().unwrap().to_owned()
}

fn shape(server: &Server) -> Shape {
    let note = server.get("/tlog/checkpoint").text();
    let read = Checkpoint::read(&note).unwrap();
    read.check_log(&[log_key(server).parse().unwrap()]).unwrap();
    read.shape
}

/// The leaves of a tree that has no more than one tile of them.
fn leaves(server: &Server) -> Vec<Bytes32> {
    let size = shape(server).size;
    read_entries(&server.get(&format!("/tlog/tile/entries/000.p/{size}")).body).unwrap()
}

/// The log of a game, as it is shown: the type of each entry, and its head.
fn heads(server: &Server, game: &str) -> Vec<(String, Bytes32)> {
    let mut heads = Vec::new();
    loop {
        let after = i64::try_from(heads.len()).unwrap() - 1;
        let page = server.get(&format!("{game}/log?after={after}&limit=100")).expect(200);
        let items = page["items"].as_array().unwrap();
        heads.extend(items.iter().map(|item| {
            let kind = item["body"]["type"].as_str().unwrap().to_owned();
            (kind, unhex(item["head"].as_str().unwrap()).unwrap())
        }));
        if items.len() < 100 {
            return heads;
        }
    }
}

/// Checks a proof of a game, and leads the receipt of an entry to it.
fn leads(server: &Server, proof: &Value, receipt: &str) {
    let receipt = Note::read(receipt).unwrap().receipt;
    let mut chain = Chain::after(Format::Two, receipt.seq, 0, receipt.head);
    for link in proof["links"].as_array().unwrap() {
        chain.follow(link["body"].to_string().as_bytes(), &unhex(link["x"].as_str().unwrap()).unwrap());
    }
    assert_eq!(chain.next_seq(), proof["seq"].as_u64().unwrap() + 1);
    let key: VerifierKey = log_key(server).parse().unwrap();
    let read = Proof::read(proof["proof"].as_str().unwrap()).unwrap();
    read.check(chain.head(), &[key], &[], 0).unwrap();
}

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
    assert_eq!(kinds, ["genesis", "join", "join", "seal", "start"]);
    let head = |heads: &[(String, Bytes32)], seq: usize| heads[seq].1;
    let expected = [
        head(&of_first, 0),
        head(&of_first, 3),
        head(&of_first, 4),
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
    early.problem(404, "not_pinned_yet");
    let receipt = play_one(&game, &[&ada, &bob]);
    server.pin();
    let seq = Note::read(&receipt).unwrap().receipt.seq;
    let proof = server.get(&format!("{game}/proof?seq={seq}")).expect(200);
    leads(&server, &proof, &receipt);
    let whole = server.get(&format!("{game}/proof")).expect(200);
    assert_eq!(whole["links"].as_array().unwrap().len() as u64, whole["seq"].as_u64().unwrap());
    let later = play_one(&game, &[&ada, &bob]);
    let later_seq = Note::read(&later).unwrap().receipt.seq;
    server.get(&format!("{game}/proof?seq={later_seq}")).problem(404, "not_pinned_yet");
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
fn a_database_of_before_gets_its_tree_at_the_first_start() {
    let earlier = Path::new(env!("CARGO_MANIFEST_DIR")).join("http-tests/earlier");
    let folder = Arc::new(tempfile::tempdir().unwrap());
    fs::copy(earlier.join("0.1.0.sqlite"), folder.path().join("games.db")).unwrap();
    fs::copy(earlier.join("0.1.0.key"), folder.path().join("games.db.key")).unwrap();
    let said: Value = serde_json::from_slice(&fs::read(earlier.join("0.1.0.json")).unwrap()).unwrap();
    let server = Server::on(&folder, &Clock::at(1));
    server.pin();
    let leaves = leaves(&server);
    for (title, game) in said["games"].as_object().unwrap() {
        let token = said["ada"].as_str().unwrap();
        let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
        let log = server.send("GET", &format!("{path}/log?limit=100")).token(token).go().expect(200);
        for item in log["items"].as_array().unwrap() {
            let head = unhex(item["head"].as_str().unwrap()).unwrap();
            let kind = item["body"]["type"].as_str().unwrap();
            if ["genesis", "seal", "start", "end"].contains(&kind) {
                assert!(leaves.contains(&head), "{title}: {kind}");
            }
        }
        server.send("GET", &format!("{path}/proof")).token(token).go().expect(200);
    }
    let replay = server.get(&format!("/v1/games/{}/replay", said["games"]["void"]["id"].as_str().unwrap()));
    assert_eq!(replay.expect(200)["proofs"], json!([]), "the first format has no place for them");
}

#[test]
fn a_tree_has_one_name() {
    let (folder, key) = (tempfile::tempdir().unwrap(), |server: &Server| log_key(server));
    let database = folder.path().join("games.db");
    let first = Program::serve(&database, &["--public-url", "https://games.example/x"]);
    let name = key(&first.server());
    assert!(name.starts_with("games.example/x/tlog+"), "{name}");
    first.kill();
    let second = Program::serve(&database, &["--public-url", "https://elsewhere.example"]);
    assert_eq!(key(&second.server()), name, "it is written once");
    second.kill();
    let kept = database::flags(&database);
    let mut flags: Vec<&str> = kept.iter().map(String::as_str).collect();
    flags.extend(["--listen", "127.0.0.1:0", "--origin", "other"]);
    let (status, said) = run(folder.path(), &flags);
    assert_eq!(status, Some(2));
    assert!(said.contains("cannot become `other`: leave --origin out"), "{said}");
}

/// A game that is played, on a server that a test may stop and kill.
struct Played {
    tokens: [String; 2],
    game: String,
}

impl Played {
    fn begin(server: &Server) -> Self {
        let (ada, bob) = (server.player("Ada"), server.player("Bob"));
        let game = table(&[&ada, &bob], &json!({"max_rounds": 3}));
        Self { tokens: [ada.token, bob.token], game }
    }

    fn go_on(&self, server: &Server, moves: usize) -> Vec<String> {
        let players = self.tokens.clone().map(|token| Player::with(server, token));
        (0..moves).map(|_| play_one(&self.game, &[&players[0], &players[1]])).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    for ending in ["", "-wal", ".key"] {
        let name = format!("games.db{ending}");
        let _ = fs::copy(from.join(&name), to.join(&name));
    }
}

/// Waits until the tree of a server has more leaves than this, and gives how many.
fn grown(server: &Server, size: u64) -> u64 {
    eventually("the tree grows", || Some(shape(server).size).filter(|now| *now > size))
}

/// A server that somebody started again from an old backup: what it does from there on is a second history.
#[test]
fn a_fork_is_found_by_a_monitor_by_a_witness_and_by_a_receipt() {
    let folders: [TempDir; 3] = std::array::from_fn(|_| tempfile::tempdir().unwrap());
    let [here, backup, watch] = folders.each_ref().map(TempDir::path);
    let flags = ["--checkpoint-seconds", "1"];
    let server = Program::serve(&here.join("games.db"), &flags);
    let key = log_key(&server.server());
    let witness = Program::witness(&watch.join("witness.db"), &[&key]);
    server.kill();
    let flags = ["--checkpoint-seconds", "1", "--witness", witness.as_witness()];
    let program = Program::serve(&here.join("games.db"), &flags);
    let server = program.server();
    let played = Played::begin(&server);
    let size = grown(&server, 0);
    program.kill();
    copy(here, backup);
    let program = Program::serve(&here.join("games.db"), &flags);
    let server = program.server();
    let receipts = played.go_on(&server, 3);
    let size = grown(&server, size);
    let witness_key: WitnessKey = witness.as_witness().split_once('=').unwrap().1.parse().unwrap();
    eventually("the witness signs", || {
        let note = server.get("/tlog/checkpoint").text();
        let seen = Checkpoint::read(&note).unwrap().witnessed(std::slice::from_ref(&witness_key)).unwrap();
        (seen.len() == 1).then_some(())
    });
    fs::write(watch.join("receipt"), receipts.last().unwrap()).unwrap();
    let game = played.game.rsplit('/').next().unwrap();
    let follow = |server: &Server, more: &[&str]| {
        let url = format!("http://{}", server.address);
        run(watch, &[&["follow", &url, "--key", &key][..], more].concat())
    };
    let (status, said) = follow(&server, &["--receipt", "receipt", "--game", game]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("one history"), "{said}");
    let seen =
        fs::read_to_string(watch.join(format!("follow-{}.checkpoint", key.split('+').nth(1).unwrap())));
    let seen = seen.unwrap();
    program.kill();

    let program = Program::serve(&backup.join("games.db"), &flags);
    let server = program.server();
    let (status, said) = follow(&server, &[]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("FORK: the tree has become smaller") && said.contains(&seen), "{said}");
    // Played on otherwise, until it is as large.
    let players = played.tokens.clone().map(|token| Player::with(&server, token));
    while shape(&server).size <= size {
        table(&[&players[0], &players[1]], &json!({}));
        grown(&server, shape(&server).size);
    }
    let (status, said) = follow(&server, &[]);
    assert_eq!(status, Some(1), "{said}");
    let now = server.get("/tlog/checkpoint").text();
    let shown = ["FORK: the tree does not begin with the one that was signed before", &seen, &now];
    assert!(shown.iter().all(|part| said.contains(part)), "both checkpoints are shown: {said}");
    let receipt = follow(&server, &["--state", "fresh", "--receipt", "receipt"]);
    assert_eq!(receipt.0, Some(1), "{}", receipt.1);
    assert!(receipt.1.contains("MISSING: entry"), "{}", receipt.1);
    // The same game, gone on otherwise: its log and the receipt are of two histories, whatever the tree has.
    played.go_on(&server, 3);
    grown(&server, shape(&server).size);
    let both = follow(&server, &["--state", "fresh", "--receipt", "receipt", "--game", game]);
    assert_eq!(both.0, Some(1), "{}", both.1);
    let kept = fs::read_to_string(watch.join("receipt")).unwrap();
    assert!(both.1.contains("FORK: entry") && both.1.contains(&kept), "{}", both.1);
    let (status, said) = follow(&server, &["--state", "fresh"]);
    assert_eq!(status, Some(0), "who has seen nothing before sees nothing wrong: {said}");
    let path = format!("/{}/checkpoint", origin_name(&key));
    let seen_by_witness = witness.server().send("GET", &path).go_unchecked().text();
    let kept = Checkpoint::read(&seen_by_witness).unwrap().shape;
    assert_eq!(kept, Checkpoint::read(&seen).unwrap().shape, "the witness keeps what it has signed");
    let none = Checkpoint::read(&now).unwrap().witnessed(std::slice::from_ref(&witness_key)).unwrap();
    assert!(none.is_empty(), "and signs nothing of the second history");
    let offer = format!("old {}\n\n{now}", kept.size);
    let refused = witness.server().send("POST", "/add-checkpoint").text(&offer).go_unchecked();
    assert_eq!(refused.status, 422, "{}", refused.text());
}

fn origin_name(key: &str) -> String {
    let origin = key.split('+').next().unwrap();
    playledger::ledger::encoding::hex(&Sha256::digest(origin))
}

#[test]
fn two_servers_witness_each_other() {
    let folders: [TempDir; 2] = std::array::from_fn(|_| tempfile::tempdir().unwrap());
    let keys = folders.each_ref().map(|folder| {
        let program = Program::serve(&folder.path().join("games.db"), &[]);
        log_key(&program.server())
    });
    let witness =
        |number: usize| Program::witness(&folders[number].path().join("witness.db"), &[&keys[1 - number]]);
    let witnesses = [witness(0), witness(1)];
    for number in 0..2 {
        let other = witnesses[1 - number].as_witness();
        let flags = ["--checkpoint-seconds", "1", "--witness", other];
        let program = Program::serve(&folders[number].path().join("games.db"), &flags);
        let server = program.server();
        let game = Played::begin(&server).game;
        let witness: WitnessKey = other.split_once('=').unwrap().1.parse().unwrap();
        let replay = eventually("the game is pinned and witnessed", || {
            let proof = server.get(&format!("{game}/proof"));
            let text = (proof.status == 200).then(|| proof.json()["proof"].as_str().unwrap().to_owned())?;
            let checkpoint =
                Proof::read(&text).unwrap().checkpoint().witnessed(std::slice::from_ref(&witness));
            (checkpoint.unwrap().len() == 1).then_some(text)
        });
        let key: VerifierKey = keys[number].parse().unwrap();
        let (_, head) = heads(&server, &game).pop().unwrap();
        let pinned = Proof::read(&replay).unwrap().check(&head, &[key], &[witness], 1).unwrap();
        assert_eq!(pinned.seen.len(), 1);
    }
}

#[test]
fn a_witness_refuses_what_it_must() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::serve(&folder.path().join("games.db"), &["--checkpoint-seconds", "1"]);
    let server = program.server();
    let key = log_key(&server);
    let empty = eventually("a checkpoint", || {
        let answer = server.get("/tlog/checkpoint");
        (answer.status == 200).then(|| answer.text())
    });
    Played::begin(&server);
    grown(&server, 0);
    let note = server.get("/tlog/checkpoint").text();
    let witness = Program::witness(&folder.path().join("witness.db"), &[&key]);
    let as_server = witness.server();
    let ask = |body: &str| {
        let answer = as_server.send("POST", "/add-checkpoint").text(body).go_unchecked();
        (answer.status, answer.text(), answer.header("content-type").map(str::to_owned))
    };
    let path = format!("/{}/checkpoint", origin_name(&key));
    assert_eq!(as_server.send("GET", &path).go_unchecked().status, 404);
    assert_eq!(ask(&format!("old 0\n\n{empty}")).0, 200, "an empty tree");
    let (status, line, _) = ask(&format!("old 0\n\n{note}"));
    assert_eq!(status, 200, "{line}");
    let signed = as_server.send("GET", &path).go_unchecked().text();
    assert_eq!(signed, format!("{note}{line}"));
    let size = shape(&server).size;
    let conflict = (409, format!("{size}\n"), Some("text/x.tlog.size".to_owned()));
    assert_eq!(ask(&format!("old 0\n\n{note}")), conflict);
    assert_eq!(ask(&format!("old {size}\n\n{note}")).0, 200, "the same once more");
    assert_eq!(ask(&format!("old {}\n\n{note}", size + 1)).0, 400);
    assert_eq!(ask("old 0\n").0, 400);
    assert_eq!(ask(&"x".repeat(100_000)).0, 413);
    let origin = key.split('+').next().unwrap();
    assert_eq!(ask(&format!("old 0\n\n{}", note.replace(origin, "other/log"))).0, 404);
    let forged = note.replacen(&format!("\n{size}\n"), &format!("\n{}\n", size + 1), 1);
    assert_eq!(ask(&format!("old {size}\n\n{forged}")).0, 403);
    let hash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    assert_eq!(ask(&format!("old {size}\n{hash}\n\n{note}")).0, 422);
    // What it has signed stands, whatever happens to it.
    witness.kill();
    let witness = Program::witness(&folder.path().join("witness.db"), &[&key]);
    assert_eq!(witness.server().send("GET", &path).go_unchecked().text(), signed);
}

#[test]
fn a_bit_that_is_flipped_is_found_and_nothing_more_is_signed_over_it() {
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
    assert!(refused.text().en.contains("no longer begins with what was published"), "{refused:?}");
    assert_eq!(shape(&server).size, size);
}

/// Killed again and again while games are played: what was published is never contradicted, and nothing is lost or doubled.
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
