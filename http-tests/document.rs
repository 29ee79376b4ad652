//! The OpenAPI document as a client reads it. A test of the crate compares it with the handlers.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};

use crate::support::{DOCUMENT, validator};

#[test]
fn examples_fit_their_schemas() {
    let mut seen = 0;
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().unwrap() {
        let written = schema.get("example").into_iter();
        let played = schema.get("examples").and_then(Value::as_array).into_iter().flatten();
        for example in written.chain(played) {
            assert!(validator(schema).is_valid(example), "{name}: {example}");
            seen += 1;
        }
    }
    // Random games give examples of each event and state.
    assert!(seen > 60, "{seen}");
}

#[test]
fn operations_have_ids_of_their_own() {
    let document = &*DOCUMENT;
    let mut ids = BTreeSet::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            assert!(ids.insert(id.clone()), "{id} stands twice");
            assert!(operation["summary"].is_string(), "{id} says what it does");
        }
    }
    assert!(ids.contains("send_command"));
}

#[test]
fn every_reference_leads_somewhere() {
    fn references<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                let mapping = fields.get("mapping").and_then(Value::as_object);
                found.extend(
                    mapping.into_iter().flat_map(|mapping| mapping.values()).filter_map(Value::as_str),
                );
                fields.values().for_each(|field| references(field, found));
            }
            _ => {}
        }
    }
    let document = &*DOCUMENT;
    let mut found = Vec::new();
    references(document, &mut found);
    for reference in &found {
        assert!(document.pointer(&reference[1..]).is_some(), "{reference}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(
            found.iter().any(|found| found.ends_with(&format!("/{name}"))) || is_told_in_streams(name),
            "{name} is used"
        );
    }
}

/// Returns whether a schema is the data of stream events, which no operation refers to.
fn is_told_in_streams(name: &str) -> bool {
    name.ends_with("Notice") || name == "EndOfStream"
}

/// Returns the operations of the document, and their problems.
fn what_there_is(document: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut operations, mut problems) = (BTreeSet::new(), BTreeSet::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.insert(format!("{} {path}", method.to_uppercase()));
            let answers = operation["responses"].as_object().unwrap().values();
            let codes = answers.filter_map(|answer| answer["x-codes"].as_array()).flatten();
            problems.extend(codes.filter_map(Value::as_str).map(str::to_owned));
        }
    }
    (operations, problems)
}

/// `just release-document` records the operations and problems of a release.
///
/// `/v1` only grows, and each addition is in the changelog by name.
#[test]
fn what_was_added_stands_among_the_changes() {
    let document = &*DOCUMENT;
    let (operations, problems) = what_there_is(document);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/released.json");
    if std::env::var("PLAYLEDGER_OPENAPI").as_deref() == Ok("release") {
        let released =
            json!({"version": document["info"]["version"], "operations": operations, "problems": problems});
        fs::write(&path, format!("{released:#}\n")).unwrap();
    }
    let released: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let was = |list: &str| -> BTreeSet<String> { serde_json::from_value(released[list].clone()).unwrap() };
    let (was_able, was_told) = (was("operations"), was("problems"));
    let gone: Vec<_> = was_able.difference(&operations).chain(was_told.difference(&problems)).collect();
    assert!(gone.is_empty(), "{gone:?} were taken away");
    let changes = include_str!("../CHANGELOG.md").split("\n## ").nth(1).unwrap();
    for added in operations.difference(&was_able).chain(problems.difference(&was_told)) {
        assert!(changes.contains(&format!("`{added}`")), "{added} is no change that CHANGELOG.md tells");
    }
}
