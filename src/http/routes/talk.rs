//! Notes and messages beside a game.

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        budget::too_many,
        problem::Problem,
        request::{Authenticated, Id, Idempotent, Query},
        response::private,
        state::State,
    },
    service::{
        Session,
        reading::page::Items,
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
pub async fn put_note(id: Id, sent: Idempotent<NewNote>) -> Result<HttpResponse, Problem> {
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
            description = "Return only messages after this one. Default: 0, all.", minimum = 0
        ),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100)
    ),
    responses((status = 200, description = "A page of messages", body = Items<MessageView>)),
    problems(NOT_SEATED)
)]
pub async fn list_messages(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let after = query.seq("after")?.unwrap_or_default().cast_signed();
    let limit = query.limit()?;
    query.end()?;
    private(&state.service.talk.messages(id.0, &member.0.player, after, limit).await?)
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
pub async fn say(id: Id, sent: Idempotent<NewMessage>) -> Result<HttpResponse, Problem> {
    sent.state.limits.messages.enter(sent.session.player.key).map_err(too_many)?;
    let say = async |state: &State, session: &Session, message, _| {
        state.service.talk.say(id.0, &session.player, message).await
    };
    sent.once(StatusCode::CREATED, say).await
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
pub async fn mute(
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
    responses((status = 200, description = "The muted seats", body = Mutes)), problems(NOT_SEATED)
)]
pub async fn unmute(
    path: web::Path<(String, String)>,
    id: Id,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let unmute = async |state: &State, session: &Session, _, _| {
        state.service.talk.mute(id.0, &session.player, seat(&path.1), false).await
    };
    sent.once(StatusCode::OK, unmute).await
}

/// The seat that a path names; what is no number names none that there is.
fn seat(text: &str) -> u64 {
    text.parse().unwrap_or(u64::MAX)
}
