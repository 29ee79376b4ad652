//! The OpenAPI document, made from the same handlers as the routes.

mod examples;
mod normalize;

use std::sync::LazyLock;

use utoipa::{
    Modify, OpenApi,
    openapi::{
        Content, RefOr, Required, Response, ResponseBuilder, Type,
        path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn},
        schema::ObjectBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::{endpoints, problem::CODES};
use crate::{
    rulesets::RulesetName,
    service::feed::{GameNotice, TurnNotice},
    words::{Status, Turns},
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "playledger",
        description = "Turn-based board games that any client can play and anyone can verify.\n\nA game is a log of commands. Every write that a player makes is answered with a signed receipt, and the whole replay of a game that has ended can be verified without trusting this server (`/v1/fairlog`).\n\nEvery failure is a problem document (RFC 9457); `GET /problems/{code}` explains each code.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/")),
    components(schemas(ProblemDocument, Status, Turns, RulesetName, TurnNotice, GameNotice)),
    modifiers(&Security),
    tags(
        (name = "players", description = "Accounts and their tokens"),
        (name = "rulesets", description = "The kinds of game and their rules"),
        (name = "games", description = "Tables: created, joined, left"),
        (name = "play", description = "Views, commands and what happened"),
        (name = "audit", description = "The chain, replays, and the verifier"),
        (name = "operation", description = "For whoever runs the server"),
        (name = "home", description = "Pages for a person"),
    )
)]
struct Document;

/// A problem document (RFC 9457).
#[derive(utoipa::ToSchema)]
#[schema(as = Problem, example = json!({
    "type": "/problems/illegal_command", "title": "The rules forbid this command", "status": 422,
    "detail": "The order needs 5 raw materials and you have 3.", "code": "illegal_command", "rule": "IW-7.6",
}))]
#[allow(dead_code, reason = "describes an answer")]
struct ProblemDocument {
    /// The path of a page that explains the code.
    r#type: String,
    title: String,
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    detail: String,
    code: String,
    /// The rule that an illegal command breaks.
    #[schema(required = false)]
    rule: String,
    /// The newest entry, where a seq was stale.
    #[schema(required = false)]
    seq: u64,
}

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// Adds the problems that each operation can meet.
struct Problems;

impl Modify for Problems {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        for item in document.paths.paths.values_mut() {
            let operations = [
                (HttpMethod::Get, &mut item.get),
                (HttpMethod::Post, &mut item.post),
                (HttpMethod::Delete, &mut item.delete),
            ];
            for (method, operation) in operations {
                if let Some(operation) = operation {
                    add_problems(&method, operation);
                }
            }
        }
    }
}

fn add_problems(method: &HttpMethod, operation: &mut Operation) {
    let mut statuses = vec![400, 404, 406, 429, 500, 503];
    if operation.security.is_some() {
        statuses.extend([401, 403, 409]);
    }
    if *method == HttpMethod::Post {
        statuses.extend([408, 413, 415, 422]);
        // A second try gets another token, and the first one ends.
        let once = operation.operation_id.as_deref() != Some("renew_token");
        if operation.security.is_some() && once {
            operation.parameters.get_or_insert_default().push(idempotency_key().into());
        }
    }
    for status in statuses {
        let codes =
            CODES.iter().filter(|code| code.status.as_u16() == status).map(|code| format!("`{}`", code.id));
        let response = problem_response(&codes.collect::<Vec<_>>().join(", "));
        operation.responses.responses.entry(status.to_string()).or_insert(RefOr::T(response));
    }
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
        .description(Some("The same key with the same request gets the first answer again, for 24 hours, unless more than a million requests under keys came in between."))
        .schema(Some(schema.build()))
        .build()
}

fn problem_response(codes: &str) -> Response {
    let schema = utoipa::openapi::Ref::from_schema_name("Problem");
    ResponseBuilder::new()
        .description(format!("A problem: {codes}"))
        .content("application/problem+json", Content::new(Some(schema)))
        .build()
}

pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi().merge_from(endpoints::paths());
    Problems.modify(&mut document);
    document
}

/// The document as it is served.
pub fn text() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut value = serde_json::to_value(document()).unwrap_or_default();
        normalize::normalize(&mut value);
        let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
        text.push('\n');
        text
    });
    &TEXT
}
