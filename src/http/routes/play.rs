//! Playing and watching.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web,
};

use super::private;
use crate::{
    http::{
        app::State,
        once,
        problem::Problem,
        request::{Caller, GameId, Json, Query},
    },
    rulesets::AnyCommand,
    service::{
        ServiceError,
        page::Items,
        play::{Command, CommandDone, LegalCommands},
        watch::{Happening, View},
    },
};

#[derive(utoipa::ToSchema)]
#[schema(example = json!({"expected_seq": 12, "command": {"type": "choose_combination", "column": 1}}))]
#[allow(dead_code, reason = "describes a request")]
pub struct NewCommand {
    /// The seq of the newest entry that the sender saw.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    expected_seq: u64,
    command: AnyCommand,
    /// Only say whether the command would be accepted.
    #[schema(required = false, default = false)]
    dry_run: bool,
}

#[derive(serde::Serialize, utoipa::ToSchema)]
pub struct LegalNow {
    pub legal: bool,
}

/// What the caller may see
#[utoipa::path(get, path = "/v1/games/{id}/view", tag = "play", security((), ("token" = [])),
    params(("id" = Uuid, Path), ("seq" = Option<u64>, Query, description = "As it was after this entry", maximum = 9_007_199_254_740_991_u64),
        ("If-None-Match" = Option<String>, Header)),
    responses((status = 200, description = "The view", body = View, headers(("ETag" = String))),
        (status = 304, description = "The view has not changed")))]
pub async fn get_view(
    state: web::Data<State>,
    request: HttpRequest,
    id: GameId,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let seq = query.whole("seq", 0, (1 << 53) - 1)?.and_then(|seq| u64::try_from(seq).ok());
    query.end()?;
    let caller = caller.anyone()?;
    let (view, tag) = state.service.view(id.0, caller.as_ref(), seq).await?;
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let mut response = if known.is_some_and(|known| known.split(',').any(|one| matches(one.trim(), &tag))) {
        HttpResponse::NotModified().finish()
    } else {
        private(&view)
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, header::HeaderValue::from_static("Authorization"));
    if let Ok(tag) = header::HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    Ok(response)
}

/// Whether a tag of the client's names the same view. Comparison is weak, as the standard has it here.
fn matches(known: &str, tag: &str) -> bool {
    known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag
}

/// What the caller's seat may do now
#[utoipa::path(get, path = "/v1/games/{id}/legal-commands", tag = "play", security((), ("token" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The commands", body = LegalCommands)))]
pub async fn list_legal_commands(
    state: web::Data<State>,
    id: GameId,
    query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let caller = caller.anyone()?;
    Ok(private(&state.service.legal_commands(id.0, caller.as_ref()).await?))
}

/// Send a command
#[utoipa::path(post, path = "/v1/games/{id}/commands", tag = "play", security(("token" = [])), params(("id" = Uuid, Path)),
    request_body = NewCommand,
    responses((status = 201, description = "What it did", body = CommandDone),
        (status = 200, description = "A dry run: the command would be accepted", body = LegalNow)))]
pub async fn send_command(
    state: web::Data<State>,
    request: HttpRequest,
    id: GameId,
    body: Json,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let command = Command::read(&body.value).map_err(ServiceError::from)?;
    let player = caller.player()?;
    let service = &state.service;
    if command.dry_run {
        service.try_command(id.0, &player, &command).await?;
        return Ok(private(&LegalNow { legal: true }));
    }
    let act =
        async |turn: Option<&crate::service::Turn<'_>>| service.command(id.0, &player, &command, turn).await;
    once::write(&state, &request, &player, &body.bytes, StatusCode::CREATED, act).await
}

/// What happened, entry by entry, as the caller may see it
#[utoipa::path(get, path = "/v1/games/{id}/events", tag = "play", security((), ("token" = [])),
    params(("id" = Uuid, Path),
        ("after" = Option<i64>, Query, description = "Only what happened after this entry; -1 or nothing for all", minimum = -1, maximum = 9_007_199_254_740_991_i64),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100)),
    responses((status = 200, description = "A page; one that is shorter than its limit is the last", body = Items<Happening>)))]
pub async fn list_events(
    state: web::Data<State>,
    id: GameId,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let (after, limit) = (query.after()?, query.limit()?);
    query.end()?;
    let caller = caller.anyone()?;
    Ok(private(&state.service.events(id.0, caller.as_ref(), after, limit).await?))
}
