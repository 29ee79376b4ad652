//! The API document in the repository, which `openapi.rs` makes and a test compares with the code. It is
//! included as a file, because the schemas took a third of the server's compile time.

mod older;
mod strict;

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::white_space::without_space;
use crate::rulesets::RulesetId;

/// The document, as it is in the repository.
pub const TEXT: &str = include_str!("../../../openapi/openapi.json");

/// A rendering of the document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rendering {
    /// The published document.
    Open,
    Strict,
    /// OpenAPI 3.0.
    Older,
}

impl Rendering {
    pub const ALL: [Self; 3] = [Self::Open, Self::Strict, Self::Older];

    /// File name of the rendering.
    pub const fn file(self) -> &'static str {
        match self {
            Self::Open => "openapi.json",
            Self::Strict => "openapi-strict.json",
            Self::Older => "openapi-3.0.json",
        }
    }

    /// Returns the document in this rendering.
    pub fn text(self) -> String {
        let render = match self {
            Self::Open => return String::from_utf8(without_space(TEXT.as_bytes())).unwrap_or_default(),
            Self::Strict => strict::render,
            Self::Older => older::render,
        };
        let mut document: Value = serde_json::from_str(TEXT).unwrap_or_default();
        render(&mut document);
        document.to_string()
    }
}

/// Removes components that nothing refers to.
fn forget_unused(document: &mut Value) {
    loop {
        let text = document.to_string();
        let mut count = 0;
        for part in ["schemas", "parameters"] {
            let Some(named) = document["components"][part].as_object_mut() else { continue };
            let before = named.len();
            named.retain(|name, _| text.contains(&format!("\"#/components/{part}/{name}\"")));
            count += before - named.len();
        }
        if count == 0 {
            return;
        }
    }
}

/// Returns the schema of a ruleset's options, with all references resolved.
pub fn options_of(ruleset: RulesetId) -> Value {
    static SCHEMAS: LazyLock<Value> = LazyLock::new(|| {
        let mut document: Value = serde_json::from_str(TEXT).unwrap_or_default();
        strict::render(&mut document);
        document["components"]["schemas"].take()
    });
    let name = format!("{}.Options", ruleset.name().replace('-', "_"));
    let mut schema = SCHEMAS[name].clone();
    write_out(&mut schema, &SCHEMAS);
    // An option without a default may be null.
    for option in schema["properties"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        if option.get("default").is_none() {
            option["default"] = Value::Null;
        }
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
        let referenced = schemas[name].clone();
        let beside = std::mem::replace(schema, referenced);
        if let (Value::Object(fields), Value::Object(beside)) = (&mut *schema, beside) {
            fields.extend(beside.into_iter().filter(|(name, _)| name != "$ref"));
        }
    }
    match schema {
        Value::Array(items) => items.iter_mut().for_each(|item| write_out(item, schemas)),
        Value::Object(fields) => fields.values_mut().for_each(|field| write_out(field, schemas)),
        _ => {}
    }
}
