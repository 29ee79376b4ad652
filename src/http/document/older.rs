//! The rendering as OpenAPI 3.0, for tools without support of 3.1.

use serde_json::{Map, Value, json};

/// Rewrites the document.
pub fn render(document: &mut Value) {
    document["openapi"] = "3.0.3".into();
    if let Some(document) = document.as_object_mut() {
        document.remove("webhooks");
    }
    if let Some(components) = document["components"].as_object_mut() {
        components.remove("examples");
    }
    if let Some(license) = document["info"]["license"].as_object_mut() {
        license.remove("identifier");
        license.insert("url".into(), "https://spdx.org/licenses/MIT.html".into());
    }
    let schemas = document["components"]["schemas"].take();
    for part in ["paths", "components"] {
        render_part(&mut document[part], &schemas);
    }
    let mut rendered = schemas.clone();
    rendered.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(|one| render_part(one, &schemas));
    document["components"]["schemas"] = rendered;
    super::forget_unused(document);
}

/// Fields with names, not keywords, as keys.
const NAMES: [&str; 5] = ["properties", "parameters", "responses", "headers", "content"];

fn render_part(value: &mut Value, schemas: &Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| render_part(item, schemas)),
        Value::Object(fields) => {
            render_schema(fields, schemas);
            for (name, field) in fields.iter_mut() {
                match field {
                    Value::Object(named) if NAMES.contains(&name.as_str()) => {
                        named.values_mut().for_each(|one| render_part(one, schemas));
                    }
                    other => render_part(other, schemas),
                }
            }
        }
        _ => {}
    }
}

fn render_schema(fields: &mut Map<String, Value>, schemas: &Value) {
    make_nullable(fields, schemas);
    if let Some(word) = fields.remove("const") {
        fields.insert("enum".into(), json!([word]));
    }
    // A nullable reference cannot say in 3.0 that an example is null.
    fields.remove("example");
    fields.remove("examples");
    fields.remove("propertyNames");
    // A reference has no siblings in 3.0.
    if fields.contains_key("$ref") && fields.len() > 1 {
        let reference = json!({"$ref": fields.remove("$ref")});
        fields.insert("allOf".into(), json!([reference]));
    }
}

/// Writes the type `null` as `nullable`, next to a type.
fn make_nullable(fields: &mut Map<String, Value>, schemas: &Value) {
    let is_null = |value: &Value| *value == "null" || value["type"] == "null";
    if let Some(Value::Array(kinds)) = fields.get("type")
        && let Some(kind) = kinds.iter().find(|kind| !is_null(kind)).cloned()
    {
        fields.insert("type".into(), kind);
        fields.insert("nullable".into(), true.into());
    }
    let Some(Value::Array(members)) = fields.get("oneOf") else { return };
    let Some(only) = members.iter().find(|member| !is_null(member)).cloned() else { return };
    if !members.iter().any(is_null) {
        return;
    }
    fields.remove("oneOf");
    let mut only = only.as_object().cloned().unwrap_or_default();
    fields.insert("nullable".into(), true.into());
    match only.remove("$ref") {
        Some(reference) => {
            fields.insert("type".into(), type_of(&reference, schemas).into());
            fields.insert("allOf".into(), json!([{"$ref": reference}]));
        }
        None => {
            render_schema(&mut only, schemas);
        }
    }
    fields.extend(only);
}

/// Returns the type of the schema behind a reference. All members of a union are objects.
fn type_of(reference: &Value, schemas: &Value) -> String {
    let name = reference.as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    schemas[name]["type"].as_str().unwrap_or("object").to_owned()
}
