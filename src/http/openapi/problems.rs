//! Problems and headers of each operation.

use std::collections::BTreeMap;

use utoipa::{
    Modify,
    openapi::{
        Content, Header, Object, OpenApi, PathItem, Ref, RefOr, Required, Response, ResponseBuilder, Type,
        extensions::ExtensionsBuilder,
        path::{Operation, Parameter, ParameterBuilder, ParameterIn},
        schema::ObjectBuilder,
    },
};

use crate::http::{
    endpoints,
    problem::{self, Code, NOT_ACCEPTABLE},
};

/// Requests without a key: they change nothing, or their body is not read.
const WITHOUT_KEY: [&str; 2] = ["audit", "unsubscribe"];

/// Adds the problems of each operation.
pub struct Problems;

impl Modify for Problems {
    fn modify(&self, document: &mut OpenApi) {
        for (path, item) in &mut document.paths.paths {
            let PathItem { get, post, put, patch, delete, .. } = item;
            for operation in get.iter_mut() {
                add(path, operation, false);
                if path.starts_with("/v1/") {
                    add_tag(operation);
                }
            }
            for operation in [post, put, patch, delete].into_iter().flatten() {
                add(path, operation, true);
            }
        }
    }
}

fn add(path: &str, operation: &mut Operation, has_body: bool) {
    let takes_key = has_body && takes_key(operation);
    if takes_key {
        operation.parameters.get_or_insert_default().push(idempotency_key().into());
    }
    if has_parameter(operation, "words") {
        operation.parameters.get_or_insert_default().push(language().into());
    }
    let mut problems = of_form(path, operation, has_body);
    problems.extend(takes_key.then_some(&problem::IDEMPOTENCY_KEY_REUSED));
    problems.extend(endpoints::own_problems(operation.operation_id.as_deref().unwrap_or_default()));
    problems.sort_by_key(|code| (code.status, code.id));
    problems.dedup_by_key(|code| code.id);
    let mut by_status: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in problems.into_iter().chain(path.starts_with("/v1/").then_some(&NOT_ACCEPTABLE)) {
        by_status.entry(code.status.as_u16()).or_default().push(code.id);
    }
    for (status, codes) in by_status {
        let response = RefOr::T(response(&codes));
        operation.responses.responses.entry(status.to_string()).or_insert(response);
    }
}

/// Adds the `ETag` that the middleware sets on JSON answers.
fn add_tag(operation: &mut Operation) {
    let answers = &mut operation.responses.responses;
    let Some(RefOr::T(answer)) = answers.get_mut("200") else { return };
    if !answer.content.contains_key("application/json") {
        return;
    }
    answer
        .headers
        .entry("ETag".to_owned())
        .or_insert_with(|| Header::new(Object::with_type(Type::String)).into());
    let not_changed = || ResponseBuilder::new().description("Not modified").build().into();
    answers.entry("304".to_owned()).or_insert_with(not_changed);
    if !has_parameter(operation, "If-None-Match") {
        let known = ParameterBuilder::new()
            .name("If-None-Match")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .schema(Some(Object::with_type(Type::String)));
        operation.parameters.get_or_insert_default().push(known.build().into());
    }
}

fn has_parameter(operation: &Operation, name: &str) -> bool {
    let is_it = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(one) if one.name == name);
    operation.parameters.iter().flatten().any(is_it)
}

fn takes_key(operation: &Operation) -> bool {
    operation.operation_id.as_deref().is_some_and(|id| !WITHOUT_KEY.contains(&id))
}

/// Returns the problems that follow from the form of an endpoint.
fn of_form(path: &str, operation: &Operation, has_body: bool) -> Vec<&'static Code> {
    let mut problems = vec![&problem::MALFORMED, &problem::RATE_LIMITED, &problem::INTERNAL];
    if path.starts_with("/v1/") {
        problems.extend([&problem::UNAUTHORIZED, &problem::BUSY, &problem::STORAGE_UNAVAILABLE]);
        problems.extend([&problem::ADDRESS_BANNED, &problem::SUSPENDED]);
    }
    if asks_for_a_scope(operation) {
        problems.push(&problem::INSUFFICIENT_SCOPE);
    }
    if path.contains('{') {
        problems.push(&problem::NOT_FOUND);
    }
    if has_body {
        problems.extend([&problem::REQUEST_TIMEOUT, &problem::PAYLOAD_TOO_LARGE]);
    }
    if operation.request_body.is_some() {
        problems.push(&problem::UNSUPPORTED_MEDIA_TYPE);
    }
    problems
}

fn asks_for_a_scope(operation: &Operation) -> bool {
    let ways = serde_json::to_value(&operation.security).unwrap_or_default();
    ways.as_array().into_iter().flatten().any(|way| way["token"][0].is_string())
}

fn idempotency_key() -> Parameter {
    let schema = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^[!-~]+$"))
        .min_length(Some(1))
        .max_length(Some(128));
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("Makes a retry safe: the same request with the same key returns the first answer again. Keys are kept for 24 hours (or the last 1,000,000 requests)."))
        .schema(Some(schema.build()))
        .build()
}

/// Returns the parameter for the language of texts.
fn language() -> Parameter {
    let schema = ObjectBuilder::new().schema_type(Type::String);
    ParameterBuilder::new()
        .name("Accept-Language")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .schema(Some(schema.build()))
        .build()
}

/// Returns the response for these codes, with `x-codes` for programs.
fn response(codes: &[&str]) -> Response {
    let schema = Ref::from_schema_name("Problem");
    let names = codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(", ");
    ResponseBuilder::new()
        .description(format!("Problem: {names}"))
        .content(problem::MEDIA_TYPE, Content::new(Some(schema)))
        .extensions(Some(ExtensionsBuilder::new().add("x-codes", codes).build()))
        .build()
}
