//! Notes and messages beside a game.

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        budget::too_many,
        problem::Problem,
        request::{Authenticated, Id, Idempotent, Query},
        response::{located, private},
        state::State,
    },
    service::{
        ServiceError, Session,
        reading::page::Page,
        request::Nothing,
        talk::{MessageView, Mutes, NewMessage, NewNote, NoteView},
    },
};

/// Get your note
///
/// Returns the caller's private note about a game. Requires the scope `play`: a token that can only read
/// sees no notes.
#[endpoint(
    GET "/v1/games/{id}/note", tag = "talk", token(play),
    responses(
        (status = 200, description = "The note, with an empty text if there is no note", body = NoteView)
    ),
    problems(NOT_SEATED)
)]
pub async fn get_note(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.talk.note(id.0, &member.0.player).await?)
}

/// Write your note
///
/// Replaces the caller's private note about a game. Only the caller sees it, and it is not part of the log.
#[endpoint(
    PUT "/v1/games/{id}/note", tag = "talk", token(play), request_body = NewNote,
    responses((status = 200, description = "The note", body = NoteView)), problems(NOT_SEATED)
)]
pub async fn set_note(id: Id, sent: Idempotent<NewNote>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, note, _| {
        state.service.talk.set_note(id.0, &session.player, note).await
    };
    sent.once(StatusCode::OK, put).await
}

/// List chat messages
///
/// Returns the messages of a game, oldest first. Players of the game only. Messages of muted seats are
/// left out.
#[endpoint(
    GET "/v1/games/{id}/messages", tag = "talk", token(read),
    params(
        (
            "after" = Option<i64>, Query,
            description = "Return only messages after this one. -1: all. Default: -1.", minimum = -1
        ),
        ("cursor" = Option<String>, Query),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100)
    ),
    responses((status = 200, description = "A page of messages", body = Page<MessageView>)),
    problems(NOT_SEATED)
)]
pub async fn list_messages(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let after = query.after(-1).unwrap_or(-1);
    let limit = query.limit();
    query.end()?;
    private(&state.service.talk.messages(id.0, &member.0.player, after, limit).await?)
}

/// Get a chat message
///
/// Returns a message of a game. Players of the game only.
#[endpoint(
    GET "/v1/games/{id}/messages/{message}", tag = "talk", token(read), params(("message" = u64, Path)),
    responses((status = 200, description = "The message", body = MessageView)), problems(NOT_SEATED)
)]
pub async fn get_message(
    state: web::Data<State>,
    member: Authenticated,
    path: web::Path<(String, String)>,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let message = path.1.parse().map_err(|_| ServiceError::NotFound)?;
    private(&state.service.talk.message(id.0, &member.0.player, message).await?)
}

/// Send a chat message
///
/// Sends a message to all players of the game. They also receive it as `message` in their streams.
/// Messages are not part of the log.
#[endpoint(
    POST "/v1/games/{id}/messages", tag = "talk", token(play), request_body = NewMessage,
    responses((status = 201, description = "The message", body = MessageView)),
    problems(NOT_SEATED, TOO_MANY_MESSAGES)
)]
pub async fn send_message(id: Id, sent: Idempotent<NewMessage>) -> Result<HttpResponse, Problem> {
    sent.state.limits.messages.enter(sent.session.player.key).map_err(too_many)?;
    let say = async |state: &State, session: &Session, message, _| {
        state.service.talk.say(id.0, &session.player, message).await
    };
    let response = sent.once(StatusCode::CREATED, say).await?;
    Ok(located(response, &format!("/v1/games/{}/messages/{{/id}}", id.0)))
}

/// List muted seats
///
/// Returns the seats whose messages the caller does not see.
#[endpoint(
    GET "/v1/games/{id}/mutes", tag = "talk", token(read),
    responses((status = 200, description = "The muted seats", body = Mutes)), problems(NOT_SEATED)
)]
pub async fn list_mutes(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.talk.mutes(id.0, &member.0.player).await?)
}

/// Mute a seat
///
/// Hides the messages of a seat from the caller. The other player is not notified.
#[endpoint(
    PUT "/v1/games/{id}/mutes/{seat}", tag = "talk", token(play),
    responses((status = 200, description = "The muted seats", body = Mutes)), problems(NOT_SEATED)
)]
pub async fn mute_seat(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let mute = async |state: &State, session: &Session, _, _| {
        state.service.talk.mute(id.0, &session.player, seat(&path.1), true).await
    };
    sent.once(StatusCode::OK, mute).await
}

/// Unmute a seat
///
/// Shows the messages of a seat again.
#[endpoint(
    DELETE "/v1/games/{id}/mutes/{seat}", tag = "talk", token(play),
    responses((status = 204, description = "The seat is not muted any more")), problems(NOT_SEATED)
)]
pub async fn unmute_seat(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let unmute = async |state: &State, session: &Session, _| {
        state.service.talk.mute(id.0, &session.player, seat(&path.1), false).await.map(|_| ())
    };
    sent.end(unmute).await
}

/// The seat that a path names; what is no number names none that there is.
fn seat(text: &str) -> u64 {
    text.parse().unwrap_or(u64::MAX)
}
