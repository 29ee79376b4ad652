//! What if: games that are played on from a position.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        preference,
        problem::Problem,
        request::{Id, Member, Query, Sent},
        response::{in_words, private},
        state::State,
    },
    service::{
        Session,
        act::exploration::{Exploration, ExploredCommand, NewExploration},
        request::{Nothing, Perhaps},
    },
};

/// Play on from a position
///
/// For the caller alone, for all seats or against players of the server's own. Of a game that is over from its true position, after any entry;
/// of one that runs, for who sits there, from a position whose hidden cards are dealt anew from what the seat knows. It is no record
/// of anything, the game is not touched, and it is gone after a day. A player has twenty; the oldest goes for a new one.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/games/{id}/explorations", tag = "explorations", security(("token" = ["play"])),
    params(("id" = Uuid, Path), ("words" = Option<bool>, Query, description = "In words as well")),
    request_body = Option<NewExploration>, responses((status = 201, description = "The exploration", body = Exploration))))]
pub async fn explore(id: Id, Sent(mut sent): Sent<Perhaps<NewExploration>>) -> Result<HttpResponse, Problem> {
    let wish = sent.query.words(sent.lang)?;
    let explore = async |state: &State, session: &Session, Perhaps(new), _| {
        state.service.explore(id.0, &session.player, new, wish).await
    };
    Sent(sent).once(StatusCode::CREATED, explore).await
}

/// An exploration
///
/// The caller plays all its seats that no machine does, and may look through the eyes of each.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/explorations/{id}", tag = "explorations", security(("token" = ["play"])),
    params(("id" = Uuid, Path), ("words" = Option<bool>, Query, description = "In words as well"),
        ("as" = Option<u8>, Query, description = "Through whose eyes; of the seat that must act if it is left out", maximum = 3)),
    responses((status = 200, description = "The exploration", body = Exploration))))]
pub async fn get_exploration(
    state: web::Data<State>,
    request: HttpRequest,
    member: Member,
    id: Id,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let (wish, eyes) = (query.words(preference::of_language(&request))?, query.seq("as")?);
    query.end()?;
    Ok(in_words(private(&state.service.exploration(id.0, &member.0, eyes, wish).await?)?, wish.words))
}

/// Play a command in an exploration
///
/// Machines decide what they have to at once; if there was too much of it, the next request goes on.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/explorations/{id}/commands", tag = "explorations", security(("token" = ["play"])),
    params(("id" = Uuid, Path), ("words" = Option<bool>, Query, description = "In words as well")),
    request_body = ExploredCommand, responses((status = 200, description = "The exploration after it", body = Exploration))))]
pub async fn explore_on(id: Id, Sent(mut sent): Sent<ExploredCommand>) -> Result<HttpResponse, Problem> {
    let wish = sent.query.words(sent.lang)?;
    let explore_on = async |state: &State, session: &Session, command, _| {
        state.service.explore_on(id.0, session, &command, wish).await
    };
    Sent(sent).once(StatusCode::OK, explore_on).await
}

/// Forget an exploration
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/explorations/{id}", tag = "explorations", security(("token" = ["play"])), params(("id" = Uuid, Path)),
    responses((status = 204, description = "It is gone"))))]
pub async fn leave_exploration(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.leave_exploration(id.0, session).await).await
}
