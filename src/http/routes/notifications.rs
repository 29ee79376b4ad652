//! How a player is told what happens while it does not look.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use super::webhooks::as_test;
use crate::{
    http::{
        preference,
        problem::Problem,
        purse::{Purse, too_many},
        request::{Body, Id, Member, Query, Sent},
        response::private,
        state::State,
    },
    service::{
        Session,
        hooks::{DeliveryView, MailCode, MailView, NewMail, NewPush, Notifications, PushView, Quiet},
        request::Nothing,
    },
};

/// How the player is told
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/me/notifications", tag = "webhooks", security(("token" = ["account"])),
    responses((status = 200, description = "When it is told nothing, and in which browsers it is", body = Notifications))))]
pub async fn get_notifications(
    state: web::Data<State>,
    query: Query,
    member: Member,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.notifications(&member.0.player).await?)
}

/// Look away
///
/// For a page that listens to `/v1/me/events?present=` and is closed or hidden: the server learns of it at once, and not when the connection turns out to
/// be dead.
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/presence/{page}", tag = "webhooks", security(("token" = ["read"])), params(("page" = String, Path)),
    responses((status = 204, description = "The player is told by its other ways again"))))]
pub async fn look_away(
    state: web::Data<State>,
    member: Member,
    page: web::Path<String>,
    _body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    state.service.look_away(&member.0.player, &page);
    Ok(HttpResponse::NoContent().finish())
}

/// Hear nothing in certain hours
///
/// What happens meanwhile is told when they are over, if it is still true. They hold for all ways by which the player is told, but not for webhooks of games.
#[cfg_attr(feature = "openapi", utoipa::path(put, path = "/v1/me/quiet", tag = "webhooks", security(("token" = ["account"])), request_body = Quiet,
    responses((status = 200, description = "How the player is told", body = Notifications))))]
pub async fn put_quiet(
    state: web::Data<State>,
    member: Member,
    body: Body<Quiet>,
) -> Result<HttpResponse, Problem> {
    private(&state.service.set_quiet(&member.0.player, Some(body.value)).await?)
}

/// Hear everything again
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/quiet", tag = "webhooks", security(("token" = ["account"])),
    responses((status = 200, description = "How the player is told", body = Notifications))))]
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
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/pushes", tag = "webhooks", security(("token" = ["account"])), request_body = NewPush,
    responses((status = 201, description = "The browser", body = PushView))))]
pub async fn add_push(sent: Sent<NewPush>) -> Result<HttpResponse, Problem> {
    let add =
        async |state: &State, session: &Session, new, lang| state.service.add_push(session, new, lang).await;
    as_test(sent, StatusCode::CREATED, add).await
}

/// Be told in a browser no more
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/pushes/{id}", tag = "webhooks", security(("token" = ["account"])), params(("id" = Uuid, Path)),
    responses((status = 204, description = "It is gone"))))]
pub async fn remove_push(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session| state.service.remove_push(&session.player, id.0).await).await
}

/// Send a test to a browser
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/me/pushes/{id}/test", tag = "webhooks", security(("token" = ["account"])), params(("id" = Uuid, Path)),
    responses((status = 202, description = "The test, which is on its way", body = DeliveryView))))]
pub async fn test_push(id: Id, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let test = async |state: &State, session: &Session, Nothing {}, _| {
        state.service.test_push(&session.player, id.0).await
    };
    as_test(sent, StatusCode::ACCEPTED, test).await
}

/// Be told by mail
///
/// The address is sent a link that confirms it; until that is opened nothing else is sent there, and what is not confirmed within a day is forgotten.
/// Each mail has a link by which its reader hears no more. An address that is refused is sent nothing more.
#[cfg_attr(feature = "openapi", utoipa::path(put, path = "/v1/me/mail", tag = "webhooks", security(("token" = ["account"])), request_body = NewMail,
    responses((status = 200, description = "How the player is told by mail", body = MailView))))]
pub async fn put_mail(
    state: web::Data<State>,
    request: HttpRequest,
    member: Member,
    body: Body<NewMail>,
) -> Result<HttpResponse, Problem> {
    if !state.service.reads_mail_at(&member.0.player, &body.value.address).await? {
        state.limits.mails.enter(Purse::of(&request)?.client).map_err(too_many)?;
        state.limits.addresses.enter(body.value.address.to_lowercase()).map_err(too_many)?;
    }
    let lang = preference::of_language(&request);
    private(&state.service.set_mail(&member.0, body.value, lang).await?)
}

/// Be told by mail no more
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/mail", tag = "webhooks", security(("token" = ["account"])),
    responses((status = 204, description = "The address is forgotten"))))]
pub async fn drop_mail(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session| state.service.remove_mail(&session.player).await).await
}

/// Confirm a mail address
///
/// By the code in the link that was sent there.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/mail/confirmations", tag = "webhooks", request_body = MailCode,
    responses((status = 204, description = "The address is confirmed"))))]
pub async fn confirm_mail(
    state: web::Data<State>,
    request: HttpRequest,
    body: Body<MailCode>,
) -> Result<HttpResponse, Problem> {
    Purse::of(&request)?.try_code(state.service.confirm_mail(&body.value.code)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Hear no more by mail
///
/// By the code in a mail. Mail programs ask for this by themselves (RFC 8058): whatever the body says is not read.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/mail/unsubscriptions", tag = "webhooks", params(("code" = String, Query)),
    responses((status = 204, description = "The address is forgotten"))))]
pub async fn unsubscribe(
    state: web::Data<State>,
    request: HttpRequest,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let code = query.text("code").unwrap_or_default();
    query.end()?;
    Purse::of(&request)?.try_code(state.service.unsubscribe(&code)).await?;
    Ok(HttpResponse::NoContent().finish())
}
