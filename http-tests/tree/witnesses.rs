//! Others look at the tree, and a second history is found.

use std::{fs, path::Path};

use playledger::tree::{
    checkpoint::Checkpoint,
    note::{VerifierKey, WitnessKey},
    proof::Proof,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{Played, grown, heads, log_key, shape};
use crate::support::{
    Player, Server, database, eventually,
    program::{Program, run},
    table,
};

#[test]
fn a_tree_has_one_name() {
    let (folder, key) = (tempfile::tempdir().unwrap(), |server: &Server| log_key(server));
    let database = folder.path().join("games.db");
    let first = Program::serve(&database, &["--public-url", "https://games.example"]);
    let name = key(&first.server());
    assert!(name.starts_with("games.example/tlog+"), "{name}");
    first.kill();
    let second = Program::serve(&database, &["--public-url", "https://elsewhere.example"]);
    assert_eq!(key(&second.server()), name, "it is written once");
    second.kill();
    let kept = database::flags(&database);
    let mut flags: Vec<&str> = kept.iter().map(String::as_str).collect();
    flags.extend(["--listen", "127.0.0.1:0", "--origin", "other"]);
    let (status, said) = run(folder.path(), &flags);
    assert_eq!(status, Some(2));
    assert!(said.contains("not `other`, and the name cannot change: remove --origin"), "{said}");
}

fn copy(from: &Path, to: &Path) {
    for ending in ["", "-wal", ".key"] {
        let name = format!("games.db{ending}");
        let _ = fs::copy(from.join(&name), to.join(&name));
    }
}

/// A server restarted from an old backup writes a second history.
#[test]
fn a_fork_is_found_by_a_monitor_by_a_witness_and_by_a_receipt() {
    needs!(file);
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
    assert!(said.contains("FORK: the tree has shrunk") && said.contains(&seen), "{said}");
    // Continue differently until the tree is as large.
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
    // This game continued differently, so its log and the receipt belong to two histories.
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
    // A signature of the witness is permanent.
    witness.kill();
    let witness = Program::witness(&folder.path().join("witness.db"), &[&key]);
    assert_eq!(witness.server().send("GET", &path).go_unchecked().text(), signed);
}
