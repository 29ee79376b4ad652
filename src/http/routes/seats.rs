//! Seats of running games: given up, taken back, paused, signed for, and what they take back.

use actix_web::{HttpResponse, http::StatusCode};

use crate::{
    http::{
        problem::Problem,
        request::{Id, Sent},
    },
    ledger::entry::Op,
    service::{
        act::{
            Act,
            seat_control::{Consent, NewKeys, NewTakeback, SeatAct},
        },
        read::game_view::GameWithReceipt,
        request::{Nothing, Perhaps},
    },
};

/// Resign
///
/// The seat goes to the autopilot, for good unless the table takes substitutes, and comes in behind all who did not resign.
/// With one seat left that has not, the game ends at once.
#[utoipa::path(post, path = "/v1/games/{id}/resignation", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn resign(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Resign, consent)).await
}

/// Take the seat back from the autopilot
///
/// It has a seat after three missed deadlines. A command of the player's takes the seat back as well, but in some games the
/// autopilot leaves no moment for one.
#[utoipa::path(post, path = "/v1/games/{id}/resumption", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn resume(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Resume, consent)).await
}

/// Ask for a pause
///
/// The game is paused while all who play ask for it: no time runs then, and nobody moves.
#[utoipa::path(post, path = "/v1/games/{id}/pauses", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn ask_for_pause(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Pause, consent)).await
}

/// Ask for a pause no more
///
/// One such wish ends a pause for all.
#[utoipa::path(post, path = "/v1/games/{id}/continuations", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn go_on(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Continue, consent)).await
}

/// Change the keys of the seat
///
/// From here on it signs with these. Read them in the log before you sign with them. A plan of the seat ends.
#[utoipa::path(put, path = "/v1/games/{id}/keys", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = NewKeys, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn put_keys(id: Id, sent: Sent<NewKeys>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, SeatAct::from).await
}

/// Give the keys of the seat up
///
/// For who has lost them. The log says from here on that the server alone vouches for the seat, also for keys that it is given
/// later.
#[utoipa::path(delete, path = "/v1/games/{id}/keys", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn give_up_keys(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |_| SeatAct::Sys(Op::Unkey, None)).await
}

/// Take back what the seat did of its own decision
///
/// If the table was opened with takebacks, while nothing was drawn or shown and nobody else decided: the view says to which
/// entries (`takeback`). Nothing leaves the log, and no time is won.
#[utoipa::path(post, path = "/v1/games/{id}/takebacks", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = NewTakeback, responses((status = 200, description = "The game", body = GameWithReceipt)))]
pub async fn take_back(id: Id, sent: Sent<NewTakeback>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, SeatAct::from).await
}

async fn on_seat<T>(id: Id, sent: Sent<T>, act: impl FnOnce(T) -> SeatAct) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |sent| Act::Seat(id.0, act(sent))).await?.response)
}
