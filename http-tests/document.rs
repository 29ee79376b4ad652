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
        if let Some(example) = schema.get("example") {
            let whole = serde_json::json!({"allOf": [schema], "components": document["components"]});
            let validator = jsonschema::draft202012::new(&whole).unwrap();
            assert!(validator.is_valid(example), "{name}: {example}");
            seen += 1;
        }
    }
    assert!(seen >= 3);
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
