//! The OpenAPI document is the one in the repository, and says what the routes say.

use std::{collections::BTreeSet, fs, path::Path};

use playledger::http::openapi;
use serde_json::Value;

/// `PLAYLEDGER_OPENAPI=write cargo test` writes the document again.
#[test]
fn the_document_in_the_repository_is_the_one_that_is_served() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    if std::env::var("PLAYLEDGER_OPENAPI").as_deref() == Ok("write") {
        fs::write(&path, openapi::text()).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(
        kept == openapi::text(),
        "openapi/openapi.json is not current: run PLAYLEDGER_OPENAPI=write cargo test"
    );
}

fn document() -> Value {
    serde_json::from_str(openapi::text()).unwrap()
}

#[test]
fn examples_fit_their_schemas() {
    let document = document();
    let mut seen = 0;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let written = schema.get("example").into_iter();
        let played = schema.get("examples").and_then(Value::as_array).into_iter().flatten();
        for example in written.chain(played) {
            let whole = serde_json::json!({"allOf": [schema], "components": document["components"]});
            let validator = jsonschema::draft202012::new(&whole).unwrap();
            assert!(validator.is_valid(example), "{name}: {example}");
            seen += 1;
        }
    }
    // The games show what each event and state of theirs looks like.
    assert!(seen > 60, "{seen}");
}

#[test]
fn operations_have_ids_of_their_own() {
    let document = document();
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
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
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

/// What is data of events, which no operation can name.
fn is_told_in_streams(name: &str) -> bool {
    name.ends_with("Notice") || name == "EndOfStream"
}

/// Within `/v1` there are additions only, and each of them stands in the list of changes by its name.
#[test]
fn what_was_added_stands_among_the_changes() {
    let released: Value = serde_json::from_str(include_str!("../openapi/released.json")).unwrap();
    let was = |list: &str| -> Vec<&str> {
        released[list].as_array().unwrap().iter().filter_map(Value::as_str).collect()
    };
    let changes =
        include_str!("../CHANGELOG.md").split("\n## ").find(|part| part.starts_with("Unreleased")).unwrap();
    let document = document();
    let (mut operations, mut problems) = (Vec::new(), Vec::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.push(format!("{} {path}", method.to_uppercase()));
            let codes = operation["responses"]
                .as_object()
                .unwrap()
                .values()
                .filter_map(|answer| answer["x-codes"].as_array());
            problems.extend(codes.flatten().filter_map(Value::as_str));
        }
    }
    for operation in was("operations") {
        assert!(operations.iter().any(|now| now == operation), "{operation} was taken away");
    }
    for added in operations.iter().filter(|now| !was("operations").contains(&now.as_str())) {
        assert!(changes.contains(&format!("`{added}`")), "{added} is no change that CHANGELOG.md tells");
    }
    for added in problems.iter().filter(|now| !was("problems").contains(now)) {
        assert!(changes.contains(&format!("`{added}`")), "{added} is no change that CHANGELOG.md tells");
    }
}
