//! The API document in the repository, which `openapi.rs` makes and a test compares with the code. It is
//! included as a file, because the schemas took a third of the server's compile time.

use std::sync::LazyLock;

use serde_json::Value;

use crate::rulesets::RulesetId;

/// The document.
pub const TEXT: &str = include_str!("../../openapi/openapi.json");

/// Returns the schema of a ruleset's options, with all references resolved.
pub fn options_of(ruleset: RulesetId) -> Value {
    static SCHEMAS: LazyLock<Value> = LazyLock::new(|| {
        let mut document: Value = serde_json::from_str(TEXT).unwrap_or_default();
        document["components"]["schemas"].take()
    });
    let name = format!("{}.Options", ruleset.name().replace('-', "_"));
    let mut schema = SCHEMAS[name].clone();
    write_out(&mut schema, &SCHEMAS);
    if let Some(first_seat) = schema["properties"].get_mut("first_seat") {
        first_seat["default"] = Value::Null;
    }
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("required");
        fields.remove("examples");
    }
    schema
}

/// Resolves the references in a schema.
fn write_out(schema: &mut Value, schemas: &Value) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        *schema = schemas[name].clone();
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| write_out(item, schemas)),
        Value::Object(fields) => fields.values_mut().for_each(|field| write_out(field, schemas)),
        _ => {}
    }
}
