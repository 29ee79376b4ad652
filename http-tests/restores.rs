//! A backup that is put back: the games go on, what was lost convicts nobody, and nobody passes a fork off as it.

use std::{fs, path::Path, process::Command, sync::Arc};

use playledger::{
    keys,
    ledger::{
        encoding::unhex,
        receipt::{Note, Receipt},
    },
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{Clock, Player, Server, play_to_the_end, table};

fn playledger(folder: &Path, args: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_playledger"))
        .current_dir(folder)
        .args(args)
        .args(["--database", "games.db"])
        .output()
        .unwrap();
    let said = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
    assert!(done.status.success(), "{args:?}: {said}");
    said
}

/// Plays the first listed command of whoever must decide, and keeps its receipt.
fn play_one(game: &str, players: &[&Player]) -> String {
    let view = players[0].get(&format!("{game}/view")).expect(200);
    let player = players[usize::try_from(view["to_act"][0].as_u64().unwrap()).unwrap()];
    let legal = player.get(&format!("{game}/legal-commands")).expect(200);
    let sent = json!({"expected_seq": legal["seq"], "command": legal["commands"][0]["command"]});
    player.post(&format!("{game}/commands"), &sent).expect(201)["receipt"].as_str().unwrap().to_owned()
}

fn receipts_check(server: &Server, audited: &Value) -> (String, String) {
    let report = server.send("POST", "/v1/audits").json(audited).go().expect(200);
    let check = &report["checks"][3];
    let text = |field: &str| check[field].as_str().unwrap().to_owned();
    (text("outcome"), text("detail"))
}

struct Restored {
    folder: Arc<TempDir>,
    clock: Clock,
    tokens: [String; 2],
    game: String,
    /// A receipt from before the backup, and one for what was lost.
    kept: String,
    lost: String,
}

/// A game of which a backup was made, that was played on, and that was put back.
fn restored() -> Restored {
    let (folder, clock) = (Arc::new(tempfile::tempdir().unwrap()), Clock::default());
    let server = Server::on(&folder, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let tokens = [ada.token.clone(), bob.token.clone()];
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    let kept = play_one(&game, &[&ada, &bob]);
    playledger(folder.path(), &["backup", "backup.db"]);
    clock.advance(1_000);
    play_one(&game, &[&ada, &bob]);
    let lost = play_one(&game, &[&ada, &bob]);
    drop(server);
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.path().join(format!("games.db{ending}")));
    }
    clock.advance(1_000);
    let said = playledger(folder.path(), &["restore", "backup.db"]);
    assert!(said.contains("1 games go on"), "{said}");
    Restored { folder, clock, tokens, game, kept, lost }
}

#[test]
fn what_was_lost_with_a_backup_convicts_nobody() {
    let Restored { folder, clock, tokens, game, kept, lost } = restored();
    let server = Server::on(&folder, &clock);
    let [ada, bob] = &tokens.map(|token| Player { server: &server, id: String::new(), token });
    let after = play_to_the_end(&game, &[ada, bob], |_| 0);
    let keys = server.get("/v1/keys").expect(200)["keys"].clone();
    assert_eq!(keys.as_array().unwrap().len(), 2, "{keys}");
    assert!(
        keys[0]["restore"].is_null() && keys[1]["restore"].as_str().unwrap().starts_with("fairlog restore\n")
    );
    let replay = ada.get(&format!("{game}/replay")).text();
    let (outcome, detail) =
        receipts_check(&server, &json!({"replay": replay, "receipts": [kept, after[0], lost]}));
    assert_eq!(outcome, "pass", "{detail}");
    assert!(
        detail.contains("2 kept by seats") && detail.contains("1 kept receipt(s) are for entries"),
        "{detail}"
    );
    // The statement is what excuses it.
    let trusted = json!([keys[0]["key"], keys[1]["key"]]);
    let without = json!({"replay": replay, "receipts": [lost], "keys": trusted});
    assert_eq!(receipts_check(&server, &without).0, "fail");
    let with =
        json!({"replay": replay, "receipts": [lost], "keys": trusted, "restores": [keys[1]["restore"]]});
    assert_eq!(receipts_check(&server, &with).0, "pass");
}

/// A server that goes on signing with a key that it said had ended keeps a second history.
#[test]
fn a_key_that_ended_signs_nothing_more() {
    let Restored { folder, clock, tokens, game, .. } = restored();
    let server = Server::on(&folder, &clock);
    let [ada, bob] = &tokens.map(|token| Player { server: &server, id: String::new(), token });
    play_to_the_end(&game, &[ada, bob], |_| 0);
    let log = ada.get(&format!("{game}/log?limit=100")).expect(200);
    let old = keys::read(&folder.path().join("games.db.key.ended")).unwrap().unwrap();
    let sign = |seq: usize| {
        let head = unhex(log["items"][seq]["head"].as_str().unwrap()).unwrap();
        let id = game.rsplit('/').next().unwrap().to_owned();
        old.sign(&Receipt { game: id, seq: seq as u64, head })
    };
    let replay = ada.get(&format!("{game}/replay")).text();
    let newest = log["items"].as_array().unwrap().len() - 1;
    assert!(Note::read(&sign(newest)).is_ok());
    let (outcome, detail) = receipts_check(&server, &json!({"replay": replay, "receipts": [sign(newest)]}));
    assert_eq!(outcome, "fail");
    assert!(detail.contains("had ended"), "{detail}");
    let before = json!({"replay": replay, "receipts": [sign(2)]});
    assert_eq!(receipts_check(&server, &before).0, "pass", "up to its end it signed rightly");
}

#[test]
fn a_restore_leaves_a_database_alone_and_needs_the_old_key() {
    let (folder, clock) = (Arc::new(tempfile::tempdir().unwrap()), Clock::default());
    let server = Server::on(&folder, &clock);
    server.player("Ada");
    playledger(folder.path(), &["backup", "backup.db"]);
    drop(server);
    let restore = |database: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_playledger"));
        command.current_dir(folder.path()).args(["restore", "backup.db", "--database", database]);
        let done = command.output().unwrap();
        (done.status.success(), String::from_utf8(done.stderr).unwrap())
    };
    let (done, said) = restore("games.db");
    assert!(!done && said.contains("move it away"), "{said}");
    let (done, said) = restore("elsewhere.db");
    assert!(!done && said.contains("is in none of"), "{said}");
    fs::copy(folder.path().join("games.db.key"), folder.path().join("backup.db.key")).unwrap();
    assert!(restore("elsewhere.db").0);
    let left: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("restoring"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}
