//! The command line.

#![allow(clippy::unwrap_used)]

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Output, Stdio},
};

const BROKEN_KEY: &str = "play.example+cbb9fd78+";

fn playledger(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_playledger")).args(args).output().unwrap()
}

fn golden(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core/ledger/golden");
    folder.join(name).display().to_string()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn good_documents_exit_with_0_and_say_what_was_not_run() {
    let output = playledger(&["verify", &golden("short.json"), &golden("void.json")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output);
    assert!(said.contains("4 receipts      not run  No key of receipts was given."), "{said}");
    assert!(said.contains("What this does not prove"), "{said}");
}

#[test]
fn one_bad_document_among_good_ones_exits_with_1() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.json");
    let good = fs::read_to_string(golden("short.json")).unwrap();
    fs::write(&bad, good.replacen(r#""column":0"#, r#""column":9"#, 1)).unwrap();
    let output = playledger(&["verify", "--json", &golden("void.json"), bad.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let reports: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reports[1]["checks"][8]["name"], "rules");
    assert_eq!(reports[1]["checks"][8]["outcome"], "fail");
    assert_eq!(reports[0]["checks"][8]["outcome"], "not_run");
}

#[test]
fn what_cannot_be_read_exits_with_2() {
    for args in [
        &["verify"][..],
        &["verify", "/nowhere/at/all.json"],
        &["verify", &golden("void.json"), "--key", BROKEN_KEY],
        &["verify", &golden("void.json"), "--receipt", "/nowhere"],
    ] {
        let output = playledger(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty());
    }
}

/// Databases of 0.1 and 0.2 were never released and are not upgraded.
#[test]
fn a_database_of_an_earlier_version_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.db");
    let connection = rusqlite::Connection::open(&database).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE game (id INTEGER); PRAGMA application_id = 1886152562; PRAGMA user_version = 10",
        )
        .unwrap();
    drop(connection);
    let output = playledger(&["--database", database.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    assert!(said.lines().count() == 1 && said.contains("written by playledger 0.1 or 0.2"), "{said}");
}

#[test]
fn the_verifier_key_is_printed_and_the_signing_key_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.db");
    let ask =
        || text(&playledger(&["key", "--database", database.to_str().unwrap(), "--key-name", "my.host"]));
    // Without a name it makes no key, which would be the wrong one.
    let none = playledger(&["key", "--database", database.to_str().unwrap()]);
    assert!(!none.status.success() && !folder.path().join("games.db.key").exists(), "{none:?}");
    let first = ask();
    assert!(first.starts_with("my.host+"), "{first}");
    assert_eq!(first, text(&playledger(&["key", "--database", database.to_str().unwrap()])));
    assert_eq!(first, ask());
    let secret = fs::read_to_string(folder.path().join("games.db.key")).unwrap();
    // The last part is base64, which may contain a plus sign.
    let bytes = secret.trim().splitn(5, '+').last().unwrap();
    assert!(bytes.len() > 40 && !first.contains(bytes));
}

/// Errors tell a newcomer what to do.
#[test]
fn what_cannot_be_served_is_said_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (database, nowhere) = (folder.path().join("games.db"), folder.path().join("nowhere/games.db"));
    let newer = folder.path().join("newer.db");
    let raw = rusqlite::Connection::open(&newer).unwrap();
    raw.execute_batch(
        "PRAGMA application_id = 1886152562; PRAGMA user_version = 99; CREATE TABLE later (a);",
    )
    .unwrap();
    for (database, listen, words) in [
        (&database, &*address, ["is in use", "--listen"]),
        (&nowhere, "127.0.0.1:0", ["folder does not exist", "--database"]),
        (&folder.path().to_owned(), "127.0.0.1:0", ["is a folder", "--database"]),
        (&newer, "127.0.0.1:0", ["newer playledger", "--database"]),
    ] {
        let output = playledger(&["serve", "--listen", listen, "--database", database.to_str().unwrap()]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    }
}

/// A day of an operator: the server is up, is copied, examined and stopped.
#[cfg(unix)]
#[test]
fn a_served_database_is_copied_and_examined_and_the_server_stops_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (database, copy) = (path("games.db"), path("copy.db"));
    let mut server = Command::new(env!("CARGO_BIN_EXE_playledger"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "text", "--database", &database])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("playledger listens on http://").unwrap().trim_end_matches('/');
    let status = |args: &[&str]| playledger(args).status.code();

    assert_eq!(status(&["health", "--listen", address]), Some(0));
    assert_eq!(
        status(&["serve", "--listen", "127.0.0.1:0", "--database", &database]),
        Some(75),
        "it is in use, and may be free later"
    );
    assert_eq!(
        text(&playledger(&["backup", "--database", &database, &copy])),
        format!("{copy}: 0 games, sound\n")
    );
    assert_eq!(status(&["backup", "--database", &database, &copy]), Some(2), "a copy is not written over");
    for examined in [&database, &copy] {
        let said = text(&playledger(&["check", "--database", examined]));
        assert_eq!(said, "sound: 0 games, 0 entries in the log, 0 segments; all chains are valid\n");
    }
    assert_eq!(status(&["check", "--database", &golden("void.json")]), Some(2), "it is no database");

    // The shell has a built-in `kill`; the program may be missing.
    Command::new("sh").args(["-c", "kill $0", &server.id().to_string()]).status().unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(0));
    let gone = playledger(&["health", "--listen", address]);
    assert_eq!(gone.status.code(), Some(1), "unhealthy; 2 means something else to a container");
    assert!(String::from_utf8_lossy(&gone.stderr).contains("does not answer"), "{gone:?}");
}

/// Returns the final table of a contest.
fn arena(args: &[&str]) -> serde_json::Value {
    let output = playledger(&[&["arena", "--json"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn machines_play_in_the_arena_and_their_games_verify() {
    let folder = tempfile::tempdir().unwrap();
    let replays = folder.path().to_str().unwrap();
    let options = r#"{"max_rounds": 3}"#;
    let contest =
        ["--game", "industrial-waste", "--seat", "level:middle", "--seat", "autopilot", "--games", "4"];
    let again = [&contest[..], &["--options", options]].concat();
    let table = arena(&[&again[..], &["--replays", replays]].concat());
    assert_eq!((&table[0]["who"], &table[0]["games"]), (&"middle".into(), &4.into()));
    assert!(table[0]["wins"].as_f64() > table[1]["wins"].as_f64(), "{table}");
    let files: Vec<String> = (0..4).map(|number| format!("{replays}/{number:06}.json")).collect();
    let verified =
        playledger(&[&["verify"], &files.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified));
    let cards = |file: &String| -> serde_json::Value {
        let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        document["entries"][3]["secret"].clone()
    };
    assert_eq!(cards(&files[0]), cards(&files[1]), "a deal is played from every seat");
    assert_ne!(cards(&files[0]), cards(&files[2]));
    assert_eq!(arena(&again)[0]["wins"], table[0]["wins"], "the same seed plays the same games");
}

#[cfg(unix)]
#[test]
fn a_program_that_spoils_a_game_loses_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        format!("sh {}", path.display())
    };
    let roll = r#"read line; echo '{"type":"roll"}'"#;
    for (program, foul) in [
        (script("ends", "exit 0"), "stopped"),
        (script("talks", "while read line; do echo hello; done"), "sent an illegal command: invalid JSON"),
        (
            script("cheats", r#"while read line; do echo '{"type":"accept_trade"}'; done"#),
            "sent an illegal command: ",
        ),
        (script("sleeps", &format!("{roll}; read line; read line")), "was too late"),
    ] {
        let options = r#"{"max_rounds": 4}"#;
        let contest =
            ["--game", "ecopolis", "--seat", &program, "--seat", "autopilot", "--seat", "level:easy"];
        let rest = ["--games", "3", "--move-ms", "100", "--options", options];
        let table = arena(&[&contest[..], &rest].concat());
        let fouls = table[0]["fouls"].as_object().unwrap();
        let is_plain = |known: &String| known.starts_with(foul) && !known.contains(['{', '}']);
        assert!(fouls.keys().all(is_plain) && !fouls.is_empty(), "{program}: {table}");
        assert_eq!(
            (table[0]["wins"].as_f64(), table[0]["place"].as_f64()),
            (Some(0.0), Some(3.0)),
            "{table}"
        );
    }
}

#[test]
fn a_contest_that_cannot_be_held_is_refused_in_a_sentence() {
    let seats = ["--seat", "random", "--seat", "random"];
    for (args, said) in [
        (["--game", "chess"].as_slice(), "unknown game `chess`"),
        (
            &["--game", "ecopolis", "--seat", "random", "--seat", "random", "--seat", "random"],
            "has 2 to 4 seats",
        ),
        (&["--game", "ecopolis", "--options", "{"], "--options"),
        (&["--game", "ecopolis", "--options", r#"{"max_rounds": 0}"#], "max_rounds"),
    ] {
        let output = playledger(&[&["arena"], args, &seats].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(said), "{output:?}");
    }
    let output = playledger(&["arena", "--game", "ecopolis", "--seat", "level:god"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("level:hardest"), "{output:?}");
}

/// A process that is killed with the test.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait().map(|_| ())).unwrap();
    }
}

/// A program with two commands plays on a server, from the invitation to the end of its turn.
#[cfg(unix)]
#[test]
fn a_program_of_the_arena_plays_online_by_the_bridge() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("bot");
    let knows = r#"while read line; do case "$line" in
        *'"phase":"roll"'*) echo '{"type":"roll"}';; *) echo '{"type":"end_turn"}';; esac; done"#;
    fs::write(&script, knows).unwrap();
    let database = folder.path().join("games.db");
    let start = |command: &mut Command| Running(command.stderr(Stdio::null()).spawn().unwrap());
    let serve =
        ["serve", "--listen", "127.0.0.1:0", "--log-format", "off", "--database", database.to_str().unwrap()];
    let mut server = start(Command::new(env!("CARGO_BIN_EXE_playledger")).args(serve).stdout(Stdio::piped()));
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("playledger listens on ").unwrap().trim_end_matches('/').to_owned();

    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let send = |method: &str, path: &str, token: &str, body: &str| -> serde_json::Value {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{url}{path}"))
            .header("Content-Type", "application/json");
        let request = if token.is_empty() {
            request
        } else {
            request.header("Authorization", format!("Bearer {token}"))
        };
        let mut answer = agent.run(request.body(body.to_owned()).unwrap()).unwrap();
        serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap()
    };
    let player = |name: &str| {
        let made = send("POST", "/v1/players", "", &format!(r#"{{"name":"{name}"}}"#));
        made["token"].as_str().unwrap().to_owned()
    };
    let (ada, bot) = (player("Ada"), player("Bot"));
    send("PUT", "/v1/me/bot", &bot, r#"{"rulesets":["ecopolis"],"seats":[2],"clocks":"any","at_once":1}"#);
    let bridge = ["bridge", "--server", &url, "sh", script.to_str().unwrap()];
    let _bridge =
        start(Command::new(env!("CARGO_BIN_EXE_playledger")).args(bridge).env("PLAYLEDGER_TOKEN", &bot));

    let new = r#"{"ruleset":"ecopolis","seats":2,"visibility":"private","options":{"first_seat":1,"max_rounds":1}}"#;
    let game = send("POST", "/v1/games", &ada, new)["id"].as_str().unwrap().to_owned();
    let begin = std::time::Instant::now();
    loop {
        assert!(begin.elapsed().as_secs() < 60, "the bridge does not play");
        let view = send("GET", &format!("/v1/games/{game}/view"), &ada, "");
        // A bridge without a stream yet misses notices.
        match view["status"].as_str().unwrap() {
            "open" => drop(send("POST", &format!("/v1/games/{game}/bots"), &ada, r#"{"name":"Bot"}"#)),
            "running" if view["to_act"][0] == 0 => break,
            _ => {}
        }
        std::thread::yield_now();
    }
    let events = send("GET", &format!("/v1/games/{game}/events?limit=100"), &ada, "").to_string();
    assert!(events.contains("dice_rolled"), "{events}");
}

#[test]
fn settings_in_a_file_count_less_than_flags_and_must_exist() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let write = |text: &str| fs::write(path("settings.toml"), text).unwrap();
    let database = path("games.db");
    write(&format!(
        "database = {database:?}\nlisten = \"127.0.0.1:0\"\nmin-free-bytes = 0\nlog_format = \"off\"\n"
    ));
    let config = path("settings.toml");
    let mut server = Command::new(env!("CARGO_BIN_EXE_playledger"))
        .args(["serve", "--config", &config])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(line.contains("listens on http://127.0.0.1:"), "{line}");
    assert!(Path::new(&database).exists());

    // Other commands read the settings that are theirs.
    let copies = path("copies");
    fs::create_dir(&copies).unwrap();
    let backup = playledger(&["backup", "--config", &config, "--into", &copies, "--keep", "2"]);
    assert!(text(&backup).ends_with("0 games, sound\n"), "{backup:?}");
    let database = ["--config", &config, "--database", &path("games.db")];
    fs::rename(&copies, path("moved")).unwrap();
    fs::create_dir(&copies).unwrap();
    for old in ["games-2026-01-01-000000.backup.db", "games-2026-01-02-000000.backup.db", "mine.db"] {
        fs::write(Path::new(&copies).join(old), "").unwrap();
    }
    let args = [&["backup"], &database[..], &["--into", &copies, "--keep", "2"]].concat();
    assert!(playledger(&args).status.success());
    let mut left: Vec<_> = fs::read_dir(&copies).unwrap().map(|one| one.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left.len(), 3, "{left:?}");
    assert_eq!(left[0], "games-2026-01-02-000000.backup.db");
    assert_eq!(left[2], "mine.db", "other files stay");

    write("lisen = \"127.0.0.1:0\"\n");
    let refused = playledger(&["serve", "--config", &config]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("`lisen` is not a setting"), "{refused:?}");
    write("listen = 8080.5\n");
    assert!(!playledger(&["serve", "--config", &config]).status.success());
    assert!(!playledger(&["serve", "--config", &path("none.toml")]).status.success());
}

#[test]
fn a_variable_that_is_no_setting_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_playledger"))
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("PLAYLEDGER_LISEN", "127.0.0.1:0")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("PLAYLEDGER_LISEN"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_service_manager_is_told_when_the_server_is_ready_and_when_it_stops() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let manager = std::os::unix::net::UnixDatagram::bind(&socket).unwrap();
    let database = folder.path().join("games.db");
    let mut server = Command::new(env!("CARGO_BIN_EXE_playledger"))
        .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "off", "--database"])
        .arg(&database)
        .env("NOTIFY_SOCKET", &socket)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut heard = [0; 64];
    let length = manager.recv(&mut heard).unwrap();
    assert_eq!(&heard[..length], b"READY=1");
    let id = server.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let length = manager.recv(&mut heard).unwrap();
    assert_eq!(&heard[..length], b"STOPPING=1");
    assert!(server.wait().unwrap().success());
}
