//! Explorations: private continuations of a position.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        preference,
        problem::Problem,
        request::{Authenticated, Id, Idempotent, Query},
        response::{in_words, located, private},
        state::State,
    },
    service::{
        Session,
        bots::exploration::{Exploration, ExploredCommand, NewExploration},
        request::{Nothing, OptionalBody},
    },
};

/// Explore a position
///
/// Creates a private continuation of a position, against bots or with the caller at all seats. Anyone may
/// explore any entry of a finished game. In a running game only its players may, and hidden cards are
/// dealt again from what the seat knows. The game itself is not touched. An exploration is deleted after
/// a day; a player can have 20, and a new one replaces the oldest.
#[endpoint(
    POST "/v1/games/{id}/explorations", tag = "explorations", token(play),
    params(("words" = Option<bool>, Query)), request_body = Option<NewExploration>,
    responses((status = 201, description = "The exploration", body = Exploration)),
    problems(NOT_SEATED, GAME_NOT_RUNNING)
)]
pub async fn create_exploration(
    id: Id,
    Idempotent(mut sent): Idempotent<OptionalBody<NewExploration>>,
) -> Result<HttpResponse, Problem> {
    let wish = sent.query.words(sent.lang);
    let explore = async |state: &State, session: &Session, OptionalBody(new), _| {
        state.service.bots.explore(id.0, &session.player, new, wish).await
    };
    let response = Idempotent(sent).once(StatusCode::CREATED, explore).await?;
    Ok(located(response, "/v1/explorations/{/id}"))
}

/// Get an exploration
///
/// Returns the position of an exploration. The caller plays all seats that no bot plays, and may look at
/// each of them with `as`.
#[endpoint(
    GET "/v1/explorations/{id}", tag = "explorations", token(play),
    params(
        ("words" = Option<bool>, Query),
        (
            "as" = Option<u8>, Query, description = "Show the view of this seat. Default: the seat to act.",
            maximum = 3
        )
    ),
    responses((status = 200, description = "The exploration", body = Exploration))
)]
pub async fn get_exploration(
    state: web::Data<State>,
    request: HttpRequest,
    member: Authenticated,
    id: Id,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let (wish, eyes) = (query.words(preference::of_language(&request)), query.seq("as"));
    query.end()?;
    Ok(in_words(private(&state.service.bots.exploration(id.0, &member.0, eyes, wish).await?)?, wish.words))
}

/// Play a command in an exploration
///
/// Plays a command for one of the caller's seats. Bots then decide at once. If that takes too long, the
/// answer comes early and the next request continues.
#[endpoint(
    POST "/v1/explorations/{id}/commands", tag = "explorations", token(play),
    params(("words" = Option<bool>, Query)), request_body = ExploredCommand,
    responses((status = 200, description = "The exploration after the command", body = Exploration)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, STALE_SEQ, ILLEGAL_COMMAND, NOT_YOUR_TURN, TOO_MANY_ENTRIES)
)]
pub async fn play_exploration(
    id: Id,
    Idempotent(mut sent): Idempotent<ExploredCommand>,
) -> Result<HttpResponse, Problem> {
    let wish = sent.query.words(sent.lang);
    let explore_on = async |state: &State, session: &Session, command, _| {
        state.service.bots.explore_on(id.0, session, &command, wish).await
    };
    Idempotent(sent).once(StatusCode::OK, explore_on).await
}

/// Delete an exploration
///
/// Deletes the caller's exploration. Answers 204, or 404 if it has expired.
#[endpoint(
    DELETE "/v1/explorations/{id}", tag = "explorations", token(play),
    responses((status = 204, description = "The exploration is deleted"))
)]
pub async fn delete_exploration(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.bots.leave_exploration(id.0, session).await).await
}
