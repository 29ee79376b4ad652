//! The server's log lines have no secrets.

use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::Stdio,
};

use serde_json::json;

use super::support::{Player, Server, play_to_the_end, program::program, table};

#[test]
fn the_log_holds_no_token_and_no_seed() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = program()
        .args([
            "--listen",
            "127.0.0.1:0",
            "--log-format",
            "json",
            "--log-requests",
            "all",
            "--workers",
            "1",
            "--database",
        ])
        .arg(folder.path().join("games.db"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let address = first.trim().strip_prefix("playledger listens on http://").unwrap().trim_end_matches('/');
    let log = std::thread::spawn({
        let mut stderr = child.stderr.take().unwrap();
        move || {
            let mut log = String::new();
            stderr.read_to_string(&mut log).unwrap();
            log
        }
    });
    let server = Server::at(address.parse().unwrap());
    let (ada, bob) = (server.player("Ada"), server.player("Bob"));
    let game = table(&[&ada, &bob], &json!({"max_rounds": 1}));
    let refused = json!({"expected_seq": 4, "command": {"type": "bid", "amount": 1}});
    ada.post(&format!("{game}/commands"), &refused);
    ada.send("GET", "/v1/me?token=x").go().problem(400, "malformed");
    play_to_the_end(&game, &[&ada, &bob], |_| 0);
    let seed = server.get(&format!("{game}/replay")).expect(200)["server_seed"].as_str().unwrap().to_owned();
    let tokens = [&ada, &bob].map(|player: &Player| player.token.clone());
    child.kill().unwrap();
    child.wait().unwrap();
    let log = log.join().unwrap();
    assert!(log.lines().count() > 20, "{log}");
    for line in log.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["event"] == "started" || line["request_id"].is_string(), "{line}");
    }
    for secret in tokens.iter().chain([&seed, &game]) {
        assert!(!log.contains(secret.trim_start_matches("/v1/games/")), "the log has {secret}");
    }
}

/// Seeds of running games are on disk, and in backups.
#[cfg(unix)]
#[test]
fn what_is_on_disk_is_for_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    needs!(file);
    let server = Server::start();
    server.player("Ada");
    let folder = server.folder();
    let backup = folder.join("backup.db");
    let done = program().args(["backup", "--database"]).args([&folder.join("games.db"), &backup]).status();
    assert!(done.unwrap().success());
    for name in ["games.db", "games.db-wal", "games.db-shm", "games.db.key", "backup.db"] {
        let mode = std::fs::metadata(folder.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}
