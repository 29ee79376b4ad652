//! Somebody to play with.

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        request::{Id, Sent},
    },
    service::{
        act::{Act, new_table::AddMachine},
        read::game_view::GameWithReceipt,
        request::Nothing,
    },
};

/// Fill a free seat with a player of the server's own
///
/// For the host of an open table. A machine knows no more than its seat does: it thinks about cards that were dealt anew from what the seat sees.
#[utoipa::path(post, path = "/v1/games/{id}/bots", tag = "games", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = AddMachine, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn add_bot(id: Id, sent: Sent<AddMachine>) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |new| Act::AddMachine(id.0, new)).await?.response)
}

/// Send a player of the server's own away
///
/// For the host, while the table is open.
#[utoipa::path(delete, path = "/v1/games/{id}/bots/{seat}", tag = "games", security(("token" = ["play"])),
    params(("id" = Uuid, Path), ("seat" = u8, Path, maximum = 3)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn remove_bot(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Sent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let seat = path.1.parse().unwrap_or(u64::MAX);
    Ok(sent.carry_out(StatusCode::OK, |_| Act::RemoveMachine(id.0, seat)).await?.response)
}
