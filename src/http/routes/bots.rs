//! Bots.

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        request::{Authenticated, Caller, Id, Idempotent, Query},
        response::{located, private},
        state::State,
    },
    service::{
        Session,
        offer::BotOffer,
        reading::{game_view::GameWithReceipt, page::Page, profile::BotView},
        request::Nothing,
        tables::{Act, new_table::AddBot},
    },
};

/// Add a bot
///
/// Seats a built-in bot (by `level`) or invites an external bot (by `name`). Host only, while the table
/// is open. An external bot is notified (`invitation` in `/v1/me/events`) and joins if it wants to.
/// Built-in bots know only what their seat sees: they search on cards dealt again from that knowledge.
#[endpoint(
    POST "/v1/games/{id}/bots", tag = "games", token(play), request_body = AddBot,
    responses((status = 201, description = "The game", body = GameWithReceipt)),
    problems(NOT_HOST, GAME_NOT_OPEN, SEAT_TAKEN, BOT_REFUSES, TOO_MANY_CHANGES)
)]
pub async fn add_bot(id: Id, sent: Idempotent<AddBot>) -> Result<HttpResponse, Problem> {
    let response = sent.carry_out(StatusCode::CREATED, |new| Act::AddBot(id.0, new)).await?;
    Ok(located(response, &format!("/v1/games/{}", id.0)))
}

/// Remove a built-in bot
///
/// Frees the seat of a built-in bot. Host only, while the table is open.
#[endpoint(
    DELETE "/v1/games/{id}/bots/{seat}", tag = "games", token(play),
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_HOST, GAME_NOT_OPEN)
)]
pub async fn remove_bot(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let seat = path.1.parse().unwrap_or(u64::MAX);
    sent.carry_out(StatusCode::OK, |_| Act::RemoveBot(id.0, seat)).await
}

/// List bots
///
/// Returns built-in bots with their levels, and external bots with the games they accept. People are not
/// listed.
#[endpoint(
    GET "/v1/bots", tag = "players", optional_token(read), params(crate::service::reading::page::Window),
    responses((status = 200, description = "A page of bots", body = Page<BotView>))
)]
pub async fn list_bots(
    state: web::Data<State>,
    mut query: Query,
    _caller: Caller,
) -> Result<HttpResponse, Problem> {
    let window = query.window();
    query.end()?;
    private(&state.service.reading.bots(&window).await?)
}

/// Get your bot registration
///
/// Returns the games that the caller accepts as a bot. Fails with `not_found` if the account is not a bot.
#[endpoint(
    GET "/v1/me/bot", tag = "account", token(account),
    responses((status = 200, description = "Games that the bot accepts", body = BotOffer)),
    problems(NOT_FOUND)
)]
pub async fn get_bot(
    state: web::Data<State>,
    member: Authenticated,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.accounts.offer(&member.0.player).await?)
}

/// Register as a bot
///
/// Marks the caller's account as a bot and says which games it accepts. The account is shown as `bot` and
/// can be invited by its name, which no other bot may have. Repeat the request to change what it accepts.
#[endpoint(
    PUT "/v1/me/bot", tag = "account", token(account), request_body = BotOffer,
    responses((status = 200, description = "Games that the bot accepts", body = BotOffer)), problems(NAME_TAKEN)
)]
pub async fn register_bot(sent: Idempotent<BotOffer>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, offer: BotOffer, _| {
        state.service.accounts.set_offer(&session.player, Some(&offer)).await?;
        Ok(offer)
    };
    sent.once(StatusCode::OK, put).await
}

/// Unregister as a bot
///
/// Marks the caller's account as a person again. It can no longer be invited by name.
#[endpoint(
    DELETE "/v1/me/bot", tag = "account", token(account),
    responses((status = 204, description = "The account is not a bot any more"))
)]
pub async fn unregister_bot(sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.accounts.set_offer(&session.player, None).await).await
}
