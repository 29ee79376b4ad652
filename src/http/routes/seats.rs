//! Seats of running games: given up, taken back, paused, signed for, and what they take back.

use actix_web::{HttpResponse, http::StatusCode, web};
use uuid::Uuid;

use crate::{
    http::{
        problem::Problem,
        request::{Authenticated, Id, Idempotent, Query},
        response::private,
        state::State,
    },
    ledger::entry::PlainAct,
    service::{
        ServiceError, Session,
        reading::{game_view::GameWithReceipt, page::Page},
        request::{Nothing, OptionalBody},
        tables::{
            Act,
            plan::{NewPlan, PlanView},
            seat_control::{Consent, NewRevocation, NewTakeback, SeatAct},
            substitution::Substitution,
        },
    },
};

/// Resign
///
/// Gives up the caller's seat. The autopilot plays on, and the seat ranks below all that did not resign. The
/// resignation is final. If the table takes substitutes, another player may take the seat. When only one
/// seat is left, the game ends at once.
#[endpoint(
    POST "/v1/games/{id}/resignation", tag = "seats", token(play), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, TOO_MANY_ENTRIES, BAD_SIGNATURE)
)]
pub async fn resign(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Resign, consent)).await
}

/// Take your seat back
///
/// Takes the seat back from the autopilot, which has it after three missed deadlines. A seat with keys can
/// do so at any time, which also withdraws all its plans. A command of a seat without keys takes the seat
/// back too.
#[endpoint(
    POST "/v1/games/{id}/resumption", tag = "seats", token(play), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AUTOPILOTS, TOO_MANY_ENTRIES, BAD_SIGNATURE)
)]
pub async fn resume(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Resume, consent)).await
}

/// Request a pause
///
/// Asks for a pause. The game pauses once all players have asked: no time runs and no seat can move.
#[endpoint(
    POST "/v1/games/{id}/pauses", tag = "seats", token(play), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, AUTOPILOTS, ASKS_ALREADY, TOO_MANY_ENTRIES,
        BAD_SIGNATURE
    )
)]
pub async fn ask_for_pause(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Pause, consent)).await
}

/// Withdraw a pause request
///
/// Withdraws the caller's pause request. One withdrawal ends the pause for all players.
#[endpoint(
    POST "/v1/games/{id}/continuations", tag = "seats", token(play), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, ASKS_NOT, TOO_MANY_ENTRIES, BAD_SIGNATURE)
)]
pub async fn go_on(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Continue, consent)).await
}

/// Revoke keys of your seat
///
/// Says in the log that these keys may never sign for the caller's seat again, for a device that is lost.
/// Signed by another key of the seat, or by a linked device. Ends the plan of the seat.
#[endpoint(
    POST "/v1/games/{id}/revocations", tag = "seats", token(account), request_body = NewRevocation,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, CHANGES_NOTHING, TOO_MANY_ENTRIES, BAD_SIGNATURE)
)]
pub async fn revoke(id: Id, sent: Idempotent<NewRevocation>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, SeatAct::from).await
}

/// Replace the key of your seat
///
/// Puts the signing key in force as the only one of the caller's seat; without a signature, none. For a
/// player who lost all keys. The log shows that the keys before did not agree, so from here on only the
/// server vouches for the seat. Ends the plan of the seat.
#[endpoint(
    POST "/v1/games/{id}/rekey", tag = "seats", token(account), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, CHANGES_NOTHING, TOO_MANY_ENTRIES, BAD_SIGNATURE)
)]
pub async fn rekey(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Rekey, consent)).await
}

/// Take back your moves
///
/// Returns to an earlier position. Only if the table allows takebacks, and only over the seat's own
/// decisions while nothing was drawn, revealed or decided by others. The view lists the possible entries
/// (`takeback`). The log keeps the undone entries, and the clock is not refunded.
#[endpoint(
    POST "/v1/games/{id}/takebacks", tag = "seats", token(play), request_body = NewTakeback,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, AUTOPILOTS, PAUSED, STALE_SEQ,
        NOTHING_TO_TAKE_BACK, TOO_MANY_ENTRIES, BAD_SIGNATURE
    )
)]
pub async fn take_back(id: Id, sent: Idempotent<NewTakeback>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, SeatAct::from).await
}

/// Offer your seat
///
/// Creates a code for a substitute. Requires a table with substitutes. Anyone with the code can ask for
/// the seat with `POST /v1/invites/{code}/seats`; the caller is notified (`substitution` in
/// `/v1/me/events`) and accepts. Replaces an earlier offer.
#[endpoint(
    POST "/v1/games/{id}/substitutions", tag = "seats", token(play),
    responses((status = 201, description = "The offer", body = Substitution)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED)
)]
pub async fn offer_seat(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let offer = async |state: &State, session: &Session, _, _| {
        state.service.tables.offer_seat(id.0, &session.player).await
    };
    sent.once(StatusCode::CREATED, offer).await
}

/// Get your seat offer
///
/// Returns the caller's offer of its seat, and who has asked for it.
#[endpoint(
    GET "/v1/games/{id}/substitutions", tag = "seats", token(play),
    params(crate::service::reading::page::Window),
    responses(
        (status = 200, description = "A list with the offer, or an empty list", body = Page<Substitution>)
    ),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED)
)]
pub async fn list_offers(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let window = query.window()?;
    query.end()?;
    private(&state.service.tables.offers_of_seat(id.0, &member.0.player, &window).await?)
}

/// Hand over your seat
///
/// Gives the caller's seat to the player who asked for it. Fails with `nobody_asked` if no player did.
#[endpoint(
    POST "/v1/games/{id}/substitutions/{offer}", tag = "seats", token(play), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NOT_AGREED, NOBODY_ASKED, ALREADY_SEATED, TOO_MANY_GAMES,
        TOO_MANY_ENTRIES, BAD_SIGNATURE
    )
)]
pub async fn agree(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Idempotent<OptionalBody<Consent>>,
) -> Result<HttpResponse, Problem> {
    let offer = offer(&path.1)?;
    let agree = |OptionalBody(consent): OptionalBody<Consent>| Act::Agree(id.0, offer, consent.signed);
    Ok(sent.carry_out(StatusCode::OK, agree).await?.response)
}

/// Withdraw your seat offer
///
/// Deletes the offer. Its code stops working.
#[endpoint(
    DELETE "/v1/games/{id}/substitutions/{offer}", tag = "seats", token(play),
    responses((status = 204, description = "The offer is withdrawn")),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED)
)]
pub async fn withdraw_offer(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let offer = offer(&path.1)?;
    sent.end(async |state, session, _| state.service.tables.withdraw_seat(id.0, &session.player, offer).await)
        .await
}

/// Get your plan
///
/// Returns the caller's plan for a game.
#[endpoint(
    GET "/v1/games/{id}/plan", tag = "seats", token(play),
    responses((status = 200, description = "The plan", body = PlanView)), problems(NOT_SEATED)
)]
pub async fn get_plan(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.tables.plan(id.0, &member.0.player).await?)
}

/// Set a plan
///
/// Stores a plan that plays for the caller's seat as soon as it has to decide, at once if it has to now.
/// Replaces an earlier plan. Other players see it only when it plays; its moves are marked in the log.
/// It ends when the keys or the player of the seat change, and with the game.
#[endpoint(
    PUT "/v1/games/{id}/plan", tag = "seats", token(play), request_body = NewPlan,
    responses((status = 200, description = "The plan", body = PlanView)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, BAD_SIGNATURE)
)]
pub async fn put_plan(id: Id, sent: Idempotent<NewPlan>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, plan, _| {
        state.service.tables.set_plan(id.0, &session.player, plan).await
    };
    sent.reply_once(StatusCode::OK, put).await
}

/// Delete your plan
///
/// Deletes the caller's plan. This is not logged. To put it on record, send
/// `POST /v1/games/{id}/resumption`, which also ends the plan.
#[endpoint(
    DELETE "/v1/games/{id}/plan", tag = "seats", token(play),
    responses((status = 200, description = "No plan", body = PlanView)), problems(NOT_SEATED)
)]
pub async fn drop_plan(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let drop = async |state: &State, session: &Session, _, _| {
        state.service.tables.drop_plan(id.0, &session.player).await
    };
    sent.reply_once(StatusCode::OK, drop).await
}

async fn on_seat<T>(
    id: Id,
    sent: Idempotent<T>,
    act: impl FnOnce(T) -> SeatAct,
) -> Result<HttpResponse, Problem> {
    Ok(sent.carry_out(StatusCode::OK, |sent| Act::Seat(id.0, act(sent))).await?.response)
}

/// The offer that a path names.
fn offer(text: &str) -> Result<Uuid, Problem> {
    Uuid::try_parse(text).map_err(|_| ServiceError::NotFound.into())
}
