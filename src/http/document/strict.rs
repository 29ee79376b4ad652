//! The strict rendering: closed objects, enums and unions, for contract tests and for types that narrow.

use serde_json::{Map, Value, json};

/// Prefix of the schemas for unknown parts.
const OTHER: &str = "Other";

/// Makes the document strict.
pub fn render(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    render_part(document, &schemas);
    super::forget_unused(document);
}

fn render_part(value: &mut Value, schemas: &Map<String, Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| render_part(item, schemas)),
        Value::Object(fields) => {
            if let Some(merged) =
                fields.get("allOf").and_then(Value::as_array).map(|parts| merged(parts, schemas))
            {
                fields.remove("allOf");
                fields.extend(merged);
            }
            if let Some(Value::Object(strict)) = fields.remove("x-strict") {
                fields.extend(strict);
            }
            if let Some(words) = fields.remove("x-extensible-enum") {
                fields.insert("enum".into(), words);
            }
            close_union(fields);
            if fields.get("properties").is_some_and(Value::is_object) {
                fields.entry("additionalProperties").or_insert_with(|| json!(false));
            }
            fields.values_mut().for_each(|field| render_part(field, schemas));
        }
        _ => {}
    }
}

/// Removes the schemas for unknown parts from a union.
fn close_union(fields: &mut Map<String, Value>) {
    let is_other = |member: &Value| {
        let name = member["$ref"].as_str().and_then(|path| path.rsplit(['/', '.']).next());
        name.is_some_and(|name| name.starts_with(OTHER))
    };
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(mut members)) = fields.remove(keyword) else { continue };
        let before = members.len();
        members.retain(|member| !is_other(member));
        let keyword = if members.len() < before { "oneOf" } else { keyword };
        fields.insert(keyword.into(), members.into());
    }
}

/// Merges the parts of an object, since a closed part would refuse the fields of the others.
fn merged(parts: &[Value], schemas: &Map<String, Value>) -> Map<String, Value> {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts {
        let name = part["$ref"].as_str().and_then(|reference| reference.rsplit('/').next());
        let part = name.and_then(|name| schemas.get(name)).unwrap_or(part);
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    let object = json!({"type": "object", "properties": properties, "required": required});
    object.as_object().cloned().unwrap_or_default()
}
