//! Seats of running games: given up, taken back, paused, signed for, and what they take back.

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        request::{Authenticated, Caller, Id, Idempotent, Query},
        response::{located, private},
        state::State,
    },
    ledger::entry::PlainAct,
    service::{
        Session,
        reading::{game_view::GameWithReceipt, view::PauseView},
        request::{Nothing, OptionalBody},
        tables::{
            Act,
            plan::{NewPlan, PlanView},
            seat_control::{Consent, NewRevocation, NewTakeback, SeatAct},
            substitution::{Acceptance, Substitution},
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
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, TOO_MANY_ENTRIES, INVALID_SIGNATURE)
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
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, AUTOPILOT_NOT_ACTIVE, TOO_MANY_ENTRIES, INVALID_SIGNATURE)
)]
pub async fn resume_seat(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Resume, consent)).await
}

/// Get the pause
///
/// Returns whether the game is paused, and which seats ask for a pause.
#[endpoint(
    GET "/v1/games/{id}/pause", tag = "seats", optional_token(read),
    responses((status = 200, description = "The pause", body = PauseView)), problems(GAME_NOT_RUNNING)
)]
pub async fn get_pause(
    state: web::Data<State>,
    caller: Caller,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.reading.pause(id.0, caller.player()).await?)
}

/// Request a pause
///
/// Asks for a pause. The game pauses once all players have asked: no time runs and no seat can move.
#[endpoint(
    PUT "/v1/games/{id}/pause", tag = "seats", token(play), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, OPTION_NOT_ENABLED, AUTOPILOT_ACTIVE, PAUSE_ALREADY_REQUESTED,
        TOO_MANY_ENTRIES, INVALID_SIGNATURE
    )
)]
pub async fn request_pause(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Pause, consent)).await
}

/// Withdraw a pause request
///
/// Withdraws the caller's pause request. One withdrawal ends the pause for all players. A seat with keys
/// sends its signature in the body.
#[endpoint(
    DELETE "/v1/games/{id}/pause", tag = "seats", token(play), request_body = Option<Consent>,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, OPTION_NOT_ENABLED, NO_PAUSE_REQUEST, TOO_MANY_ENTRIES,
        INVALID_SIGNATURE
    )
)]
pub async fn withdraw_pause(
    id: Id,
    sent: Idempotent<OptionalBody<Consent>>,
) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, |OptionalBody(consent)| SeatAct::plain(PlainAct::Continue, consent)).await
}

/// Revoke keys of your seat
///
/// Says in the log that these keys may never sign for the caller's seat again, for a device that is lost.
/// Signed by another key of the seat, or by a linked device. Ends the plan of the seat.
#[endpoint(
    POST "/v1/games/{id}/revocations", tag = "seats", token(account), request_body = NewRevocation,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NO_CHANGE, TOO_MANY_ENTRIES, INVALID_SIGNATURE)
)]
pub async fn revoke_keys(id: Id, sent: Idempotent<NewRevocation>) -> Result<HttpResponse, Problem> {
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
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, NO_CHANGE, TOO_MANY_ENTRIES, INVALID_SIGNATURE)
)]
pub async fn replace_key(id: Id, sent: Idempotent<OptionalBody<Consent>>) -> Result<HttpResponse, Problem> {
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
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, OPTION_NOT_ENABLED, AUTOPILOT_ACTIVE, PAUSED, STALE_SEQ,
        NOTHING_TO_TAKE_BACK, TOO_MANY_ENTRIES, INVALID_SIGNATURE
    )
)]
pub async fn take_back_moves(id: Id, sent: Idempotent<NewTakeback>) -> Result<HttpResponse, Problem> {
    on_seat(id, sent, SeatAct::from).await
}

/// Offer your seat
///
/// Creates a code for a substitute. Requires a table with substitutes. Anyone with the code can ask for
/// the seat (`POST /v1/games/{id}/seats` with the code as `invite`); the caller is notified
/// (`substitution` in `/v1/me/events`) and accepts. Replaces an earlier offer.
#[endpoint(
    POST "/v1/games/{id}/substitution", tag = "seats", token(play),
    responses((status = 201, description = "The offer", body = Substitution)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, OPTION_NOT_ENABLED)
)]
pub async fn offer_seat(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let offer = async |state: &State, session: &Session, _, _| {
        state.service.tables.offer_seat(id.0, &session.player).await
    };
    let response = sent.once(StatusCode::CREATED, offer).await?;
    Ok(located(response, &format!("/v1/games/{}/substitution", id.0)))
}

/// Get your seat offer
///
/// Returns the caller's offer of its seat, and who has asked for it. `code` is null if there is no offer.
#[endpoint(
    GET "/v1/games/{id}/substitution", tag = "seats", token(play),
    responses((status = 200, description = "The offer", body = Substitution)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED)
)]
pub async fn get_seat_offer(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.tables.seat_offer(id.0, &member.0.player).await?)
}

/// Hand over your seat
///
/// Gives the caller's seat to the player who asked for it. Fails with `no_substitute` if this player did not
/// ask.
#[endpoint(
    POST "/v1/games/{id}/substitution/acceptance", tag = "seats", token(play), request_body = Acceptance,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, OPTION_NOT_ENABLED, NO_SUBSTITUTE, ALREADY_SEATED,
        TOO_MANY_GAMES, TOO_MANY_ENTRIES, INVALID_SIGNATURE
    )
)]
pub async fn accept_substitute(id: Id, sent: Idempotent<Acceptance>) -> Result<HttpResponse, Problem> {
    sent.carry_out(StatusCode::OK, |acceptance| Act::AcceptSubstitute(id.0, acceptance)).await
}

/// Withdraw your seat offer
///
/// Deletes the offer. Its code stops working.
#[endpoint(
    DELETE "/v1/games/{id}/substitution", tag = "seats", token(play),
    responses((status = 204, description = "The offer is withdrawn")),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED)
)]
pub async fn withdraw_seat_offer(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.tables.withdraw_seat(id.0, &session.player).await).await
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
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, INVALID_SIGNATURE)
)]
pub async fn set_plan(id: Id, sent: Idempotent<NewPlan>) -> Result<HttpResponse, Problem> {
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
    responses((status = 204, description = "The plan is deleted")), problems(NOT_SEATED)
)]
pub async fn delete_plan(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.tables.drop_plan(id.0, &session.player).await).await
}

async fn on_seat<T>(
    id: Id,
    sent: Idempotent<T>,
    act: impl FnOnce(T) -> SeatAct,
) -> Result<HttpResponse, Problem> {
    sent.carry_out(StatusCode::OK, |sent| Act::Seat(id.0, act(sent))).await
}
