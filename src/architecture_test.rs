//! The layering of the crate, held by tests that read its source.

use std::{fs, path::Path};

/// Each room and the rooms of this crate that it may use.
const ROOMS: &[(&str, &[&str])] = &[
    ("engine", &["engine"]),
    ("rulesets", &["engine", "rulesets"]),
    ("ledger", &["engine", "rulesets", "ledger"]),
    ("store", &["store"]),
    ("service", &["engine", "rulesets", "ledger", "store", "service"]),
    ("http", &["service", "rulesets", "engine", "ledger", "store", "config", "logging", "http"]),
];

/// Rooms that are pure, and what would make them otherwise.
const PURE: &[&str] = &["engine", "rulesets", "ledger"];
const IMPURE: &[&str] = &[
    "std::time",
    "std::fs",
    "std::net",
    "std::thread",
    "std::env",
    "HashMap",
    "HashSet",
    "async ",
    "f32",
    "f64",
];

/// A source file below `src`, without its tests.
struct Source {
    path: String,
    code: String,
    lines: usize,
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<Source>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let lines = text.lines().count();
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
                let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
                let path = path.strip_prefix(root).unwrap().display().to_string();
                found.push(Source { path, code, lines });
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    assert!(found.len() > 20, "the source is found");
    found
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/")
        || ["engine/cases.rs", "engine/conformance.rs", "engine/golden.rs", "architecture_test.rs"]
            .contains(&path)
}

/// The rooms of this crate that some code names, by themselves or in a group.
fn rooms_named(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut named = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        let rest = &code[at + found.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            named.push(word(rest));
            continue;
        };
        let (mut depth, mut begin) = (1, 0);
        for (place, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if (c == ',' && depth == 1) || depth == 0 {
                named.push(word(&group[begin..place]));
                begin = place + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    named.retain(|room| !room.is_empty());
    named
}

#[test]
fn each_room_uses_only_the_rooms_below_it() {
    for source in sources().iter().filter(|source| !is_test(&source.path)) {
        let Some((room, allowed)) = ROOMS.iter().find(|(room, _)| source.path.starts_with(room)) else {
            continue;
        };
        for named in rooms_named(&source.code) {
            assert!(allowed.contains(&named.as_str()), "{}: {room} uses {named}", source.path);
        }
    }
}

#[test]
fn rooms_are_found_alone_and_in_groups() {
    let code = "use crate::{\n    engine::{Seat, Seats},\n    store,\n};\nfn f() { crate::http::go() }";
    assert_eq!(rooms_named(code), ["engine", "store", "http"]);
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
        }
    }
}

#[test]
fn only_the_store_knows_sqlite() {
    for source in
        sources().iter().filter(|source| !source.path.starts_with("store/") && !is_test(&source.path))
    {
        assert!(!source.code.contains("rusqlite"), "{} uses rusqlite", source.path);
    }
}

#[test]
fn files_stay_small() {
    for source in sources() {
        let data = source.path.ends_with("tests/cases.rs");
        assert!(source.lines <= 400 || data, "{} has {} lines", source.path, source.lines);
    }
}
