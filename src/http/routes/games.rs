//! Tables: listed, created, joined, left; and seats given up or taken back.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, http::header, web};

use crate::{
    http::{
        problem::Problem,
        purse::{Purse, too_many},
        request::{Caller, Done, Id, Query, Sent},
        response::{private, private_aside},
        state::State,
    },
    rulesets::RulesetName,
    service::{
        ServiceError,
        act::{
            Act,
            new_table::{Join, NewGame, NewTable, Reveal},
        },
        read::{
            game_view::{GameView, GameWithReceipt},
            list::Listing,
            page::Page,
        },
        request::Nothing,
    },
    words::Status,
};

/// Public games, newest first
#[utoipa::path(get, path = "/v1/games", tag = "games", security((), ("token" = ["read"])),
    params(
        ("status" = Option<Status>, Query, description = "Only games of this status"),
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
    let ruleset = query.ruleset("ruleset")?;
    let listing = Listing {
        status: query.word("status", Status::WORDS)?,
        ruleset,
        player: query.id("player")?,
        cursor: query.text("cursor"),
        limit: query.limit()?,
        only: caller.only_game(),
    };
    query.end()?;
    private_aside(state.service.games(&listing, caller.player()).await?).await
}

/// Create a game
///
/// The creator takes seat 0.
#[utoipa::path(post, path = "/v1/games", tag = "games", security(("token" = ["play"])), request_body = NewGame,
    responses((status = 201, description = "The game", body = GameWithReceipt,
        headers(("Location" = String, description = "The path of the game")))))]
pub async fn create_game(request: HttpRequest, sent: Sent<NewTable>) -> Result<HttpResponse, Problem> {
    if sent.session.game.is_some() {
        return Err(ServiceError::OneGameOnly.into());
    }
    sent.state.limits.games.enter(Purse::of(&request)?.client).map_err(too_many)?;
    let create = |new| Act::Create(Box::new(new));
    let Done { mut response, game } = sent.carry_out(StatusCode::CREATED, create).await?;
    let path = game.map(|game| format!("{}/{game}", request.path()));
    if let Some(path) = path.and_then(|path| header::HeaderValue::try_from(path).ok()) {
        response.headers_mut().insert(header::LOCATION, path);
    }
    Ok(response)
}

/// The game resource
#[utoipa::path(get, path = "/v1/games/{id}", tag = "games", security((), ("token" = ["read"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameView)))]
pub async fn get_game(
    state: web::Data<State>,
    id: Id,
    query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.game(id.0, caller.player()).await?)
}

/// Take the lowest free seat
///
/// The game starts when the last seat is taken and all promised entropy is revealed.
#[utoipa::path(post, path = "/v1/games/{id}/seats", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Join, responses((status = 201, description = "The game", body = GameWithReceipt)))]
pub async fn join(id: Id, sent: Sent<Join>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::CREATED, |join| Act::Join(id.0, join)).await?.response)
}

/// Leave, while the game is open
#[utoipa::path(delete, path = "/v1/games/{id}/seats/mine", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn leave(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |_| Act::Leave(id.0)).await?.response)
}

/// Call an open game off
#[utoipa::path(delete, path = "/v1/games/{id}", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game, void", body = GameWithReceipt)))]
pub async fn call_off(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |_| Act::CallOff(id.0)).await?.response)
}

/// Reveal the bytes that were promised at the join
#[utoipa::path(post, path = "/v1/games/{id}/entropy", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Reveal, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn reveal_entropy(id: Id, sent: Sent<Reveal>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |reveal| Act::Reveal(id.0, reveal.entropy)).await?.response)
}

/// Resign
///
/// The autopilot plays the seat to the end. It cannot be taken back.
#[utoipa::path(post, path = "/v1/games/{id}/resignation", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn resign(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |_| Act::Resign(id.0)).await?.response)
}

/// Take the seat back from the autopilot
///
/// It has a seat after three missed deadlines. A command of the player's takes the seat back as well, but in some games the
/// autopilot leaves no moment for one.
#[utoipa::path(post, path = "/v1/games/{id}/resumption", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn resume(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |_| Act::Resume(id.0)).await?.response)
}
