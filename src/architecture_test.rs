//! Checks the order of modules by reading the source.

use std::{fs, path::Path};

/// Modules, and the modules that each may use. Cargo enforces that `core` uses no other crate.
const ROOMS: &[(&str, &[&str])] = &[
    ("words.rs", &[]),
    ("id.rs", &[]),
    ("engine", &["engine"]),
    ("bots", &["words", "engine", "bots"]),
    ("rulesets", &["engine", "bots", "rulesets"]),
    ("tree", &["engine", "tree"]),
    ("ledger", &["words", "engine", "rulesets", "tree", "ledger"]),
    ("arena", &["engine", "bots", "rulesets", "tree", "ledger", "arena"]),
    ("clock_cache.rs", &[]),
    ("store", &["words", "id", "clock_cache", "private_file", "store"]),
    ("service/games", &["words", "id", "clock_cache", "engine", "tree", "ledger", "store", "service"]),
    (
        "service",
        &[
            "words",
            "id",
            "clock_cache",
            "network",
            "engine",
            "rulesets",
            "tree",
            "ledger",
            "store",
            "service",
        ],
    ),
    ("network.rs", &[]),
    ("outbound", &["words", "network", "tree", "service", "outbound"]),
    ("web", &[]),
    ("picture", &[]),
    ("private_file.rs", &[]),
    ("config", &["words", "network", "outbound", "service", "store", "config"]),
    ("keys.rs", &["tree", "ledger", "private_file"]),
    ("logging.rs", &["config"]),
    ("watermark.rs", &["private_file"]),
    (
        "http",
        &[
            "words",
            "id",
            "clock_cache",
            "network",
            "watermark",
            "service",
            "rulesets",
            "engine",
            "tree",
            "ledger",
            "config",
            "logging",
            "web",
            "picture",
            "http",
        ],
    ),
];

/// Components of the service, and the components that each may use. A component holds only components above
/// it, so method calls keep the order too.
const SERVICE: &[(&str, &[&str])] = &[
    ("service/games", &["games"]),
    ("service/public_tree", &["public_tree"]),
    ("service/reading", &["games", "public_tree", "reading"]),
    ("service/feed", &["games", "reading", "feed"]),
    ("service/notify", &["games", "reading", "feed", "notify"]),
    ("service/accounts", &["games", "reading", "feed", "notify", "accounts"]),
    ("service/talk", &["games", "reading", "feed", "notify", "talk"]),
    ("service/tables", &["games", "reading", "feed", "notify", "accounts", "tables"]),
    ("service/bots", &["games", "reading", "accounts", "tables", "bots"]),
    ("service/moderation", &["games", "reading", "accounts", "talk", "tables", "moderation"]),
];

/// Libraries, and the only module that may use each.
const KNOWN_TO_ONE: &[(&str, &str)] = &[
    ("rusqlite", "store/sqlite"),
    ("tokio_postgres", "store/postgres"),
    ("actix", "http"),
    ("resvg", "picture"),
    ("clap", "config"),
];

/// Pure modules, and words that they may not contain.
const PURE: &[&str] = &["engine", "bots", "rulesets", "tree", "ledger"];
const IMPURE: &[&str] = &["HashMap", "HashSet", "async ", "f32", "f64"];
/// Modules of the standard library that they may not use.
const OUTSIDE: &[&str] = &["time", "fs", "net", "thread", "env", "process", "io"];

/// A source file below `src`, without its tests.
struct Source {
    path: String,
    code: String,
    lines: usize,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = |name: String| {
        let path = name.strip_prefix("src/").filter(|path| is_of(path, "rs"))?;
        let path = path.strip_prefix("core/").unwrap_or(path).to_owned();
        let text = fs::read_to_string(root.join(&name)).unwrap();
        let lines = text.lines().count();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
        Some(Source { path, code, lines })
    };
    let found: Vec<_> = all_paths().into_iter().filter_map(source).collect();
    assert!(found.len() > 20, "the source is found");
    found
}

fn is_of(path: &str, kind: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == kind)
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/")
        || path.starts_with("engine/conformance/")
        || path.starts_with("store/contract/")
        || ["engine/cases.rs", "engine/golden.rs", "architecture_test.rs"].contains(&path)
}

/// Returns the paths below a root in some code, single or in groups: `service::games::LiveGame` of `crate::`.
fn paths_named(root: &str, code: &str) -> Vec<String> {
    let mut named = Vec::new();
    for (at, found) in code.match_indices(root) {
        read_path(&code[at + found.len()..], "", &mut named);
    }
    named
}

/// Reads a path or a group. Returns the code after it.
fn read_path<'c>(code: &'c str, before: &str, named: &mut Vec<String>) -> &'c str {
    let code = code.trim_start();
    if let Some(mut group) = code.strip_prefix('{') {
        loop {
            group = read_path(group, before, named).trim_start();
            match group.strip_prefix(',') {
                Some(rest) if !rest.trim_start().starts_with('}') => group = rest,
                Some(rest) => return rest.trim_start().strip_prefix('}').unwrap_or(rest),
                None => return group.strip_prefix('}').unwrap_or(group),
            }
        }
    }
    let end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    let path = format!("{before}{}", &code[..end]);
    match code[end..].strip_prefix("::") {
        Some(rest) if rest.starts_with(|c: char| c == '{' || c.is_alphabetic()) => {
            read_path(rest, &format!("{path}::"), named)
        }
        _ => {
            named.push(path);
            // Skips the new name of a renamed import.
            code[end..].strip_prefix(" as _").unwrap_or(&code[end..])
        }
    }
}

fn segment(path: &str, place: usize) -> &str {
    path.split("::").nth(place).unwrap_or_default()
}

#[test]
fn each_room_uses_only_the_rooms_below_it() {
    for source in sources().iter().filter(|source| !is_test(&source.path)) {
        let room = |rooms: &'static [(&'static str, &'static [&'static str])]| {
            rooms.iter().find(|(room, _)| source.path.starts_with(room))
        };
        for path in paths_named("crate::", &source.code) {
            if let Some((room, allowed)) = room(ROOMS) {
                let used = segment(&path, 0);
                assert!(allowed.contains(&used), "{}: {room} uses {used}", source.path);
            }
            let inner = SERVICE.iter().any(|(room, _)| room.ends_with(segment(&path, 1)));
            if let (Some((room, allowed)), "service", true) = (room(SERVICE), segment(&path, 0), inner) {
                let used = segment(&path, 1);
                assert!(used.is_empty() || allowed.contains(&used), "{}: {room} uses {used}", source.path);
            }
        }
    }
}

#[test]
fn paths_are_found_alone_and_in_groups() {
    let code = "use crate::{\n    engine::{Seat, Seats as _},\n    store,\n    service::{\n        game::{A, b::C},\n    },\n};\nfn f() { crate::http::go() }";
    let named =
        ["engine::Seat", "engine::Seats", "store", "service::game::A", "service::game::b::C", "http::go"];
    assert_eq!(paths_named("crate::", code), named);
    assert_eq!(
        paths_named("std::", "use std::{fmt, time::{Duration, Instant}};"),
        ["fmt", "time::Duration", "time::Instant"]
    );
}

#[test]
fn the_pure_rooms_have_no_clock_no_files_and_no_floats() {
    for source in sources().iter().filter(|source| !is_test(&source.path)) {
        if PURE.iter().any(|room| source.path.starts_with(room)) {
            for impure in IMPURE {
                let found = source.code.lines().find(|line| {
                    let code = line.split("//").next().unwrap_or_default();
                    code.contains(impure) && !code.contains("visit_f64")
                });
                assert_eq!(found, None, "{} uses {impure}", source.path);
            }
            for path in paths_named("std::", &source.code) {
                assert!(!OUTSIDE.contains(&segment(&path, 0)), "{} uses std::{path}", source.path);
            }
        }
    }
}

#[test]
fn what_one_room_knows_no_other_does() {
    for source in sources().iter().filter(|source| !is_test(&source.path)) {
        for (crate_name, _) in KNOWN_TO_ONE.iter().filter(|(_, room)| !source.path.starts_with(room)) {
            let shell = ["cli/", "macros/", "main.rs"].iter().any(|shell| source.path.starts_with(shell));
            let mut code = source.code.lines().map(|line| line.split("//").next().unwrap_or_default());
            assert!(
                shell || !code.any(|line| line.contains(crate_name)),
                "{} uses {crate_name}",
                source.path
            );
        }
    }
}

#[test]
fn files_stay_small() {
    for source in sources() {
        let data = source.path.ends_with("tests/cases.rs");
        assert!(source.lines <= 400 || data, "{} has {} lines", source.path, source.lines);
    }
}

/// Every file and folder of the project, as a path from its top.
pub fn all_paths() -> Vec<String> {
    fn walk(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().display().to_string();
            if path.is_dir() && !["target", ".git", "node_modules"].contains(&name.as_str()) {
                walk(root, &path, found);
            }
            found.push(name);
        }
    }
    let (root, mut found) = (Path::new(env!("CARGO_MANIFEST_DIR")), Vec::new());
    walk(root, root, &mut found);
    found
}

/// Returns the paths in a document, with the names that each should contain: `store/cell.rs`,
/// `ledger/game.rs::apply`.
fn named_in(document: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let quoted = document.split('`').skip(1).step_by(2);
    let is_path = |word: &&str| {
        let ends = [".rs", ".js", ".mjs", ".md", ".toml", ".yaml", ".cfg"];
        word.starts_with(|first: char| first.is_ascii_lowercase() || first == '.')
            && !word.starts_with("...")
            && !word.contains("://")
            && word.chars().all(|sign| sign.is_ascii_alphanumeric() || "_./-:".contains(sign))
            && (word.contains('/') || ends.iter().any(|end| word.ends_with(end)))
    };
    quoted.filter(is_path).map(|word| match word.split_once("::") {
        Some((path, name)) => (path, Some(name)),
        None => (word.trim_end_matches('/'), None),
    })
}

#[test]
fn what_the_documents_name_is_there() {
    let (root, paths, mut seen) = (Path::new(env!("CARGO_MANIFEST_DIR")), all_paths(), 0);
    for document in ["README.md", "docs/ARCHITECTURE.md", "docs/CONTRIBUTING.md", "docs/SECURITY.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        for (path, name) in named_in(&text) {
            let is_it = |other: &&String| **other == path || other.ends_with(&format!("/{path}"));
            let says = |file: &String| match name {
                None => true,
                Some(name) => fs::read_to_string(root.join(file)).is_ok_and(|text| text.contains(name)),
            };
            assert!(paths.iter().filter(is_it).any(says), "{document}: {path} {name:?}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn every_migration_that_is_there_is_taken() {
    let (sources, mut seen) = (sources(), 0);
    for path in all_paths().iter().filter(|path| is_of(path, "sql")) {
        let Some((store, _)) = path.strip_prefix("migrations/").and_then(|rest| rest.split_once('/')) else {
            continue;
        };
        let takes = format!("store/{store}/migrate.rs");
        let source = sources.iter().find(|source| source.path == takes).unwrap();
        assert!(source.code.contains(&format!("/{path}\")")), "{takes} does not take {path}");
        seen += 1;
    }
    assert!(seen > 1, "{seen}");
}
