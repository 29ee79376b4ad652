//! How a player is told what happens while it does not look.

use std::rc::Rc;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use super::webhooks::as_test;
use crate::{
    http::{
        problem::Problem,
        purse::{Purse, too_many},
        request::{Id, Member, Open, Query, Sent},
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
pub async fn look_away(page: web::Path<String>, sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let look_away = async |state: &State, session: &Session, _| {
        state.service.look_away(&session.player, &page);
        Ok(())
    };
    sent.end(look_away).await
}

/// Hear nothing in certain hours
///
/// What happens meanwhile is told when they are over, if it is still true. They hold for all ways by which the player is told, but not for webhooks of games.
#[cfg_attr(feature = "openapi", utoipa::path(put, path = "/v1/me/quiet", tag = "webhooks", security(("token" = ["account"])), request_body = Quiet,
    responses((status = 200, description = "How the player is told", body = Notifications))))]
pub async fn put_quiet(sent: Sent<Quiet>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, quiet, _| {
        state.service.set_quiet(&session.player, Some(quiet)).await
    };
    sent.once(StatusCode::OK, put).await
}

/// Hear everything again
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/quiet", tag = "webhooks", security(("token" = ["account"])),
    responses((status = 200, description = "How the player is told", body = Notifications))))]
pub async fn drop_quiet(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    let drop =
        async |state: &State, session: &Session, _, _| state.service.set_quiet(&session.player, None).await;
    sent.once(StatusCode::OK, drop).await
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
    sent.end(async |state, session, _| state.service.remove_push(&session.player, id.0).await).await
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
pub async fn put_mail(sent: Sent<NewMail>) -> Result<HttpResponse, Problem> {
    let (state, address) = (&sent.state, &sent.value.address);
    if !state.service.reads_mail_at(&sent.session.player, address).await? {
        state.limits.mails.enter(sent.purse.client).map_err(too_many)?;
        state.limits.addresses.enter(address.to_lowercase()).map_err(too_many)?;
    }
    let put = async |state: &State, session: &Session, mail, lang| {
        state.service.set_mail(session, mail, lang).await
    };
    sent.once(StatusCode::OK, put).await
}

/// Be told by mail no more
#[cfg_attr(feature = "openapi", utoipa::path(delete, path = "/v1/me/mail", tag = "webhooks", security(("token" = ["account"])),
    responses((status = 204, description = "The address is forgotten"))))]
pub async fn drop_mail(sent: Sent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.remove_mail(&session.player).await).await
}

/// Confirm a mail address
///
/// By the code in the link that was sent there.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/mail/confirmations", tag = "webhooks", request_body = MailCode,
    responses((status = 204, description = "The address is confirmed"))))]
pub async fn confirm_mail(sent: Open<MailCode>) -> Result<HttpResponse, Problem> {
    let purse = Rc::clone(&sent.purse);
    let confirm = async |state: &State, code: MailCode| state.service.confirm_mail(&code.code).await;
    purse.try_code(sent.end(confirm)).await
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
