//! Checks the language of the project, as `docs/CONTRIBUTING.md` describes it: documents, the API, the texts
//! of the page, and the comments of all code.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::architecture_test::all_paths;

/// Words that stand for a noun, which readers must guess.
const VAGUE: &[&str] = &[
    "it",
    "this",
    "that",
    "these",
    "those",
    "who",
    "whom",
    "whose",
    "what",
    "which",
    "one",
    "ones",
    "somebody",
    "anybody",
    "nobody",
    "nothing",
    "something",
    "anything",
    "everything",
    "everybody",
    "whoever",
    "whatever",
    "thing",
    "things",
];

/// Banned phrases.
const BANNED: &[&str] = &[
    "whoever",
    "whomever",
    "somebody",
    "anew",
    "so many",
    "is told",
    "are told",
    "held against",
    "goes on",
    "dear",
    "room in itself",
];

/// Banned first words of sentences, except questions.
const OPENERS: &[&str] = &["Of", "Who", "That", "Those", "Mostly", "Nothing", "What", "Nobody"];

/// Most vague words in 1,000: of documents, of all comments, and of the comments in a folder.
const MOST_VAGUE: usize = 60;
const MOST_VAGUE_OF_CODE: usize = 50;
const MOST_VAGUE_OF_FOLDER: usize = 70;
const WIDTH: usize = 110;

/// Counts of a text, or of all comments in a folder.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
struct Counts {
    words: usize,
    vague: usize,
    banned: usize,
    openers: usize,
}

impl Counts {
    fn of(text: &str) -> Self {
        let text = without_code(text);
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower
            .split(|sign: char| !sign.is_alphanumeric() && sign != '\'')
            .filter(|word| !word.is_empty())
            .collect();
        let joined = format!(" {} ", words.join(" "));
        Self {
            words: words.len(),
            vague: words.iter().filter(|word| VAGUE.contains(word)).count(),
            banned: BANNED.iter().map(|banned| joined.matches(&format!(" {banned} ")).count()).sum(),
            openers: sentences(&text).iter().filter(|sentence| is_banned_opening(sentence)).count(),
        }
    }

    fn add(&mut self, other: Self) {
        self.words += other.words;
        self.vague += other.vague;
        self.banned += other.banned;
        self.openers += other.openers;
    }

    /// Returns the vague words in 1,000.
    fn vagueness(self) -> usize {
        self.vague * 1_000 / self.words.max(1)
    }
}

/// Replaces code between backticks by a noun.
fn without_code(text: &str) -> String {
    text.split('`').enumerate().map(|(place, part)| if place % 2 == 0 { part } else { "code" }).collect()
}

/// Splits a text into sentences. Empty lines, list items and headings separate them.
fn sentences(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for line in text.lines() {
        let line = line.trim();
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        if line.is_empty() || item.is_some() {
            all.push(String::new());
        }
        for word in item.unwrap_or(line).split_whitespace() {
            let last = all.last_mut().expect("there is a sentence");
            last.push_str(word);
            last.push(' ');
            if word.ends_with(['.', '?', '!', ':']) {
                all.push(String::new());
            }
        }
    }
    all
}

fn is_banned_opening(sentence: &str) -> bool {
    let sentence = sentence.trim().trim_start_matches(['*', '"', '(']);
    let first = sentence.split_whitespace().next().unwrap_or_default();
    OPENERS.contains(&first) && !sentence.ends_with('?')
}

/// Returns the prose of a Markdown text: no code, no tables, no headings.
fn prose(markdown: &str) -> String {
    let mut in_code = false;
    let mut prose = String::new();
    for line in markdown.lines() {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        let is_prose =
            !in_code && !is_fence && !line.starts_with(['|', '#', '<']) && !line.starts_with("    ");
        prose.push_str(if is_prose { line } else { "" });
        prose.push('\n');
    }
    prose
}

/// Returns too long lines of a Markdown text, except tables, code and links.
fn long_lines(markdown: &str) -> Vec<&str> {
    let mut in_code = false;
    let is_long =
        |line: &&str| line.chars().count() > WIDTH && !line.starts_with('|') && !line.contains("://");
    markdown
        .lines()
        .filter(|line| {
            in_code ^= line.trim_start().starts_with("```");
            !in_code && !line.starts_with("    ")
        })
        .filter(is_long)
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let is_wanted = |path: &Path| {
        path.starts_with(folder) && endings.iter().any(|end| path.extension() == Some(end.as_ref()))
    };
    let mut found: Vec<PathBuf> =
        all_paths().into_iter().map(PathBuf::from).filter(|path| is_wanted(path)).collect();
    found.sort();
    found.into_iter().map(|path| root().join(path)).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Fails if `text` does not hold the goal, with the sentences in question.
fn assert_plain(name: &str, text: &str) {
    let counts = Counts::of(text);
    assert!(counts.vagueness() <= MOST_VAGUE, "{name}: {} vague words in 1,000", counts.vagueness());
    assert_worded(name, text);
}

/// Fails if `text` has a banned phrase or opener, with the sentence.
fn assert_worded(name: &str, text: &str) {
    let plain = without_code(text);
    for sentence in sentences(&plain) {
        let counts = Counts::of(&sentence);
        assert_eq!((counts.banned, counts.openers), (0, 0), "{name}: {sentence}");
    }
}

#[test]
fn the_documents_are_plain() {
    let mut documents = files("docs", &["md"]);
    documents.extend(["README.md", "CHANGELOG.md"].map(|name| root().join(name)));
    let mut all = String::new();
    for path in &documents {
        let text = read(path);
        assert_eq!(long_lines(&text), Vec::<&str>::new(), "{}", path.display());
        all.push_str(&prose(&text));
    }
    assert_plain("the documents", &all);
    let readme = read(&root().join("README.md"));
    let (lines, words) = (readme.lines().count(), readme.split_whitespace().count());
    assert!(lines <= 120 && words <= 900, "README.md has {lines} lines and {words} words");
}

/// Collects the values of `names` in a JSON document, each text once.
fn texts<'v>(value: &'v Value, names: &[&str], into: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if names.contains(&name.as_str()) => _ = into.insert(text),
                    other => texts(other, names, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, names, into)),
        _ => {}
    }
}

#[test]
fn the_document_of_the_api_is_plain() {
    let document: Value = serde_json::from_str(&read(&root().join("openapi/openapi.json"))).unwrap();
    let mut found = BTreeSet::new();
    texts(&document, &["description", "summary"], &mut found);
    let all: Vec<&str> = found.into_iter().collect();
    assert_plain("the API", &all.join("\n\n"));
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    for operation in operations {
        let (id, summary) = (&operation["operationId"], operation["summary"].as_str().unwrap());
        assert!(summary.split_whitespace().count() <= 6 && !summary.ends_with('.'), "{id}: {summary}");
        assert!(operation["description"].is_string(), "{id} has no description");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let shared = parameter["$ref"].as_str().and_then(|path| document.pointer(&path[1..]));
            let parameter = shared.unwrap_or(parameter);
            assert!(parameter["description"].is_string(), "{id}: {} has no description", parameter["name"]);
        }
    }
}

/// Sentences of the page are short enough to begin with any word.
#[test]
fn the_texts_of_the_page_are_plain() {
    let mut seen = 0;
    for path in files("src/web/texts", &["js"]) {
        let code = read(&path);
        for texts in code.split(": [").skip(1).map(str::trim_start) {
            let Some(quote) = texts.chars().next().filter(|sign| "'\"".contains(*sign)) else { continue };
            let english = texts[1..].split(quote).next().unwrap();
            assert_eq!(Counts::of(english).banned, 0, "{}: {english}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 400, "{seen}");
}

/// Returns the comments of a file of Rust or JavaScript.
fn comments(code: &str) -> String {
    let mut text = String::new();
    for line in code.lines().map(str::trim) {
        let comment = ["///", "//!", "//", "/**", "* "].iter().find_map(|sign| line.strip_prefix(sign));
        text.push_str(comment.unwrap_or_default().trim_end_matches("*/"));
        text.push('\n');
    }
    text
}

/// Returns the comment lines of a Rust file that are too long, except addresses, code and tables.
fn long_comments(code: &str) -> Vec<&str> {
    let is_long = |line: &&str| {
        let is_prose = !["://", "    ", ");"].iter().any(|sign| line.trim_start().contains(sign));
        line.trim_start().starts_with("//") && line.chars().count() > WIDTH && is_prose
    };
    code.lines().filter(is_long).collect()
}

#[test]
fn the_comments_of_the_code_are_plain() {
    let mut all = Counts::default();
    let mut folders = BTreeMap::<PathBuf, Counts>::new();
    for folder in ["src", "http-tests", "benches", "examples", ".ci/browser"] {
        for path in files(folder, &["rs", "js", "mjs"]) {
            let code = read(&path);
            let text = comments(&code);
            assert_worded(&path.display().to_string(), &text);
            if path.extension().is_some_and(|end| end == "rs") {
                assert_eq!(long_comments(&code), Vec::<&str>::new(), "{}", path.display());
            }
            let counts = Counts::of(&text);
            all.add(counts);
            folders.entry(path.parent().unwrap().to_owned()).or_default().add(counts);
        }
    }
    for (folder, counts) in folders {
        let (name, vague) = (folder.display(), counts.vagueness());
        assert!(vague <= MOST_VAGUE_OF_FOLDER, "{name}: {vague} vague words in 1,000");
    }
    assert!(all.vagueness() <= MOST_VAGUE_OF_CODE, "{} vague words in 1,000", all.vagueness());
}

#[test]
fn what_is_wrong_is_found() {
    let wrong = Counts::of("Whoever asks is told. What it is, goes on. That `goes on` is code. Who asks?");
    assert_eq!((wrong.banned, wrong.openers), (3, 2));
    assert_eq!(Counts::of("Returns the newest entry.").vagueness(), 0);
    assert_eq!(prose("# What\ntext\n```\nWhoever\n```\n| who |\n").trim(), "text");
    assert_eq!(long_lines(&"x".repeat(111)).len(), 1);
}
