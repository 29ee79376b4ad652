//! Makes the OpenAPI document from the handlers, for the file that is served.

mod by_ruleset;
mod examples;
mod normalize;
mod problems;

use utoipa::{
    Modify, OpenApi,
    openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
};

use self::problems::Problems;
use super::{
    endpoints,
    routes::{
        games::ClockFilter,
        play::{EndOfStream, With},
    },
};
use crate::{
    rulesets::RulesetName,
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
    /// Every field of the body that is not as it must be, or every rule that a command breaks, where they are several.
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
    /// The limit that was used up.
    #[schema(required = false)]
    limit: String,
    /// How much of it there is at once.
    #[schema(required = false)]
    quota: u64,
    /// In how many seconds all of it comes again.
    #[schema(required = false)]
    window: u64,
    /// How many seconds to wait, as in the header `Retry-After`.
    #[schema(required = false)]
    retry_after: u64,
}

/// A part of a body that is not as it must be.
#[derive(utoipa::ToSchema)]
#[schema(as = Mistake)]
#[allow(dead_code, reason = "describes an answer")]
struct MistakeDocument {
    /// Where it stands in the body, as a JSON Pointer (RFC 6901); empty for the body itself.
    pointer: String,
    /// What belongs there, or what is wrong with it, in the language asked for.
    detail: String,
    /// The rule that a command breaks.
    #[schema(required = false)]
    rule: String,
}

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("token", SecurityScheme::Http(scheme));
    }
}

/// The document as it follows from the code.
pub fn text() -> String {
    let mut document = Document::openapi().merge_from(endpoints::paths());
    Problems.modify(&mut document);
    let mut value = serde_json::to_value(document).unwrap_or_default();
    normalize::normalize(&mut value);
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}
