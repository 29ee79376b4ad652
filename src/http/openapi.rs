//! The OpenAPI document, made from the handlers by a test.

mod by_ruleset;
mod describe;
mod examples;
mod normalize;
mod notifications;
mod openness;
mod problems;
mod shared;

use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

use self::problems::Problems;
use super::{
    endpoints,
    routes::{
        games::ClockFilter,
        play::{EndOfStream, ViewExtra},
    },
};
use crate::{
    rulesets::RulesetName,
    service::{
        feed::{
            AccountNotice, DeadlineNotice, GameNotice, InvitationNotice, MessageNotice, RematchNotice,
            SeatNotice, SubstitutionNotice, TurnNotice, WebhookNotice,
        },
        notify::WebhookFormat,
    },
    words::{Scope, Status, Turns},
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "playledger",
        description = "Turn-based board games that any client can play and anyone can verify.\n\nEvery game keeps a signed, tamper-evident log. Each accepted move is answered with a signed receipt, and the replay of a finished game can be verified without trusting this server (`GET /v1/fairlog`).\n\nA client needs twelve operations: create a player, list rulesets, get a catalogue, create a game, list games, join, get the position, send a command, list or stream events, list your games, stream your notifications, and download the replay. The [guide](/guide/api) shows them in curl, Python and TypeScript.\n\nEvery failure is a problem document (RFC 9457) with a `code`; `GET /problems/{code}` explains it.",
        contact(name = "The operator of this server"),
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    servers((url = "/")),
    components(schemas(ProblemDocument, MistakeDocument, Scope, Status, Turns, RulesetName, TurnNotice, GameNotice, SeatNotice, DeadlineNotice, InvitationNotice, RematchNotice, SubstitutionNotice, MessageNotice, WebhookNotice, AccountNotice, WebhookFormat, EndOfStream, ViewExtra, ClockFilter)),
    modifiers(&Security),
    tags(
        (name = "core", description = "The twelve operations that a client needs"),
        (name = "games", description = "Create, find, join and leave games"),
        (name = "play", description = "Positions, commands and events"),
        (name = "seats", description = "Resign, pause, take back, substitute, keys and plans"),
        (name = "talk", description = "Chat messages and private notes"),
        (name = "explorations", description = "Private continuations of a position"),
        (name = "players", description = "Players, bots and their games"),
        (name = "account", description = "Your account and its tokens"),
        (name = "apps", description = "Apps of others that you have connected"),
        (name = "webhooks", description = "Notifications by webhook, mail and push"),
        (name = "rulesets", description = "Games, their rules and catalogues"),
        (name = "audit", description = "Logs, replays, proofs and verification"),
        (name = "safety", description = "Reports and blocks"),
        (name = "server", description = "The server, and the public log of its operators"),
        (name = "admin", description = "For operators: players, games, reports"),
        (name = "messages", description = "Messages that webhooks receive"),
        (name = "problems", description = "Problem codes"),
    )
)]
struct ApiDocument;

/// A problem document (RFC 9457).
#[derive(utoipa::ToSchema)]
#[schema(as = Problem, example = json!({
    "type": "/problems/illegal_command", "title": "The rules forbid this command", "status": 422,
    "detail": "The order needs 5 raw materials and you have 3.", "code": "illegal_command", "rule": "IW-7.6",
}))]
#[allow(dead_code, reason = "describes an answer")]
struct ProblemDocument {
    /// Path of a page that explains the code.
    r#type: String,
    title: String,
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// The mistake, in the requested language.
    detail: String,
    code: String,
    /// All errors in the request, or all rules that a command breaks.
    #[schema(required = false)]
    errors: Vec<MistakeDocument>,
    /// Number of the rule that an illegal command breaks.
    #[schema(required = false)]
    rule: String,
    /// Scope that the token lacks: `read`, `play`, `account` or `admin`.
    #[schema(required = false)]
    scope: String,
    /// Number of the newest entry, if `expected_seq` was out of date.
    #[schema(required = false)]
    seq: u64,
    /// Position in `commands` of the command in question, from 0.
    #[schema(required = false, maximum = 31)]
    index: u64,
    /// SHA-256 of the message that must be signed.
    #[schema(required = false, pattern = "^[0-9a-f]{64}$")]
    expected: String,
    /// Name of the limit that was reached.
    #[schema(required = false)]
    limit: String,
    /// Requests (or other units) allowed per `window`.
    #[schema(required = false)]
    quota: u64,
    /// Length of the window in seconds.
    #[schema(required = false)]
    window: u64,
    /// Seconds to wait, as in the `Retry-After` header.
    #[schema(required = false)]
    retry_after: u64,
}

/// One error in a request: in its body (`pointer`), its query (`parameter`) or a header (`header`).
#[derive(utoipa::ToSchema)]
#[schema(as = Mistake)]
#[allow(dead_code, reason = "describes an answer")]
struct MistakeDocument {
    /// JSON Pointer (RFC 6901) to the field. Empty for the body as a whole.
    #[schema(required = false)]
    pointer: String,
    /// Name of a query parameter.
    #[schema(required = false)]
    parameter: String,
    /// Name of a header.
    #[schema(required = false)]
    header: String,
    /// The mistake and the expected value, in the requested language.
    detail: String,
    /// Number of the rule that the command breaks.
    #[schema(required = false)]
    rule: String,
}

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        // Some generators send the token of an `oauth2` scheme without the word `Bearer`.
        let description = "A token. A program of your own uses the token of `POST /v1/players`, or one of `POST /v1/me/tokens`. An app of others gets its token by OAuth 2.1 with PKCE, without registration: see `/.well-known/oauth-authorization-server` and the guide.\n\n`x-scope` of an operation is the scope that it needs: `read` sees the player's games, `play` moves and sends messages, `account` manages the account. `admin` is for operators: their tokens begin with `plo_` and come from `playledger admin`.";
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("plg_...")
            .description(Some(description))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// Returns the document as it follows from the code.
pub fn text() -> String {
    let mut document = ApiDocument::openapi().merge_from(endpoints::paths());
    Problems.modify(&mut document);
    let mut value = serde_json::to_value(document).unwrap_or_default();
    if let Some(paths) = value["paths"].as_object_mut() {
        paths.retain(|path, _| endpoints::is_documented(path));
    }
    normalize::normalize(&mut value);
    describe::describe(&mut value);
    let examples = examples::of_operations();
    examples::show(&mut value, &examples);
    openness::open(&mut value);
    shared::share(&mut value, &examples);
    let mut text = serde_json::to_string_pretty(&describe::InOrder(&value)).unwrap_or_default();
    text.push('\n');
    text
}

/// `just document` writes the document again.
#[test]
fn the_document_in_the_repository_is_the_one_that_the_handlers_make() {
    let made = text();
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    if std::env::var("PLAYLEDGER_OPENAPI").as_deref() == Ok("write") {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == made, "openapi/openapi.json is not current: run `just document`");
}
