//! Somebody to play with.

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        request::{Id, Sent},
        state::State,
    },
    service::{
        Session,
        act::{Act, new_table::AddBot},
        offer::Offer,
        read::game_view::GameWithReceipt,
        request::Nothing,
    },
};

/// Fill a free seat with a player of the server's own, or ask somebody's program to it
///
/// For the host of an open table. A program is told (`invitation` on `/v1/me/events`) and comes if it wants to; what it takes part in, `GET /v1/players?bot=true` says. A machine knows no more than its seat does: it thinks about cards that were dealt anew from what the seat sees.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/bots", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = AddBot, responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn add_bot(id: Id, sent: Sent<AddBot>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |new| Act::AddBot(id.0, new)).await?.response)
}

/// Send a player of the server's own away
///
/// For the host, while the table is open.
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/games/{id}/bots/{seat}", tag = "games", security(("token" = ["play"])),
    params(("id" = Uuid, Path), ("seat" = u8, Path, maximum = 3)),
    responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn remove_bot(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Sent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let seat = path.1.parse().unwrap_or(u64::MAX);
    Ok(sent.carry_out(StatusCode::OK, |_| Act::RemoveBot(id.0, seat)).await?.response)
}

/// Be a program
///
/// The player says that no person plays, and what it takes part in; it is marked `bot` from here on, and can be invited by its name, which no
/// other program may have.
#[cfg_attr(feature = "openapi", utoipa::path(put, path = "/v1/me/bot", tag = "account", security(("token" = ["account"])), request_body = Offer,
    responses((status = 200, description = "What it takes part in", body = Offer))))]
pub async fn put_offer(sent: Sent<Offer>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, offer: Offer, _| {
        state.service.set_offer(&session.player, Some(&offer)).await?;
        Ok(offer)
    };
    sent.once(StatusCode::OK, put).await
}

/// Be a person again
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/bot", tag = "account", security(("token" = ["account"])),
    responses((status = 204, description = "It is no program any more"))))]
pub async fn drop_offer(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.set_offer(&session.player, None).await).await
}
