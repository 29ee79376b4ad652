//! Seats of running games: given up, taken back, paused, signed for, and what they take back.

use actix_web::{HttpResponse, http::StatusCode, web};
use uuid::Uuid;

use crate::{
    http::{
        problem::Problem,
        request::{Id, Member, Query, Sent},
        response::private,
        state::State,
    },
    ledger::entry::Op,
    service::{
        ServiceError, Session,
        act::{
            Act,
            plan::{NewPlan, PlanView},
            seat_control::{Consent, NewKeys, NewTakeback, SeatAct},
            substitution::Substitution,
        },
        read::{game_view::GameWithReceipt, page::Page},
        request::{Nothing, Perhaps},
    },
};

/// Resign
///
/// The seat goes to the autopilot, for good unless the table takes substitutes, and comes in behind all who did not resign.
/// With one seat left that has not, the game ends at once.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/resignation", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn resign(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Resign, consent)).await
}

/// Take the seat back from the autopilot
///
/// It has a seat after three missed deadlines. A command of the player's takes the seat back as well, but in some games the
/// autopilot leaves no moment for one.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/resumption", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn resume(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Resume, consent)).await
}

/// Ask for a pause
///
/// The game is paused while all who play ask for it: no time runs then, and nobody moves.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/pauses", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn ask_for_pause(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Pause, consent)).await
}

/// Ask for a pause no more
///
/// One such wish ends a pause for all.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/continuations", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = Option<Consent>, responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn go_on(id: Id, sent: Sent<Perhaps<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |Perhaps(consent)| SeatAct::sys(Op::Continue, consent)).await
}

/// Change the keys of the seat
///
/// From here on it signs with these. Read them in the log before you sign with them. A plan of the seat ends.
#[cfg_attr(feature = "openapi", utoipa::path(put, path = "/v1/games/{id}/keys", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = NewKeys, responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn put_keys(id: Id, sent: Sent<NewKeys>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, SeatAct::from).await
}

/// Give the keys of the seat up
///
/// For who has lost them. The log says from here on that the server alone vouches for the seat, also for keys that it is given
/// later.
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/games/{id}/keys", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn give_up_keys(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |_| SeatAct::Sys(Op::Unkey, None)).await
}

/// Take back what the seat did of its own decision
///
/// If the table was opened with takebacks, while nothing was drawn or shown and nobody else decided: the view says to which
/// entries (`takeback`). Nothing leaves the log, and no time is won.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/takebacks", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = NewTakeback, responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn take_back(id: Id, sent: Sent<NewTakeback>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, SeatAct::from).await
}

/// Offer the seat to another player
///
/// If the table takes substitutes: whoever has the code may ask for the seat (`POST /v1/invites/{code}/seats`), which the caller is told of
/// (`substitution` on `/v1/me/events`), and then agrees. An earlier offer ends.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/substitutions", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 201, description = "The offer", body = Substitution))))]
pub async fn offer_seat(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let offer =
        async |state: &State, session: &Session, _, _| state.service.offer_seat(id.0, &session.player).await;
    sent.once(StatusCode::CREATED, offer).await
}

/// What the caller offers of its seat, and who asks for it
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/games/{id}/substitutions", tag = "seats", security(("token" = ["play"])),
    params(("id" = Uuid, Path), crate::service::read::page::Window),
    responses((status = 200, description = "The offer, if there is one", body = Page<Substitution>))))]
pub async fn list_offers(
    state: web::Data<State>,
    member: Member,
    id: Id,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let window = query.window()?;
    query.end()?;
    private(&state.service.offers_of_seat(id.0, &member.0.player, &window).await?)
}

/// Hand the seat to who asks for it
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/substitutions/{offer}", tag = "seats", security(("token" = ["play"])),
    params(("id" = Uuid, Path), ("offer" = Uuid, Path)), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt))))]
pub async fn agree(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Sent<Perhaps<Consent>>,
) -> Result<HttpResponse, Problem> {
    let offer = offer(&path.1)?;
    let agree = |Perhaps(consent): Perhaps<Consent>| Act::Agree(id.0, offer, consent.signed);
    Ok(sent.carry_out(StatusCode::OK, agree).await?.response)
}

/// Offer the seat no more
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/games/{id}/substitutions/{offer}", tag = "seats", security(("token" = ["play"])),
    params(("id" = Uuid, Path), ("offer" = Uuid, Path)), responses((status = 204, description = "The offer has ended"))))]
pub async fn withdraw_offer(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Sent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let offer = offer(&path.1)?;
    sent.end(async |state, session, _| state.service.withdraw_seat(id.0, &session.player, offer).await).await
}

/// The caller's own plan
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/games/{id}/plan", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "The plan", body = PlanView))))]
pub async fn get_plan(
    state: web::Data<State>,
    member: Member,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.plan(id.0, &member.0.player).await?)
}

/// Plan ahead
///
/// The plan decides for the seat when it must, and at once if it must now. Nobody else sees it, nor, until it decides, whether there is one; that it decided all
/// see. It takes the place of an earlier one, and ends when the seat's keys change, when another player gets the seat, and with the game.
#[cfg_attr(feature = "openapi", utoipa::path(put, path = "/v1/games/{id}/plan", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    request_body = NewPlan, responses((status = 200, description = "The plan", body = PlanView))))]
pub async fn put_plan(id: Id, sent: Sent<NewPlan>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, plan, _| {
        state.service.set_plan(id.0, &session.player, plan).await
    };
    sent.reply_once(StatusCode::OK, put).await
}

/// Withdraw the plan
///
/// Who wants that on record writes its keys: the same set will do.
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/games/{id}/plan", tag = "seats", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 200, description = "No plan", body = PlanView))))]
pub async fn drop_plan(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let drop =
        async |state: &State, session: &Session, _, _| state.service.drop_plan(id.0, &session.player).await;
    sent.reply_once(StatusCode::OK, drop).await
}

async fn on_seat<T>(id: Id, sent: Sent<T>, act: impl FnOnce(T) -> SeatAct) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |sent| Act::Seat(id.0, act(sent))).await?.response)
}

/// The offer that a path names.
fn offer(text: &str) -> Result<Uuid, Problem> {
    Uuid::try_parse(text).map_err(|_| ServiceError::NotFound.into())
}
