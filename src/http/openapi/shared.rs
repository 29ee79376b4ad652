//! Shared parts: parameters and headers that many operations have, and the response for all problems.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{normalize::operations, notifications};
use crate::http::problem::{self, CODES, Problem};

/// Moves what operations share into the components.
pub fn share(document: &mut Value, examples: &Value) {
    share_parameters(document);
    share_headers(document);
    share_problems(document, examples);
}

fn share_parameters(document: &mut Value) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for operation in operations(document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            *counts.entry(parameter.to_string()).or_default() += 1;
        }
    }
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    let mut shared = Map::new();
    for (text, _) in counts.iter().filter(|(_, count)| **count > 1) {
        let parameter: Value = serde_json::from_str(text).unwrap_or_default();
        let plain = pascal(parameter["name"].as_str().unwrap_or_default());
        // Ids of different things have one name; their descriptions tell them apart.
        let of = parameter["description"].as_str().unwrap_or_default();
        let of = of.trim_end_matches('.').rsplit(' ').next().unwrap_or_default();
        let name = if matches!(plain.as_str(), "Id" | "Code") { pascal(of) + &plain } else { plain };
        let name = if shared.contains_key(&name) { format!("{name}{}", shared.len()) } else { name };
        names.insert(text.clone(), name.clone());
        shared.insert(name, parameter);
    }
    for operation in operations(document) {
        for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(name) = names.get(&parameter.to_string()) {
                *parameter = json!({"$ref": format!("#/components/parameters/{name}")});
            }
        }
    }
    shared.extend(notifications::headers().map(|(name, header)| (name.to_owned(), header)));
    document["components"]["parameters"] = shared.into();
}

/// Returns a name such as `IfNoneMatch` for `If-None-Match`.
fn pascal(name: &str) -> String {
    let parts = name.split(['-', '_']);
    parts
        .map(|part| part.get(..1).unwrap_or_default().to_uppercase() + part.get(1..).unwrap_or_default())
        .collect()
}

fn share_headers(document: &mut Value) {
    let mut shared = Map::new();
    for operation in operations(document) {
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        for response in responses.into_iter().flat_map(Map::values_mut) {
            let headers = response.get_mut("headers").and_then(Value::as_object_mut);
            for (name, header) in headers.into_iter().flatten() {
                let name = pascal(name);
                let reference = json!({"$ref": format!("#/components/headers/{name}")});
                shared.insert(name, std::mem::replace(header, reference));
            }
        }
    }
    document["components"]["headers"] = shared.into();
}

/// Describes all problems of an operation as one response. `x-problems` lists the codes that not every
/// operation has.
fn share_problems(document: &mut Value, examples: &Value) {
    for operation in operations(document) {
        let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) else { continue };
        let mut codes = Vec::new();
        responses.retain(|_, response| match response.get_mut("x-codes").map(Value::take) {
            Some(Value::Array(own)) => {
                codes.extend(own);
                false
            }
            _ => true,
        });
        if codes.is_empty() {
            continue;
        }
        for status in ["400", "default"] {
            responses.insert(status.into(), json!({"$ref": "#/components/responses/Problem"}));
        }
        codes.retain(|code| !COMMON.iter().any(|common| code == common.id));
        if !codes.is_empty() {
            operation["x-problems"] = codes.into();
        }
    }
    let shown = CODES.iter().map(|code| {
        let recorded = examples["problems"].get(code.id).cloned();
        let example = recorded.unwrap_or_else(|| Problem::new(code).body());
        (code.id.to_owned(), json!({"value": example}))
    });
    let shown: Map<String, Value> = shown.collect();
    let common = COMMON.map(|code| format!("`{}`", code.id)).join(", ");
    let header =
        |description: &str, kind: &str| json!({"description": description, "schema": {"type": kind}});
    document["components"]["responses"] = json!({
        "NotModified": {"description": "Not modified"},
        "Problem": {
            "description": format!(
                "A problem document. Its code is in `x-problems` of the operation, or one of those that every operation has: {common}."
            ),
            "headers": {
                "X-Request-Id": header("Id of this request. Quote it in bug reports.", "string"),
                "Retry-After": header("With 429 and 503: seconds to wait before the next attempt.", "integer"),
                "RateLimit": header("With 429: the limit, what is left of it, and when it is reset.", "string"),
            },
            "content": {
                problem::MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": shown}
            },
        },
    });
    for operation in operations(document) {
        if let Some(response) = operation.pointer_mut("/responses/304") {
            *response = json!({"$ref": "#/components/responses/NotModified"});
        }
    }
}

/// Problems that follow from the form of a request or from the state of the server.
pub const COMMON: [&problem::Code; 14] = [
    &problem::MALFORMED,
    &problem::UNAUTHORIZED,
    &problem::INSUFFICIENT_SCOPE,
    &problem::NOT_FOUND,
    &problem::METHOD_NOT_ALLOWED,
    &problem::NOT_ACCEPTABLE,
    &problem::REQUEST_TIMEOUT,
    &problem::PAYLOAD_TOO_LARGE,
    &problem::UNSUPPORTED_MEDIA_TYPE,
    &problem::IDEMPOTENCY_KEY_REUSED,
    &problem::RATE_LIMITED,
    &problem::BUSY,
    &problem::STORAGE_UNAVAILABLE,
    &problem::INTERNAL,
];
