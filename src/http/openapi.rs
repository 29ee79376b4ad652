//! The OpenAPI document, made from the same handlers as the routes.

mod by_ruleset;
mod examples;
mod normalize;

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::Value;
use utoipa::{
    Modify, OpenApi,
    openapi::{
        Content, RefOr, Required, Response, ResponseBuilder, Type,
        extensions::ExtensionsBuilder,
        path::{Operation, Parameter, ParameterBuilder, ParameterIn},
        schema::ObjectBuilder,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::{
    endpoints,
    problem::NOT_ACCEPTABLE,
    routes::{
        games::ClockFilter,
        play::{EndOfStream, With},
    },
};
use crate::{
    rulesets::{RulesetId, RulesetName},
    service::{
        feed::{
            DeadlineNotice, GameNotice, InvitationNotice, MessageNotice, RematchNotice, SeatNotice,
            SubstitutionNotice, TurnNotice, WebhookNotice,
        },
        hooks::WebhookFormat,
    },
    words::{Scope, Status, Turns},
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "playledger",
        description = "Turn-based board games that any client can play and anyone can verify.\n\nA game is a log of commands. Every write that a player makes is answered with a signed receipt, and the whole replay of a game that has ended can be verified without trusting this server (`/v1/fairlog`).\n\nEvery failure is a problem document (RFC 9457); `GET /problems/{code}` explains each code.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/")),
    components(schemas(ProblemDocument, MistakeDocument, Scope, Status, Turns, RulesetName, TurnNotice, GameNotice, SeatNotice, DeadlineNotice, InvitationNotice, RematchNotice, SubstitutionNotice, MessageNotice, WebhookNotice, WebhookFormat, EndOfStream, With, ClockFilter)),
    modifiers(&Security),
    tags(
        (name = "account", description = "The caller's own account, and its tokens"),
        (name = "players", description = "Players and their games"),
        (name = "rulesets", description = "The kinds of game and their rules"),
        (name = "games", description = "Tables: created, joined, left"),
        (name = "play", description = "Views, commands and what happened"),
        (name = "seats", description = "Seats of running games: given up, taken back, paused, signed for"),
        (name = "explorations", description = "What if: positions played on from, a record of nothing"),
        (name = "webhooks", description = "Being told without looking"),
        (name = "talk", description = "Notes and messages beside a game, outside of its log"),
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
    /// What is wrong, in the language asked for.
    detail: String,
    code: String,
    /// Every field of the body that is not as it must be.
    #[schema(required = false)]
    errors: Vec<MistakeDocument>,
    /// The rule that an illegal command breaks.
    #[schema(required = false)]
    rule: String,
    /// What a token lacks.
    #[schema(required = false)]
    scope: Scope,
    /// The newest entry, where a seq was stale.
    #[schema(required = false)]
    seq: u64,
    /// Which command of a list it is about, from 0.
    #[schema(required = false, maximum = 31)]
    no: u64,
    /// The SHA-256 of the message that a signature must be under.
    #[schema(required = false, pattern = "^[0-9a-f]{64}$")]
    expected: String,
}

/// A field of a body that is not as it must be.
#[derive(utoipa::ToSchema)]
#[schema(as = Mistake)]
#[allow(dead_code, reason = "describes an answer")]
struct MistakeDocument {
    /// Where it stands in the body, as a JSON Pointer (RFC 6901); empty for the body itself.
    pointer: String,
    /// What belongs there, in the language asked for.
    detail: String,
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
            let operations =
                [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
            operations.into_iter().flatten().for_each(add_problems);
        }
    }
}

fn add_problems(operation: &mut Operation) {
    let Some(endpoint) = endpoints::named(operation.operation_id.as_deref().unwrap_or_default()) else {
        return;
    };
    if endpoint.takes_key {
        operation.parameters.get_or_insert_default().push(idempotency_key().into());
    }
    let not_acceptable = endpoint.access.is_some().then_some(&NOT_ACCEPTABLE);
    let mut by_status: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    for code in endpoint.problems.iter().copied().chain(not_acceptable) {
        by_status.entry(code.status.as_u16()).or_default().push(code.id);
    }
    for (status, codes) in by_status {
        let response = RefOr::T(problem_response(&codes));
        operation.responses.responses.entry(status.to_string()).or_insert(response);
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

/// A problem of one of these codes, which a program finds in `x-codes`.
fn problem_response(codes: &[&str]) -> Response {
    let schema = utoipa::openapi::Ref::from_schema_name("Problem");
    let told = codes.iter().map(|code| format!("`{code}`")).collect::<Vec<_>>().join(", ");
    ResponseBuilder::new()
        .description(format!("A problem: {told}"))
        .content("application/problem+json", Content::new(Some(schema)))
        .extensions(Some(ExtensionsBuilder::new().add("x-codes", codes).build()))
        .build()
}

pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi().merge_from(endpoints::paths());
    Problems.modify(&mut document);
    document
}

/// The schema of the options of a ruleset as a request may send them, without a reference to anything else.
pub fn options_of(ruleset: RulesetId) -> Value {
    static SCHEMAS: LazyLock<Value> = LazyLock::new(|| {
        let document: Value = serde_json::from_str(text()).unwrap_or_default();
        document["components"]["schemas"].clone()
    });
    let name = format!("{}.Options", ruleset.name().replace('-', "_"));
    let mut schema = SCHEMAS[name].clone();
    by_ruleset::write_out(&mut schema, &SCHEMAS);
    if let Some(first_seat) = schema["properties"].get_mut("first_seat") {
        first_seat["default"] = Value::Null;
    }
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("required");
        fields.remove("examples");
    }
    schema
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
