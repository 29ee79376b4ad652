//! The caller's own account: its name, its tokens, and how it is brought back.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use serde::Serialize;

use crate::{
    http::{
        problem::Problem,
        purse::Purse,
        request::{Body, Caller, Id, Member, Query, Sent},
        response::private,
        state::State,
    },
    service::{
        ServiceError,
        act::accounts::{
            LinkView, NewPlayer, NewRecoveryView, NewSessionView, NewTokenView, PlayerView, RecoveredView,
            RecoveryCode, SessionCode, TicketView, TokenOrder, TokensView,
        },
        request::Nothing,
    },
};

/// The player whose token it is
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/me", tag = "account", security(("token" = [])),
    responses((status = 200, description = "The player", body = PlayerView))))]
pub async fn me(query: Query, member: Member) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&PlayerView::from(&member.0.player))
}

/// Take another name
#[cfg_attr(feature = "openapi", utoipa::path(patch, path = "/v1/me", tag = "account", security(("token" = ["account"])), request_body = NewPlayer,
    responses((status = 200, description = "The player", body = PlayerView))))]
pub async fn rename(
    state: web::Data<State>,
    member: Member,
    body: Body<NewPlayer>,
) -> Result<HttpResponse, Problem> {
    private(&state.service.rename(&member.0.player, body.value).await?)
}

/// Leave for good
///
/// The name becomes null everywhere, and all tokens and codes end. Open tables are left, tables that wait for promised bytes
/// become void, and running games are resigned. The logs keep the id, which then means nobody.
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me", tag = "account", security(("token" = ["account"])),
    responses((status = 204, description = "The player is gone"))))]
pub async fn leave_for_good(
    state: web::Data<State>,
    member: Member,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    state.service.leave_for_good(&member.0.player).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The tokens of the player, the oldest first
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/me/tokens", tag = "account", security(("token" = ["account"])),
    params(crate::service::read::page::Window),
    responses((status = 200, description = "The tokens that have not ended", body = TokensView))))]
pub async fn list_tokens(
    state: web::Data<State>,
    mut query: Query,
    member: Member,
) -> Result<HttpResponse, Problem> {
    let window = query.window()?;
    query.end()?;
    private(&state.service.tokens(&member.0, &window).await?)
}

/// Make a token for another program or person
///
/// It can do no more than the token that makes it. It is shown this once.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/tokens", tag = "account", security(("token" = ["account"])), request_body = TokenOrder,
    responses((status = 201, description = "The new token", body = NewTokenView))))]
pub async fn make_token(
    state: web::Data<State>,
    member: Member,
    body: Body<TokenOrder>,
) -> Result<HttpResponse, Problem> {
    Ok(secret(StatusCode::CREATED, &state.service.make_token(&member.0, body.value).await?))
}

/// End a token
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/tokens/{id}", tag = "account", security(("token" = ["account"])), params(("id" = Uuid, Path)),
    responses((status = 204, description = "The token has ended"))))]
pub async fn end_token(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session| state.service.end_token(session, id.0).await).await
}

/// Take a new token in place of this one
///
/// The old one lives until the new one is used for the first time: if the answer is lost, ask again.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/token", tag = "account", security(("token" = ["account"])),
    responses((status = 200, description = "The new token", body = NewTokenView))))]
pub async fn renew_token(
    state: web::Data<State>,
    member: Member,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    Ok(secret(StatusCode::OK, &state.service.renew_token(&member.0).await?))
}

/// Take a new recovery code
///
/// The one from before is good for nothing from here on. Players from before there were such codes get theirs here. It brings a token that
/// may do all and never ends, and only such a token may ask for it.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/recovery", tag = "account", security(("token" = ["account"])),
    responses((status = 200, description = "The new code", body = NewRecoveryView))))]
pub async fn renew_recovery(
    state: web::Data<State>,
    member: Member,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    Ok(secret(StatusCode::OK, &state.service.renew_recovery(&member.0).await?))
}

/// Bring an account back
///
/// Every token from before ends. The code is good until the new token, or the new code, is used for the first time: if the
/// answer is lost, send it again.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/recoveries", tag = "account", request_body = RecoveryCode,
    responses((status = 200, description = "A new token and a new code", body = RecoveredView))))]
pub async fn recover(
    state: web::Data<State>,
    request: HttpRequest,
    body: Body<RecoveryCode>,
) -> Result<HttpResponse, Problem> {
    let recovered = Purse::of(&request)?.try_code(state.service.recover(&body.value)).await?;
    Ok(secret(StatusCode::OK, &recovered))
}

/// Let another device in
///
/// The code is good once, for ten minutes, and takes the place of an earlier one.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/links", tag = "account", security(("token" = ["account"])),
    responses((status = 201, description = "The code, for `POST /v1/sessions`", body = LinkView))))]
pub async fn link(
    state: web::Data<State>,
    member: Member,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    Ok(secret(StatusCode::CREATED, &state.service.link(&member.0).await?))
}

/// Use the code of another device
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/sessions", tag = "account", request_body = SessionCode,
    responses((status = 201, description = "A token of its own", body = NewSessionView))))]
pub async fn open_session(
    state: web::Data<State>,
    request: HttpRequest,
    body: Body<SessionCode>,
) -> Result<HttpResponse, Problem> {
    let session = Purse::of(&request)?.try_code(state.service.open_session(&body.value)).await?;
    Ok(secret(StatusCode::CREATED, &session))
}

/// Take a ticket for a stream
///
/// It stands for the token of this request, in the query of one stream: `?ticket=`. It is good once, for a minute.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/streams/tickets", tag = "account", security(("token" = ["read"])),
    responses((status = 201, description = "The ticket", body = TicketView))))]
pub async fn give_ticket(
    state: web::Data<State>,
    caller: Caller,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let token = caller.token().ok_or(ServiceError::NoToken)?;
    Ok(secret(StatusCode::CREATED, &state.service.give_ticket(token).await?))
}

/// An answer that nobody keeps on its way.
fn secret(status: StatusCode, shown: &impl Serialize) -> HttpResponse {
    HttpResponse::build(status).insert_header(("Cache-Control", "no-store")).json(shown)
}
