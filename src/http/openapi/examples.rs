//! Real examples, from a game that is played whenever the document is made.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::normalize::operations;
use crate::{
    engine::{Chance, Format, Seats, Seed, Viewer},
    rulesets::{AnyStatus, AnyTable, RulesetId},
};

/// A position in the middle of the game, whose view shows most.
const HALF: usize = 40;
const MOST_COMMANDS: usize = 4_000;

/// Adds the first command, event and state of each kind to its schema as an example.
pub fn add(schemas: &mut Map<String, Value>) {
    for ruleset in RulesetId::ALL {
        play(*ruleset, schemas);
    }
}

fn play(ruleset: RulesetId, schemas: &mut Map<String, Value>) {
    let Some(seats) = Seats::new(2) else { return };
    let read = |options| ruleset.read_options(&options, seats);
    let Ok(options) = read(json!({"first_seat": 0})).or_else(|_| read(json!({}))) else { return };
    let mut table = AnyTable::start(&options, seats, Chance::seeded(Seed::new(Format::Three, [7; 32])));
    let module = ruleset.name().replace('-', "_");
    let mut show = |schema: &str, value: &Value| {
        let name = match value["type"].as_str() {
            Some(kind) => format!("{module}.{schema}.{kind}"),
            None => format!("{module}.{schema}"),
        };
        if let Some(Value::Object(schema)) = schemas.get_mut(&name) {
            schema.entry("examples").or_insert_with(|| json!([value]));
        }
    };
    show("Options", &written(&options));
    for number in 0..MOST_COMMANDS {
        for event in table.events(Viewer::Seat(seats.first())) {
            show("Event", &written(&event));
        }
        let status = table.status();
        // A short game may have no such position.
        if number == HALF || !matches!(status, AnyStatus::ToAct(_)) {
            show("State", &written(&table.view(Viewer::Seat(seats.first()))));
        }
        let AnyStatus::ToAct(seat) = status else { return };
        let legal = table.legal(seat).commands;
        for listed in &legal {
            show("Command", &written(&listed.command));
        }
        // Varies the choice, so that many kinds of commands are played.
        let Some(listed) = legal.get(number * 7 % legal.len().max(1)) else { return };
        if table.submit(seat, &listed.command).is_err() {
            return;
        }
    }
}

fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Returns the requests and answers that `just examples` recorded: those of `operations` by name, and
/// `problems` by code.
pub fn of_operations() -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/examples.json");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Adds a recorded request and answer to each operation. Operations with the same answer share its example.
pub fn show(document: &mut Value, examples: &Value) {
    let shared = shared(document, examples);
    for operation in operations(document) {
        let recorded = &examples["operations"][operation["operationId"].as_str().unwrap_or_default()];
        let request = &recorded["request"];
        if let Some(body) = operation.pointer_mut("/requestBody/content/application~1json") {
            // A body without an example is optional.
            body["example"] = if request.is_null() { json!({}) } else { request.clone() };
        }
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (status, response) in responses.into_iter().flatten() {
            let Some(body) = response.pointer_mut("/content/application~1json") else { continue };
            let example = &recorded["answers"][status];
            if let Some(schema) = schema_of(body).filter(|schema| shared.contains_key(schema)) {
                let reference = format!("#/components/examples/{schema}");
                body["examples"] = json!({"played": {"$ref": reference}});
            } else if !example.is_null() {
                body["example"] = example.clone();
            }
        }
    }
    document["components"]["examples"] = shared.into();
}

/// Returns the schema that a body refers to.
fn schema_of(body: &Value) -> Option<String> {
    body["schema"]["$ref"].as_str()?.rsplit('/').next().map(str::to_owned)
}

/// Returns the shortest example of each schema that several operations answer with.
fn shared(document: &mut Value, examples: &Value) -> Map<String, Value> {
    let mut known: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for operation in operations(document) {
        let recorded = &examples["operations"][operation["operationId"].as_str().unwrap_or_default()];
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            let body = &response["content"]["application/json"];
            if let (Some(schema), false) = (schema_of(body), recorded["answers"][status].is_null()) {
                known.entry(schema).or_default().push(recorded["answers"][status].clone());
            }
        }
    }
    let several = known.into_iter().filter(|(_, all)| all.len() > 1);
    let shortest = several.filter_map(|(schema, all)| {
        let example = all.into_iter().min_by_key(|one| one.to_string().len())?;
        Some((schema, json!({"value": example})))
    });
    shortest.collect()
}
