//! The OpenAPI document as a client reads it. A test of the crate compares it with the handlers.

use std::{collections::BTreeSet, fs, path::Path};

use playledger::http::{document::Rendering, problem::CODES};
use serde_json::{Value, json};

use crate::support::{DOCUMENT, recorder, validator};

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

/// `just examples` chooses them from what all tests send and receive.
#[test]
fn every_operation_and_every_problem_has_an_example() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/examples.json");
    if std::env::var("PLAYLEDGER_OPENAPI").as_deref() == Ok("examples") {
        fs::write(&path, format!("{:#}\n", recorder::chosen())).unwrap();
        return;
    }
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let bodies = operation["responses"].as_object().unwrap().iter();
            let bodies = bodies.map(|(status, response)| (status, &response["content"]["application/json"]));
            let sent = ("request", &operation["requestBody"]["content"]["application/json"]);
            let bodies = bodies.map(|(status, body)| (status.as_str(), body)).chain([sent]);
            for (what, body) in bodies.filter(|(_, body)| body["schema"].is_object()) {
                let shared = body["examples"]["played"]["$ref"].as_str();
                let shared = shared.map(|path| &DOCUMENT.pointer(&path[1..]).unwrap()["value"]);
                let example = shared.or(body.get("example"));
                let example = example.unwrap_or_else(|| panic!("{method} {path}: {what} has no example"));
                assert!(validator(&body["schema"]).is_valid(example), "{method} {path}: {what}: {example}");
            }
        }
    }
    let problem = &DOCUMENT["components"]["responses"]["Problem"]["content"]["application/problem+json"];
    for code in CODES {
        let example = &problem["examples"][code.id]["value"];
        assert_eq!(example["code"], code.id, "{} has no example", code.id);
        assert!(validator(&problem["schema"]).is_valid(example), "{example}");
    }
}

#[test]
fn answers_are_open_to_additions() {
    let open: Value = serde_json::from_str(&Rendering::Open.text()).unwrap();
    let schemas = open["components"]["schemas"].as_object().unwrap();
    let mut waiting: Vec<&Value> = open["paths"].as_object().unwrap().values().collect();
    waiting = waiting
        .iter()
        .flat_map(|item| item.as_object().unwrap().values())
        .map(|one| &one["responses"])
        .collect();
    let mut seen = BTreeSet::new();
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(fields) => {
                assert_ne!(fields.get("additionalProperties"), Some(&json!(false)), "{value}");
                assert!(
                    fields.get("enum").and_then(Value::as_array).is_none_or(|words| words.len() == 1),
                    "{value}"
                );
                assert!(!fields.contains_key("discriminator"), "{value}");
                let name =
                    fields.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
                if let Some(name) = name.filter(|name| seen.insert((*name).to_owned())) {
                    waiting.extend(schemas.get(name));
                }
                let is_data = |name: &str| name == "example" || name == "examples";
                waiting.extend(fields.iter().filter(|(name, _)| !is_data(name)).map(|(_, field)| field));
            }
            _ => {}
        }
    }
    assert!(seen.len() > 150, "{}", seen.len());
    for union in ["View", "GameEvent", "Command", "Options", "Viewer"] {
        let members =
            schemas[union].get("oneOf").or(schemas[union].get("anyOf")).unwrap().as_array().unwrap();
        assert!(members.last().unwrap()["$ref"].as_str().unwrap().contains("/Other"), "{union}");
    }
}

/// Each addition of a later server fits exactly one part of its union.
#[test]
fn additions_fit_the_open_document() {
    let open: Value = serde_json::from_str(&Rendering::Open.text()).unwrap();
    let fits = |schema: &str, value: &Value| {
        let schema =
            json!({"$ref": format!("#/components/schemas/{schema}"), "components": open["components"]});
        jsonschema::draft202012::new(&schema).unwrap().is_valid(value)
    };
    let mut view = open["paths"]["/v1/games/{id}/view"]["get"]["responses"]["200"]["content"]["application/json"]["example"].clone();
    assert!(fits("View", &view), "{view}");
    view["ruleset"] = "chess".into();
    view["state"] = json!({"board": []});
    view["status"] = "adjourned".into();
    view["mood"] = "good".into();
    assert!(fits("View", &view), "{view}");
    for event in [
        json!({"ruleset": "chess", "type": "game_started"}),
        json!({"ruleset": "ecopolis", "type": "castled", "seat": 9}),
        json!({"ruleset": "ecopolis", "type": "bid_passed"}),
        json!({"ruleset": "table", "type": "spectator_came"}),
        json!({"ruleset": "industrial-waste", "type": "bid_passed", "seat": 0, "why": "tired"}),
    ] {
        assert!(fits("GameEvent", &event), "{event}");
    }
    assert!(fits("Command", &json!({"type": "castle", "side": "king"})));
    assert!(!fits("Command", &json!({"type": "bid"})), "a bid has an amount");
}

#[test]
fn the_older_rendering_has_no_keyword_of_3_1() {
    let older: Value = serde_json::from_str(&Rendering::Older.text()).unwrap();
    assert_eq!(older["openapi"], "3.0.3");
    let schemas = older["components"]["schemas"].to_string();
    for keyword in [r#""type":["#, r#""const":"#, r#""type":"null""#, r#""propertyNames":"#] {
        assert!(!schemas.contains(keyword), "{keyword}");
    }
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
    for part in ["schemas", "parameters", "responses", "headers"] {
        for name in document["components"][part].as_object().unwrap().keys() {
            assert!(found.iter().any(|found| found.ends_with(&format!("/{part}/{name}"))), "{name} is used");
        }
    }
}

/// Returns the operations of the document, and their problems.
fn what_there_is(document: &Value) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut operations, mut problems) = (BTreeSet::new(), BTreeSet::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            operations.insert(format!("{} {path}", method.to_uppercase()));
            let codes = operation["x-problems"].as_array().into_iter().flatten();
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
