//! How a player is told what happens while it does not look.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        preference,
        problem::Problem,
        purse::too_many,
        request::{Body, Id, Member, Query},
        response::{private, written},
        state::State,
    },
    service::{
        act::Reply,
        hooks::{DeliveryView, NewPush, Notifications, PushView, Quiet},
        request::Nothing,
    },
};

/// How the player is told
#[utoipa::path(get, path = "/v1/me/notifications", tag = "webhooks", security(("token" = ["account"])),
    responses((status = 200, description = "When it is told nothing, and in which browsers it is", body = Notifications)))]
pub async fn get_notifications(
    state: web::Data<State>,
    query: Query,
    member: Member,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.notifications(&member.0.player).await?)
}

/// Hear nothing in certain hours
///
/// What happens meanwhile is told when they are over, if it is still true. They hold for all ways by which the player is told, but not for webhooks of games.
#[utoipa::path(put, path = "/v1/me/quiet", tag = "webhooks", security(("token" = ["account"])), request_body = Quiet,
    responses((status = 200, description = "How the player is told", body = Notifications)))]
pub async fn put_quiet(
    state: web::Data<State>,
    member: Member,
    body: Body<Quiet>,
) -> Result<HttpResponse, Problem> {
    private(&state.service.set_quiet(&member.0.player, Some(body.value)).await?)
}

/// Hear everything again
#[utoipa::path(delete, path = "/v1/me/quiet", tag = "webhooks", security(("token" = ["account"])),
    responses((status = 200, description = "How the player is told", body = Notifications)))]
pub async fn drop_quiet(
    state: web::Data<State>,
    member: Member,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    private(&state.service.set_quiet(&member.0.player, None).await?)
}

/// Be told in a browser
///
/// The body is a subscription of the Push API, made with `push_key`. Messages are encrypted for the browser (RFC 8291) and hold `title`, `text`, `game`,
/// `type` and `url`. The first one is a test; a subscription that takes none is gone within a day.
#[utoipa::path(post, path = "/v1/me/pushes", tag = "webhooks", security(("token" = ["account"])), request_body = NewPush,
    responses((status = 201, description = "The browser", body = PushView)))]
pub async fn add_push(
    state: web::Data<State>,
    request: HttpRequest,
    member: Member,
    body: Body<NewPush>,
) -> Result<HttpResponse, Problem> {
    state.limits.tests.enter(member.0.player.key).map_err(too_many)?;
    let lang = preference::of_language(&request);
    let added = state.service.add_push(&member.0.player, body.value, lang).await?;
    Ok(written(StatusCode::CREATED, Reply::of(&added)?.json))
}

/// Be told in a browser no more
#[utoipa::path(delete, path = "/v1/me/pushes/{id}", tag = "webhooks", security(("token" = ["account"])), params(("id" = Uuid, Path)),
    responses((status = 204, description = "It is gone")))]
pub async fn remove_push(
    state: web::Data<State>,
    member: Member,
    id: Id,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    state.service.remove_push(&member.0.player, id.0).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Send a test to a browser
#[utoipa::path(post, path = "/v1/me/pushes/{id}/test", tag = "webhooks", security(("token" = ["account"])), params(("id" = Uuid, Path)),
    responses((status = 202, description = "The test, which is on its way", body = DeliveryView)))]
pub async fn test_push(
    state: web::Data<State>,
    member: Member,
    id: Id,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    state.limits.tests.enter(member.0.player.key).map_err(too_many)?;
    let sent = state.service.test_push(&member.0.player, id.0).await?;
    Ok(written(StatusCode::ACCEPTED, Reply::of(&sent)?.json))
}
