//! Openness: an answer may gain fields, words and kinds, so its schemas promise no more than what stays true.
//!
//! Closed keywords of answers move to `x-strict`, and their words to `x-extensible-enum`. The strict
//! rendering of the document ([`crate::http::document`]) puts them back.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::by_ruleset::SCHEMAS;

/// Opens the schemas of answers, and closes those of requests.
pub fn open(document: &mut Value) {
    let answered = answered(document);
    let Some(Value::Object(schemas)) = document.pointer_mut(SCHEMAS) else { return };
    for (name, schema) in schemas {
        if answered.contains(name) {
            loosen(schema);
        } else {
            close(schema);
        }
    }
}

/// Returns the names of the schemas that answers, streams and webhooks refer to.
fn answered(document: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let operations = document["paths"].as_object().into_iter().flat_map(Map::values);
    let operations = operations.filter_map(Value::as_object).flat_map(Map::values);
    let mut waiting: Vec<&Value> = operations.map(|operation| &operation["responses"]).collect();
    waiting.push(&document["webhooks"]);
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(items) => waiting.extend(items),
            Value::Object(fields) => {
                let name =
                    fields.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
                if let Some(name) = name.filter(|name| found.insert((*name).to_owned())) {
                    waiting.push(&document["components"]["schemas"][name]);
                }
                waiting.extend(fields.values());
            }
            _ => {}
        }
    }
    found
}

/// Bounds up to this number count seats, of which another game may have more.
const SEATS: u64 = 4;

fn loosen(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(loosen),
        Value::Object(fields) => {
            fields.values_mut().for_each(loosen);
            if fields.get("additionalProperties").is_some_and(|value| value == false) {
                fields.remove("additionalProperties");
            }
            if let Some(words) = words(fields) {
                let list = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
                let more = format!("One of {list}; more may be added.");
                let text = fields.get("description").and_then(Value::as_str);
                let text = text.map_or_else(|| more.clone(), |text| format!("{text} {more}"));
                fields.insert("description".into(), text.into());
                fields.insert("x-extensible-enum".into(), words.into());
            }
            let counts_seats = |value: &Value| value.as_u64().is_some_and(|most| most <= SEATS);
            let mut strict = Map::new();
            for keyword in ["maxItems", "maximum"] {
                if fields.get(keyword).is_some_and(counts_seats) {
                    strict.extend(fields.remove_entry(keyword));
                }
            }
            if !strict.is_empty() {
                fields.insert("x-strict".into(), strict.into());
            }
        }
        _ => {}
    }
}

/// Takes the words that a text can be. A single word is the tag of a kind, and stays.
fn words(fields: &mut Map<String, Value>) -> Option<Vec<String>> {
    if let Some(Value::Array(words)) = fields.get("enum") {
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let is_open = words.len() > 1;
        return is_open.then(|| fields.remove("enum")).flatten().map(|_| words);
    }
    let pattern = fields.get("pattern").and_then(Value::as_str)?;
    let words = pattern.strip_prefix("^(")?.strip_suffix(")$")?.split('|');
    let words: Vec<String> = words.map(str::to_owned).collect();
    let are_words = words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()));
    are_words.then(|| fields.remove("pattern")).flatten().map(|_| words)
}

/// Forbids fields that a request does not have.
fn close(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Object(fields) => {
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.entry("additionalProperties").or_insert_with(|| json!(false));
            }
            fields.values_mut().for_each(close);
        }
        _ => {}
    }
}
