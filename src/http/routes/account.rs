//! The caller's own account: its name, its tokens, and how it is brought back.

use std::rc::Rc;

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        request::{Caller, Id, Member, Open, Query, Sent},
        response::private,
        state::State,
    },
    service::{
        ServiceError, Session,
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
pub async fn rename(sent: Sent<NewPlayer>) -> Result<HttpResponse, Problem> {
    let rename =
        async |state: &State, session: &Session, new, _| state.service.rename(&session.player, new).await;
    sent.once(StatusCode::OK, rename).await
}

/// Leave for good
///
/// The name becomes null everywhere, and all tokens and codes end. Open tables are left, tables that wait for promised bytes
/// become void, and running games are resigned. The logs keep the id, which then means nobody.
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me", tag = "account", security(("token" = ["account"])),
    responses((status = 204, description = "The player is gone"))))]
pub async fn leave_for_good(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.leave_for_good(&session.player).await).await
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
pub async fn make_token(sent: Sent<TokenOrder>) -> Result<HttpResponse, Problem> {
    let make = async |state: &State, session: &Session, order| state.service.make_token(session, order).await;
    sent.secret(StatusCode::CREATED, make).await
}

/// End a token
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/tokens/{id}", tag = "account", security(("token" = ["account"])), params(("id" = Uuid, Path)),
    responses((status = 204, description = "The token has ended"))))]
pub async fn end_token(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.end_token(session, id.0).await).await
}

/// Take a new token in place of this one
///
/// The old one lives until the new one is used for the first time: if the answer is lost, ask again.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/token", tag = "account", security(("token" = ["account"])),
    responses((status = 200, description = "The new token", body = NewTokenView))))]
pub async fn renew_token(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let renew = async |state: &State, session: &Session, _| state.service.renew_token(session).await;
    sent.secret(StatusCode::OK, renew).await
}

/// Take a new recovery code
///
/// The one from before is good for nothing from here on. Players from before there were such codes get theirs here. It brings a token that
/// may do all and never ends, and only such a token may ask for it.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/recovery", tag = "account", security(("token" = ["account"])),
    responses((status = 200, description = "The new code", body = NewRecoveryView))))]
pub async fn renew_recovery(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let renew = async |state: &State, session: &Session, _| state.service.renew_recovery(session).await;
    sent.secret(StatusCode::OK, renew).await
}

/// Bring an account back
///
/// Every token from before ends. The code is good until the new token, or the new code, is used for the first time: if the
/// answer is lost, send it again.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/recoveries", tag = "account", request_body = RecoveryCode,
    responses((status = 200, description = "A new token and a new code", body = RecoveredView))))]
pub async fn recover(sent: Open<RecoveryCode>) -> Result<HttpResponse, Problem> {
    let purse = Rc::clone(&sent.purse);
    let recover = async |state: &State, code| state.service.recover(&code).await;
    purse.try_code(sent.secret(StatusCode::OK, recover)).await
}

/// Let another device in
///
/// The code is good once, for ten minutes, and takes the place of an earlier one.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/links", tag = "account", security(("token" = ["account"])),
    responses((status = 201, description = "The code, for `POST /v1/sessions`", body = LinkView))))]
pub async fn link(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let link = async |state: &State, session: &Session, _| state.service.link(session).await;
    sent.secret(StatusCode::CREATED, link).await
}

/// Use the code of another device
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/sessions", tag = "account", request_body = SessionCode,
    responses((status = 201, description = "A token of its own", body = NewSessionView))))]
pub async fn open_session(sent: Open<SessionCode>) -> Result<HttpResponse, Problem> {
    let purse = Rc::clone(&sent.purse);
    let open = async |state: &State, code| state.service.open_session(&code).await;
    purse.try_code(sent.secret(StatusCode::CREATED, open)).await
}

/// Take a ticket for a stream
///
/// It stands for the token of this request, in the query of one stream: `?ticket=`. It is good once, for a minute.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/streams/tickets", tag = "account", security(("token" = ["read"])),
    responses((status = 201, description = "The ticket", body = TicketView))))]
pub async fn give_ticket(caller: Caller, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let token = caller.token().ok_or(ServiceError::NoToken)?;
    let give = async |state: &State, _: &Session, _| state.service.give_ticket(token).await;
    sent.secret(StatusCode::CREATED, give).await
}
