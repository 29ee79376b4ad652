//! Restores: games continue, lost entries convict no server, and a fork cannot pass for a restore.

use std::{fs, path::Path, sync::Arc};

use playledger::{
    keys,
    ledger::{
        encoding::unhex,
        receipt::{Note, Receipt},
    },
    tree::{checkpoint::Checkpoint, note::VerifierKey, proof::Proof, signer::Signer},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{
    Clock, Player, Server, play_one, play_to_the_end,
    program::{self, Program},
    table,
};

/// Runs a command on this database. Returns its success and its output.
fn run(folder: &Path, args: &[&str], database: &str) -> (bool, String) {
    let (code, said) = program::run(folder, &[args, &["--database", database]].concat());
    (code == Some(0), said)
}

fn playledger(folder: &Path, args: &[&str]) -> String {
    let (went_well, said) = run(folder, args, "games.db");
    assert!(went_well, "{args:?}: {said}");
    said
}

/// Returns the key that a restore ended.
fn ended(folder: &Path) -> Signer {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let aside = files.into_iter().find(|path| path.to_string_lossy().contains(".key.ended-")).unwrap();
    keys::read(&aside).unwrap().unwrap()
}

fn receipts_check(server: &Server, audited: &Value) -> (String, String) {
    let report = server.audit(&audited.to_string()).expect(200);
    let check = &report["checks"][3];
    let text = |field: &str| check[field].as_str().unwrap().to_owned();
    (text("outcome"), text("detail"))
}

/// Loses only the database.
fn lose(folder: &Path) {
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.join(format!("games.db{ending}")));
    }
}

struct Restored {
    folder: Arc<TempDir>,
    clock: Clock,
    tokens: [String; 2],
    game: String,
    /// Receipts from before the backup, and of a lost entry.
    kept: String,
    lost: String,
}

#[cfg(unix)]
#[test]
fn a_server_that_is_stopped_publishes_the_last_moves_and_notes_it_next_to_the_key() {
    needs!(file);
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.db");
    // So that no checkpoint is published between the start and the stop.
    let running = Program::serve(&database, &["--checkpoint-seconds", "3600"]);
    let server = running.server();
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    play_one(&game, &[&ada, &bob]);
    let published = |server: &Server| {
        let note = server.get("/tlog/checkpoint").text();
        Checkpoint::read(&note).map_or(0, |read| read.shape.size)
    };
    assert_eq!(published(&server), 0);
    running.stop();
    let mark = fs::read_to_string(folder.path().join("games.db.key.mark")).unwrap();
    let again = Program::serve(&database, &["--checkpoint-seconds", "3600"]);
    let size = published(&again.server());
    assert!(size > 0);
    assert_eq!(mark.lines().last(), Some(size.to_string().as_str()));
}

/// A game with a backup, continued, and then restored.
fn restored() -> Restored {
    // Before now: the statement of the restore has the true time.
    let (folder, clock) = (Arc::new(tempfile::tempdir().unwrap()), Clock::at(1_700_000_000_000));
    let server = Server::on(&folder, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let tokens = [ada.token.clone(), bob.token.clone()];
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    let kept = play_one(&game, &[&ada, &bob]);
    server.pin();
    playledger(folder.path(), &["backup", "backup.db"]);
    clock.advance(1_000);
    play_one(&game, &[&ada, &bob]);
    let lost = play_one(&game, &[&ada, &bob]);
    drop(server);
    lose(folder.path());
    clock.advance(1_000);
    let said = playledger(folder.path(), &["restore", "backup.db"]);
    assert!(said.contains("1 games continue"), "{said}");
    Restored { folder, clock, tokens, game, kept, lost }
}

fn keys_of_receipts(server: &Server) -> Vec<Value> {
    let keys = server.get("/v1/keys").expect(200)["keys"].as_array().unwrap().clone();
    keys.into_iter().filter(|key| key["use"] == "receipts").collect()
}

#[test]
fn what_was_lost_with_a_backup_convicts_nobody() {
    needs!(file);
    let Restored { folder, clock, tokens, game, kept, lost } = restored();
    let server = Server::on(&folder, &clock);
    let [ada, bob] = &tokens.map(|token| Player::with(&server, token));
    let after = play_to_the_end(&game, &[ada, bob], |_| 0);
    let keys = keys_of_receipts(&server);
    assert_eq!(keys.len(), 2, "{keys:?}");
    assert!(
        keys[0]["restore"].is_null()
            && keys[1]["restore"].as_str().unwrap().starts_with("fairlog/3 restore\n")
    );
    let replay = ada.get(&format!("{game}/replay")).text();
    let (outcome, detail) =
        receipts_check(&server, &json!({"replay": replay, "receipts": [kept, after[0], lost]}));
    assert_eq!(outcome, "not_run", "{detail}");
    assert!(detail.starts_with("1 receipts are for entries that the operator lost"), "{detail}");
    let rest = receipts_check(&server, &json!({"replay": replay, "receipts": [kept, after[0]]}));
    assert_eq!(rest, ("pass".to_owned(), "3 receipts agree with this history.".to_owned()));
    // The statement excuses the receipt.
    let trusted = json!([keys[0]["key"], keys[1]["key"]]);
    let without = json!({"replay": replay, "receipts": [lost], "keys": trusted});
    assert_eq!(receipts_check(&server, &without).0, "fail");
    let with =
        json!({"replay": replay, "receipts": [lost], "keys": trusted, "restores": [keys[1]["restore"]]});
    assert_eq!(receipts_check(&server, &with).0, "not_run");
}

/// A server that still signs with an ended key keeps a second history.
#[test]
fn a_key_that_ended_signs_nothing_more() {
    needs!(file);
    let Restored { folder, clock, tokens, game, .. } = restored();
    // The statement has the computer's time, which is later than the games'.
    clock.advance(100 * 365 * 86_400_000);
    let server = Server::on(&folder, &clock);
    let [ada, bob] = &tokens.map(|token| Player::with(&server, token));
    play_to_the_end(&game, &[ada, bob], |_| 0);
    let log = ada.get(&format!("{game}/log?limit=100")).expect(200);
    let old = ended(folder.path());
    let sign = |seq: usize| {
        let head = unhex(log["items"][seq]["head"].as_str().unwrap()).unwrap();
        let id = game.rsplit('/').next().unwrap().to_owned();
        let at = log["items"][seq]["body"]["at"].as_u64().unwrap();
        old.sign(&Receipt { game: id, seq: seq as u64, at, head })
    };
    let replay = ada.get(&format!("{game}/replay")).text();
    let newest = log["items"].as_array().unwrap().len() - 1;
    assert!(Note::read(&sign(newest)).is_ok());
    let (outcome, detail) = receipts_check(&server, &json!({"replay": replay, "receipts": [sign(newest)]}));
    assert_eq!(outcome, "fail");
    assert!(detail.contains("after its end"), "{detail}");
    let before = json!({"replay": replay, "receipts": [sign(2)]});
    assert_eq!(receipts_check(&server, &before).0, "pass", "up to its end it signed rightly");
}

#[test]
fn a_restore_leaves_a_database_alone_and_needs_the_old_key() {
    needs!(file);
    let (folder, clock) = (Arc::new(tempfile::tempdir().unwrap()), Clock::default());
    let server = Server::on(&folder, &clock);
    server.player("Ada");
    playledger(folder.path(), &["backup", "backup.db"]);
    drop(server);
    let restore = |database: &str| run(folder.path(), &["restore", "backup.db"], database);
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

/// Two trees never have the same name, so the restored one gets another and keeps its leaves.
#[test]
fn the_public_tree_goes_on_under_another_name() {
    needs!(file);
    let Restored { folder, clock, tokens, game, .. } = restored();
    let server = Server::on(&folder, &clock);
    let keys = server.get("/v1/keys").expect(200);
    let logs = keys["keys"].as_array().unwrap().iter().filter(|key| key["use"] == "log");
    let logs: Vec<VerifierKey> = logs.map(|key| key["key"].as_str().unwrap().parse().unwrap()).collect();
    let [now, before] = &logs[..] else { panic!("two keys") };
    assert!(now.name() != before.name() && now.public() != before.public());
    server.pin();
    let note = server.get("/tlog/checkpoint").text();
    let read = Checkpoint::read(&note).unwrap();
    assert_eq!((read.origin, read.check_log(std::slice::from_ref(now))), (now.name(), Ok(())));
    let [ada, bob] = &tokens.map(|token| Player::with(&server, token));
    play_one(&game, &[ada, bob]);
    server.pin();
    let log = ada.get(&format!("{game}/log?limit=100")).expect(200);
    let proof = ada.get(&format!("{game}/proof")).expect(200);
    let head = unhex(log["items"].as_array().unwrap().last().unwrap()["head"].as_str().unwrap()).unwrap();
    let proof = Proof::read(proof["proof"].as_str().unwrap()).unwrap();
    proof.check(&head, std::slice::from_ref(now), &[], 0).unwrap();
}

/// A database is lost twice, and the same backup put back twice: each life has a key of its own.
#[test]
fn a_backup_may_be_put_back_twice() {
    needs!(file);
    let Restored { folder, clock, tokens, game, kept, lost } = restored();
    let server = Server::on(&folder, &clock);
    let [ada, bob] = &tokens.clone().map(|token| Player::with(&server, token));
    let second = play_one(&game, &[ada, bob]);
    drop(server);
    lose(folder.path());
    clock.advance(1_000);
    playledger(folder.path(), &["restore", "backup.db"]);
    let server = Server::on(&folder, &clock);
    let [ada, bob] = &tokens.map(|token| Player::with(&server, token));
    let third = play_to_the_end(&game, &[ada, bob], |count| count - 1);
    assert_eq!(keys_of_receipts(&server).len(), 3);
    let replay = ada.get(&format!("{game}/replay")).text();
    let audited = json!({"replay": replay, "receipts": [kept, lost, second, third[0]]});
    let (outcome, detail) = receipts_check(&server, &audited);
    assert_eq!(outcome, "not_run", "{detail}");
    assert!(detail.starts_with("2 receipts are for entries that the operator lost"), "{detail}");
}

/// The document of a lost game is true, and no evidence against the server.
#[test]
fn a_document_of_what_was_lost_accuses_nobody() {
    needs!(file);
    let (folder, clock) = (Arc::new(tempfile::tempdir().unwrap()), Clock::at(1_700_000_000_000));
    let server = Server::on(&folder, &clock);
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    playledger(folder.path(), &["backup", "backup.db"]);
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let replay = ada.get(&format!("{game}/replay")).text();
    assert_eq!(receipts_check(&server, &json!({"replay": replay})).0, "pass");
    drop(server);
    lose(folder.path());
    playledger(folder.path(), &["restore", "backup.db"]);
    let server = Server::on(&folder, &clock);
    let (outcome, detail) = receipts_check(&server, &json!({"replay": replay}));
    assert_eq!(outcome, "not_run");
    assert!(detail.contains("a history that was lost"), "{detail}");
}

/// SQLite would apply the remaining log of the lost database to the restored one.
#[test]
fn a_log_that_was_left_behind_stops_a_restore() {
    needs!(file);
    let (folder, clock) = (Arc::new(tempfile::tempdir().unwrap()), Clock::default());
    let server = Server::on(&folder, &clock);
    server.player("Ada");
    playledger(folder.path(), &["backup", "backup.db"]);
    drop(server);
    lose(folder.path());
    fs::write(folder.path().join("games.db-wal"), "left").unwrap();
    let (went_well, said) = run(folder.path(), &["restore", "backup.db"], "games.db");
    assert!(!went_well && said.contains("games.db-wal already exists"), "{said}");
    assert!(!folder.path().join("games.db").exists());
}
