//! The document of the API as it is kept in the repository, where a test holds it to the code (`openapi.rs` makes it): so what
//! serves knows its endpoints without the schemas of all that they say, which took a third of the time to compile it.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use actix_web::http::Method;
use serde::Deserialize;
use serde_json::Value;

use super::problem;
use crate::{rulesets::RulesetId, words::Scope};

/// The document as it is served.
pub const TEXT: &str = include_str!("../../openapi/openapi.json");

/// What is declared of an endpoint.
pub struct Endpoint {
    pub path: String,
    pub method: Method,
    pub name: String,
    /// The media types of its answers.
    pub offers: Vec<String>,
    /// Who may ask; nothing where nobody is asked who it is.
    pub access: Option<Access>,
}

/// What an endpoint needs of its caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub needs_token: bool,
    /// What a token must be good for, if one is brought.
    pub scope: Option<Scope>,
    /// Whether the path names a game, which a token of one game must be of.
    pub names_game: bool,
}

/// All that are declared.
pub static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(|| {
    let paths = serde_json::from_str::<Document>(TEXT).map(|document| document.paths).unwrap_or_default();
    paths
        .into_iter()
        .flat_map(|(path, operations)| {
            operations.into_iter().filter_map(move |(method, operation)| operation.endpoint(&path, &method))
        })
        .collect()
});

/// What the router reads of the document.
#[derive(Deserialize)]
struct Document {
    paths: BTreeMap<String, BTreeMap<String, Operation>>,
}

#[derive(Deserialize)]
struct Operation {
    #[serde(rename = "operationId")]
    name: String,
    /// The ways to be let in; one of them without a token, where none is needed.
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
        // A client that asks for text can read Markdown, and one that asks for problems reads what else is JSON.
        for (kind, also) in [("text/markdown", "text/plain"), ("application/json", problem::MEDIA_TYPE)] {
            if offers.iter().any(|offered| offered == kind) {
                offers.push(also.to_owned());
            }
        }
        offers
    }
}

/// The endpoint of this name.
pub fn named(name: &str) -> Option<&'static Endpoint> {
    ENDPOINTS.iter().find(|endpoint| endpoint.name == name)
}

/// What an endpoint answers with, if there is one. A HEAD is a GET without its body.
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

/// The schema of the options of a ruleset as a request may send them, without a reference to anything else.
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

/// Puts what is referred to in place of each reference.
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
