//! Notifications of absent players.

use std::rc::Rc;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use super::webhooks::as_test;
use crate::{
    http::{
        budget::{RequestBudget, too_many},
        problem::Problem,
        request::{Authenticated, Id, Idempotent, Open, OwnToken, Query},
        response::{located, private},
        state::State,
    },
    service::{
        ServiceError, Session,
        notify::{DeliveryView, MailCode, NewPush, NotificationChanges, Notifications, PushView},
        request::{Nothing, Patch},
    },
};

/// Get your notification settings
///
/// Returns the caller's email address, browsers with push notifications, and quiet hours.
#[endpoint(
    GET "/v1/me/notifications", tag = "webhooks", token(account),
    responses((status = 200, description = "The settings", body = Notifications))
)]
pub async fn get_notifications(
    state: web::Data<State>,
    query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.notifier.notifications(&member.0.player).await?)
}

/// Clear the presence of a page
///
/// Tells the server that the person has closed or left a page that listens with `present`. Notifications
/// by webhook, email and push resume at once.
#[endpoint(
    DELETE "/v1/me/presence/{page}", tag = "webhooks", token(read), params(("page" = String, Path)),
    responses((status = 204, description = "The presence is cleared"))
)]
pub async fn clear_presence(
    page: web::Path<String>,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let look_away = async |state: &State, session: &Session, _| {
        state.service.feed.look_away(&session.player, &page);
        Ok(())
    };
    sent.end(look_away).await
}

/// Change your notification settings
///
/// Changes quiet hours and email. A field that is absent keeps its value, and `null` removes it.
///
/// In quiet hours nothing is sent. Events in these hours are sent afterwards if they are still relevant.
/// Quiet hours apply to email, push and the caller's own webhooks, not to webhooks of games.
///
/// To a new email address a confirmation link is sent first; an address that is not confirmed within a day
/// is deleted. Each email has an unsubscribe link. An address that refuses email is turned off.
#[endpoint(
    PATCH "/v1/me/notifications", tag = "webhooks", token(account), request_body = NotificationChanges,
    responses((status = 200, description = "The settings", body = Notifications))
)]
pub async fn update_notifications(sent: Idempotent<NotificationChanges>) -> Result<HttpResponse, Problem> {
    if sent.session.is_app && !matches!(sent.value.mail, Patch::Keep) {
        return Err(ServiceError::NotForApps.into());
    }
    if let Patch::Set(mail) = &sent.value.mail
        && !sent.state.service.notifier.reads_mail_at(&sent.session.player, &mail.address).await?
    {
        sent.state.limits.mails.enter(sent.payer_budget.client).map_err(too_many)?;
        sent.state.limits.addresses.enter(mail.address.to_lowercase()).map_err(too_many)?;
    }
    let change = async |state: &State, session: &Session, changes, lang| {
        state.service.notifier.change_notifications(session, changes, lang).await
    };
    sent.once(StatusCode::OK, change).await
}

/// Add push notifications for a browser
///
/// Stores a subscription of the Push API, made with `push_key` of `GET /v1/me/notifications`. Messages
/// are encrypted for the browser (RFC 8291) and contain `title`, `text`, `game`, `type` and `url`. A test
/// message is sent at once; a subscription that does not accept it is deleted within a day. An app cannot
/// use this.
#[endpoint(
    POST "/v1/me/pushes", tag = "webhooks", token(account), request_body = NewPush,
    responses((status = 201, description = "The browser", body = PushView)), problems(TOO_MANY_WEBHOOKS)
)]
pub async fn create_push(_: OwnToken, sent: Idempotent<NewPush>) -> Result<HttpResponse, Problem> {
    let add = async |state: &State, session: &Session, new, lang| {
        state.service.notifier.add_push(session, new, lang).await
    };
    Ok(located(as_test(sent, StatusCode::CREATED, add).await?, "/v1/me/pushes/{/id}"))
}

/// Get push notifications of a browser
///
/// Returns a subscription of the caller.
#[endpoint(
    GET "/v1/me/pushes/{id}", tag = "webhooks", token(account),
    responses((status = 200, description = "The browser", body = PushView))
)]
pub async fn get_push(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.notifier.push(&member.0.player, id.0).await?)
}

/// Remove push notifications for a browser
///
/// Deletes the subscription.
#[endpoint(
    DELETE "/v1/me/pushes/{id}", tag = "webhooks", token(account),
    responses((status = 204, description = "The subscription is deleted"))
)]
pub async fn delete_push(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.notifier.remove_push(&session.player, id.0).await).await
}

/// Test push notifications of a browser
///
/// Sends a test message to the browser.
#[endpoint(
    POST "/v1/me/pushes/{id}/test", tag = "webhooks", token(account),
    responses((status = 202, description = "The test is queued", body = DeliveryView))
)]
pub async fn test_push(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let test = async |state: &State, session: &Session, Nothing {}, _| {
        state.service.notifier.test_push(&session.player, id.0).await
    };
    as_test(sent, StatusCode::ACCEPTED, test).await
}

/// Confirm an email address
///
/// Confirms the address with the code from the email. Needs no token.
#[endpoint(
    POST "/v1/mail/confirmations", tag = "webhooks", request_body = MailCode,
    responses((status = 204, description = "The address is confirmed")), problems(INVALID_CODE)
)]
pub async fn confirm_mail(sent: Open<MailCode>) -> Result<HttpResponse, Problem> {
    let payer_budget = Rc::clone(&sent.payer_budget);
    let confirm = async |state: &State, code: MailCode| state.service.notifier.confirm_mail(&code.code).await;
    payer_budget.try_code(sent.end(confirm)).await
}

/// Unsubscribe from email
///
/// Removes the address with the code from an email. Mail programs send this request themselves (RFC 8058),
/// so the body is ignored. Needs no token.
#[endpoint(
    POST "/v1/mail/unsubscriptions", tag = "webhooks",
    params(("code" = String, Query, description = "Code from the link in the email.")),
    responses((status = 204, description = "The address is removed")), problems(INVALID_CODE)
)]
pub async fn unsubscribe_mail(
    state: web::Data<State>,
    request: HttpRequest,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let code = query.text("code").unwrap_or_default();
    query.end()?;
    RequestBudget::of(&request)?.try_code(state.service.notifier.unsubscribe(&code)).await?;
    Ok(HttpResponse::NoContent().finish())
}
