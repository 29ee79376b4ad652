//! The API document in the repository, which `openapi.rs` makes and a test compares with the code. The server
//! reads its endpoints from it: the schemas took a third of its compile time.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use actix_web::http::Method;
use serde::Deserialize;
use serde_json::Value;

use super::problem;
use crate::{rulesets::RulesetId, words::Scope};

/// The document.
pub const TEXT: &str = include_str!("../../openapi/openapi.json");

/// The declaration of an endpoint.
pub struct Endpoint {
    pub path: String,
    pub method: Method,
    pub name: String,
    /// Media types of its answers.
    pub offers: Vec<String>,
    /// Required access, or `None` for everyone.
    pub access: Option<Access>,
}

/// What an endpoint requires of its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub needs_token: bool,
    /// Required scope of a token.
    pub scope: Option<Scope>,
    /// Whether the path names a game, which a token of one game must match.
    pub names_game: bool,
}

/// All endpoints.
pub static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
    let paths = serde_json::from_str::<Document>(TEXT).map(|document| document.paths).unwrap_or_default();
    paths
        .into_iter()
        .flat_map(|(path, operations)| {
            operations.into_iter().filter_map(move |(method, operation)| operation.endpoint(&path, &method))
        })
        .collect()
});

/// The parts of the document that the router reads.
#[derive(Deserialize)]
struct Document {
    paths: BTreeMap<String, BTreeMap<String, Operation>>,
}

#[derive(Deserialize)]
struct Operation {
    #[serde(rename = "operationId")]
    name: String,
    /// Alternatives of authentication; an empty one means none.
    security: Vec<BTreeMap<String, Vec<String>>>,
    responses: BTreeMap<String, Response>,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    content: BTreeMap<String, Value>,
}

impl Operation {
    fn endpoint(self, path: &str, method: &str) -> Option<Endpoint> {
        let method = Method::from_bytes(method.to_ascii_uppercase().as_bytes()).ok()?;
        let access = path.starts_with("/v1/").then(|| self.access(path));
        Some(Endpoint { path: path.to_owned(), method, offers: self.offers(), access, name: self.name })
    }

    fn access(&self, path: &str) -> Access {
        let needs_token =
            !self.security.is_empty() && self.security.iter().all(|way| way.contains_key("token"));
        let scope = self.security.iter().find_map(|way| Scope::from_word(way.get("token")?.first()?));
        Access { needs_token, scope, names_game: path.starts_with("/v1/games/{id}") }
    }

    fn offers(&self) -> Vec<String> {
        let kinds = self.responses.values().flat_map(|response| response.content.keys());
        let mut offers: Vec<String> = kinds.filter(|kind| *kind != problem::MEDIA_TYPE).cloned().collect();
        // Clients that ask for text accept Markdown, and clients that ask for problems accept other JSON.
        for (kind, also) in [("text/markdown", "text/plain"), ("application/json", problem::MEDIA_TYPE)] {
            if offers.iter().any(|offered| offered == kind) {
                offers.push(also.to_owned());
            }
        }
        offers
    }
}

/// Returns the endpoint with this name.
pub fn named(name: &str) -> Option<&'static Endpoint> {
    ENDPOINTS.iter().find(|endpoint| endpoint.name == name)
}

/// Returns the media types of an endpoint. HEAD is GET without a body.
pub fn offers(path: &str, method: &Method) -> Option<&'static [String]> {
    static OFFERS: LazyLock<HashMap<(&'static str, &'static Method), &'static [String]>> =
        LazyLock::new(|| {
            ENDPOINTS
                .iter()
                .map(|endpoint| ((&*endpoint.path, &endpoint.method), &*endpoint.offers))
                .collect()
        });
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    OFFERS.get(&(path, method)).copied()
}

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
