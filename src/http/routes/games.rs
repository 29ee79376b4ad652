//! Games before they start.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use uuid::Uuid;

use super::{private, written};
use crate::{
    engine::Fields,
    http::{
        app::State,
        idempotency,
        problem::Problem,
        request::{Caller, GameId, Json, NoBody, Query},
    },
    rulesets::{AnyOptions, RulesetId, RulesetName},
    service::{
        ServiceError,
        listing::Listing,
        new_table::{Join, NewTable, read_bytes},
        page::Page,
        resource::{ClockView, GameView, GameWithReceipt, StatusView, VisibilityView},
    },
    store::Status,
};

#[derive(utoipa::ToSchema)]
#[schema(example = json!({"ruleset": "industrial-waste", "seats": 3, "options": {"max_rounds": 20}, "title": "Friday"}))]
#[allow(dead_code, reason = "describes a request")]
pub struct NewGame {
    ruleset: RulesetName,
    #[schema(minimum = 2, maximum = 4)]
    seats: u8,
    /// Those that are left out have their defaults.
    options: Option<AnyOptions>,
    #[schema(max_length = 100)]
    title: Option<String>,
    #[schema(inline)]
    visibility: Option<VisibilityView>,
    #[schema(inline)]
    clock: Option<ClockView>,
    /// SHA-256 commitment to 32 secret bytes (fairlog/1).
    #[schema(pattern = "^[0-9a-f]{64}$")]
    entropy_commit: Option<String>,
}

#[derive(utoipa::ToSchema)]
#[schema(example = json!({"entropy_commit": "ded2d01ff92ec4fd4b6e06a0e9ae3a4fd4b97e2bbf0b8f1a44d4c3f65b2de5a5"}))]
#[allow(dead_code, reason = "describes a request")]
pub struct NewSeat {
    invite: Option<String>,
    #[schema(pattern = "^[0-9a-f]{64}$")]
    entropy_commit: Option<String>,
}

#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "describes a request")]
pub struct Reveal {
    /// The 32 bytes that were promised.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    entropy: String,
}

/// Public games, newest first
#[utoipa::path(get, path = "/v1/games", tag = "games", security((), ("token" = [])),
    params(
        ("status" = Option<StatusView>, Query, description = "Only games of this status"),
        ("ruleset" = Option<RulesetName>, Query, description = "Only games of this ruleset"),
        ("player" = Option<Uuid>, Query, description = "Only games at which this player sits"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, pattern = "^[0-9a-f]{32}$", description = "From `next_cursor` of the page before"),
    ),
    responses((status = 200, description = "A page of games", body = Page<GameView>)))]
pub async fn list_games(
    state: web::Data<State>,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let ruleset = query.word("ruleset", |word| RulesetId::current(word).map(|id| id.name().to_owned()))?;
    let listing = Listing {
        status: query.word("status", Status::from_word)?,
        ruleset,
        player: query.word("player", |word| Uuid::try_parse(word).ok())?,
        cursor: query.text("cursor"),
        limit: query.limit()?,
    };
    query.end()?;
    let caller = caller.anyone()?;
    private(&state.service.games(&listing, caller.as_ref()).await?)
}

/// Create a game
///
/// The creator takes seat 0.
#[utoipa::path(post, path = "/v1/games", tag = "games", security(("token" = [])), request_body = NewGame,
    responses((status = 201, description = "The game", body = GameWithReceipt,
        headers(("Location" = String, description = "The path of the game")))))]
pub async fn create_game(
    state: web::Data<State>,
    request: HttpRequest,
    body: Json,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let new = NewTable::read(&body.value).map_err(ServiceError::from)?;
    let player = caller.player()?;
    let service = &state.service;
    let act = async |turn: Option<&crate::service::Turn<'_>>| service.create_game(&player, new, turn).await;
    idempotency::write_at(&state, &request, &player, &body.bytes, act).await
}

/// The game resource
#[utoipa::path(get, path = "/v1/games/{id}", tag = "games", security((), ("token" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameView)))]
pub async fn get_game(
    state: web::Data<State>,
    id: GameId,
    query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let caller = caller.anyone()?;
    private(&state.service.game(id.0, caller.as_ref()).await?)
}

/// Take the lowest free seat
///
/// The game starts when the last seat is taken and all promised entropy is revealed.
#[utoipa::path(post, path = "/v1/games/{id}/seats", tag = "games", security(("token" = [])), params(("id" = Uuid, Path)),
    request_body = NewSeat, responses((status = 201, description = "The game", body = GameWithReceipt)))]
pub async fn join(
    state: web::Data<State>,
    request: HttpRequest,
    id: GameId,
    body: Json,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let join = Join::read(&body.value).map_err(ServiceError::from)?;
    let player = caller.player()?;
    let service = &state.service;
    let act = async |turn: Option<&crate::service::Turn<'_>>| service.join(id.0, &player, join, turn).await;
    idempotency::write(&state, &request, &player, &body.bytes, StatusCode::CREATED, act).await
}

/// Leave, while the game is open
#[utoipa::path(delete, path = "/v1/games/{id}/seats/mine", tag = "games", security(("token" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn leave(
    state: web::Data<State>,
    id: GameId,
    _body: NoBody,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let done = state.service.leave(id.0, &caller.player()?).await?;
    Ok(written(StatusCode::OK, done.into_json()))
}

/// Call an open game off
#[utoipa::path(delete, path = "/v1/games/{id}", tag = "games", security(("token" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game, void", body = GameWithReceipt)))]
pub async fn call_off(
    state: web::Data<State>,
    id: GameId,
    _body: NoBody,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let done = state.service.call_off(id.0, &caller.player()?).await?;
    Ok(written(StatusCode::OK, done.into_json()))
}

/// Reveal the bytes that were promised at the join
#[utoipa::path(post, path = "/v1/games/{id}/entropy", tag = "games", security(("token" = [])), params(("id" = Uuid, Path)),
    request_body = Reveal, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn reveal_entropy(
    state: web::Data<State>,
    request: HttpRequest,
    id: GameId,
    body: Json,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::of(&body.value, "").map_err(ServiceError::from)?;
    let entropy = read_bytes(&mut fields, "entropy").map_err(ServiceError::from)?;
    fields.end().map_err(ServiceError::from)?;
    let player = caller.player()?;
    let service = &state.service;
    let act =
        async |turn: Option<&crate::service::Turn<'_>>| service.reveal(id.0, &player, entropy, turn).await;
    idempotency::write(&state, &request, &player, &body.bytes, StatusCode::OK, act).await
}

/// Resign
///
/// The autopilot plays the seat to the end. It cannot be taken back.
#[utoipa::path(post, path = "/v1/games/{id}/resignation", tag = "games", security(("token" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn resign(
    state: web::Data<State>,
    request: HttpRequest,
    id: GameId,
    _body: NoBody,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let player = caller.player()?;
    let service = &state.service;
    let act = async |turn: Option<&crate::service::Turn<'_>>| service.resign(id.0, &player, turn).await;
    idempotency::write(&state, &request, &player, &[], StatusCode::OK, act).await
}

/// Take the seat back from the autopilot
///
/// It has a seat after three missed deadlines. A command of the player's takes the seat back as well, but in some games the
/// autopilot leaves no moment for one.
#[utoipa::path(post, path = "/v1/games/{id}/resumption", tag = "games", security(("token" = [])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn resume(
    state: web::Data<State>,
    request: HttpRequest,
    id: GameId,
    _body: NoBody,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let player = caller.player()?;
    let service = &state.service;
    let act = async |turn: Option<&crate::service::Turn<'_>>| service.resume(id.0, &player, turn).await;
    idempotency::write(&state, &request, &player, &[], StatusCode::OK, act).await
}
