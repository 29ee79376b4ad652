//! The caller's own account: its name, its tokens, and how it is brought back.

use std::rc::Rc;

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        request::{Authenticated, Caller, Id, Idempotent, Open, OwnToken, Query},
        response::{located, private},
        state::State,
    },
    ledger::seat_key::SeatKey,
    service::{
        ServiceError, Session,
        accounts::{
            DeviceView, LinkView, NewDevice, NewLink, NewName, NewRecoveryView, NewSessionView, NewTokenView,
            PlayerView, RecoveredView, RecoveryCode, SessionCode, TicketView, TokenOrder, TokenView,
        },
        reading::page::Page,
        request::{Nothing, OptionalBody},
    },
};

/// Get your account
///
/// Returns the player to whom the token belongs.
#[endpoint(
    GET "/v1/me", tag = "account", token(), suspended_too(),
    responses((status = 200, description = "The player", body = PlayerView))
)]
pub async fn get_me(query: Query, member: Authenticated) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&PlayerView::from(&member.0.player))
}

/// Change your name
///
/// Changes the caller's name. Fails with `name_taken` if the caller is a bot and another bot has the
/// name.
#[endpoint(
    PATCH "/v1/me", tag = "account", token(account), request_body = NewName,
    responses((status = 200, description = "The player", body = PlayerView)), problems(NAME_TAKEN)
)]
pub async fn update_me(sent: Idempotent<NewName>) -> Result<HttpResponse, Problem> {
    let rename = async |state: &State, session: &Session, new, _| {
        state.service.accounts.rename(&session.player, new).await
    };
    sent.once(StatusCode::OK, rename).await
}

/// Delete your account
///
/// Deletes the caller's account. Its name becomes `null` everywhere, and all tokens and codes stop
/// working. Open games are left, sealed games become void, and running games are resigned. The logs keep
/// the player id, which then refers to no player. This cannot be undone.
#[endpoint(
    DELETE "/v1/me", tag = "account", token(account), suspended_too(),
    responses((status = 204, description = "The account is deleted"))
)]
pub async fn delete_me(_: OwnToken, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.tables.leave_for_good(&session.player).await).await
}

/// List your tokens
///
/// Returns the caller's active tokens, oldest first. Their secrets are not shown.
#[endpoint(
    GET "/v1/me/tokens", tag = "account", token(account), params(crate::service::reading::page::Window),
    responses((status = 200, description = "A page of tokens", body = Page<TokenView>))
)]
pub async fn list_tokens(
    state: web::Data<State>,
    mut query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    let window = query.window();
    query.end()?;
    private(&state.service.accounts.tokens(&member.0, &window).await?)
}

/// Address of a new token.
const TOKEN: &str = "/v1/me/tokens/{/id}";

/// Get a token
///
/// Returns an active token of the caller, without its secret.
#[endpoint(
    GET "/v1/me/tokens/{id}", tag = "account", token(account),
    responses((status = 200, description = "The token", body = TokenView))
)]
pub async fn get_token(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.accounts.token(&member.0, id.0).await?)
}

/// Create a token
///
/// Creates a token for another program or person. It cannot do more than the token that creates it. Its
/// secret is shown only once.
#[endpoint(
    POST "/v1/me/tokens", tag = "account", token(account), request_body = TokenOrder,
    responses((status = 201, description = "The new token", body = NewTokenView)),
    problems(NOT_FOUND, TOO_MANY_TOKENS)
)]
pub async fn create_token(_: OwnToken, sent: Idempotent<TokenOrder>) -> Result<HttpResponse, Problem> {
    let make = async |state: &State, session: &Session, order| {
        state.service.accounts.make_token(session, order).await
    };
    Ok(located(sent.secret(StatusCode::CREATED, make).await?, TOKEN))
}

/// Revoke a token
///
/// Revokes a token of the caller. Answers 204 even if it revokes the token of this request.
#[endpoint(
    DELETE "/v1/me/tokens/{id}", tag = "account", token(account),
    responses((status = 204, description = "The token is revoked"))
)]
pub async fn revoke_token(_: OwnToken, id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.accounts.end_token(session, id.0).await).await
}

/// Rotate this token
///
/// Returns a new token that replaces the one of this request. The old token works until the new one is
/// first used, so a lost answer does no harm: ask again.
#[endpoint(
    POST "/v1/me/token", tag = "account", token(account),
    responses((status = 201, description = "The new token", body = NewTokenView))
)]
pub async fn rotate_token(_: OwnToken, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let renew = async |state: &State, session: &Session, _| state.service.accounts.renew_token(session).await;
    Ok(located(sent.secret(StatusCode::CREATED, renew).await?, TOKEN))
}

/// Replace your recovery code
///
/// Returns a new recovery code and ends the old one. Requires a token with all scopes and without an
/// expiry.
#[endpoint(
    POST "/v1/me/recovery", tag = "account", token(account),
    responses((status = 200, description = "The new code", body = NewRecoveryView))
)]
pub async fn replace_recovery_code(_: OwnToken, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let renew =
        async |state: &State, session: &Session, _| state.service.accounts.renew_recovery(session).await;
    sent.secret(StatusCode::OK, renew).await
}

/// Recover an account
///
/// Exchanges a recovery code for a new token and a new code, and ends all earlier tokens. The code works
/// until the new token or the new code is first used, so a lost answer does no harm: send it again.
#[endpoint(
    POST "/v1/recoveries", tag = "account", request_body = RecoveryCode,
    responses((status = 200, description = "A new token and a new recovery code", body = RecoveredView)),
    problems(INVALID_CODE)
)]
pub async fn recover_account(sent: Open<RecoveryCode>) -> Result<HttpResponse, Problem> {
    let payer_budget = Rc::clone(&sent.payer_budget);
    let recover = async |state: &State, code| state.service.accounts.recover(&code).await;
    payer_budget.try_code(sent.secret(StatusCode::OK, recover)).await
}

/// Create a code for another device
///
/// Returns a code that signs another device in to this account (`POST /v1/sessions`). It works once,
/// within ten minutes, and replaces an earlier one.
#[endpoint(
    POST "/v1/me/links", tag = "account", token(account), request_body = Option<NewLink>,
    responses((status = 200, description = "The code", body = LinkView))
)]
pub async fn create_link(
    _: OwnToken,
    sent: Idempotent<OptionalBody<NewLink>>,
) -> Result<HttpResponse, Problem> {
    let link = async |state: &State, session: &Session, OptionalBody(sent): OptionalBody<NewLink>| {
        state.service.accounts.link(session, &sent).await
    };
    sent.secret(StatusCode::OK, link).await
}

/// Sign in with a code
///
/// Exchanges the code of another device (`POST /v1/me/links`) for a token with all scopes.
#[endpoint(
    POST "/v1/sessions", tag = "account", request_body = SessionCode,
    responses((status = 200, description = "The token", body = NewSessionView)),
    problems(INVALID_CODE, TOO_MANY_TOKENS)
)]
pub async fn create_session(sent: Open<SessionCode>) -> Result<HttpResponse, Problem> {
    let payer_budget = Rc::clone(&sent.payer_budget);
    let open = async |state: &State, code| state.service.accounts.open_session(&code).await;
    payer_budget.try_code(sent.secret(StatusCode::OK, open)).await
}

/// List your devices
///
/// Returns the device statements of the caller, the oldest first. A statement that lacks a signature waits
/// for the other device, for ten minutes.
#[endpoint(
    GET "/v1/me/devices", tag = "account", token(account),
    responses((status = 200, description = "The statements", body = Page<DeviceView>))
)]
pub async fn list_devices(
    state: web::Data<State>,
    query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.accounts.devices(&member.0.player).await?)
}

/// Link a device
///
/// Stores a statement that two keys belong to the caller, signed by both. The server attaches it to moves
/// that the new device signs in games of the other one. Send the same keys again to add the missing
/// signature.
#[endpoint(
    POST "/v1/me/devices", tag = "account", token(account), request_body = NewDevice,
    responses((status = 200, description = "All statements", body = Page<DeviceView>)), problems(TOO_MANY_DEVICES)
)]
pub async fn link_device(_: OwnToken, sent: Idempotent<NewDevice>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, device, _| {
        state.service.accounts.put_device(&session.player, device).await
    };
    sent.once(StatusCode::OK, put).await
}

/// Remove a device
///
/// Removes all statements that name the key. Revoke the key in each running game too
/// (`POST /v1/games/{id}/revocations`).
#[endpoint(
    DELETE "/v1/me/devices/{key}", tag = "account", token(account),
    params(("key" = String, Path, description = "Public key of the device.", pattern = "^[0-9a-f]{64}$")),
    responses((status = 204, description = "The statements are removed")), problems(NOT_FOUND)
)]
pub async fn remove_device(
    _: OwnToken,
    path: web::Path<String>,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let key: SeatKey = path.parse().map_err(|_| ServiceError::NotFound)?;
    sent.end(async |state, session, _| state.service.accounts.drop_device(&session.player, &key).await).await
}

/// Create a stream ticket
///
/// Returns a ticket that replaces the token in the query of one stream (`?ticket=`), because
/// `EventSource` cannot send headers. It works once, within a minute, and then for reconnects of that
/// stream.
#[endpoint(
    POST "/v1/streams/tickets", tag = "account", token(read),
    responses((status = 200, description = "The ticket", body = TicketView))
)]
pub async fn create_stream_ticket(
    caller: Caller,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let token = caller.token().ok_or(ServiceError::NoToken)?;
    let give = async |state: &State, _: &Session, _| state.service.accounts.give_ticket(token).await;
    sent.secret(StatusCode::OK, give).await
}
