//! Notifications of absent players.

use std::rc::Rc;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use super::webhooks::as_test;
use crate::{
    http::{
        budget::{RequestBudget, too_many},
        problem::Problem,
        request::{Authenticated, Id, Idempotent, Open, Query},
        response::private,
        state::State,
    },
    service::{
        Session,
        notify::{DeliveryView, MailCode, MailView, NewMail, NewPush, Notifications, PushView, Quiet},
        request::Nothing,
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
pub async fn look_away(page: web::Path<String>, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let look_away = async |state: &State, session: &Session, _| {
        state.service.feed.look_away(&session.player, &page);
        Ok(())
    };
    sent.end(look_away).await
}

/// Set quiet hours
///
/// Sets daily hours in which nothing is sent. Events in these hours are sent afterwards if they are still
/// relevant. Quiet hours apply to email, push and the caller's own webhooks, not to webhooks of games.
#[endpoint(
    PUT "/v1/me/quiet", tag = "webhooks", token(account), request_body = Quiet,
    responses((status = 200, description = "The notification settings", body = Notifications))
)]
pub async fn put_quiet(sent: Idempotent<Quiet>) -> Result<HttpResponse, Problem> {
    let put = async |state: &State, session: &Session, quiet, _| {
        state.service.notifier.set_quiet(&session.player, Some(quiet)).await
    };
    sent.once(StatusCode::OK, put).await
}

/// Remove quiet hours
///
/// Removes the caller's quiet hours.
#[endpoint(
    DELETE "/v1/me/quiet", tag = "webhooks", token(account),
    responses((status = 200, description = "The notification settings", body = Notifications))
)]
pub async fn drop_quiet(sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let drop = async |state: &State, session: &Session, _, _| {
        state.service.notifier.set_quiet(&session.player, None).await
    };
    sent.once(StatusCode::OK, drop).await
}

/// Add push notifications for a browser
///
/// Stores a subscription of the Push API, made with `push_key` of `GET /v1/me/notifications`. Messages
/// are encrypted for the browser (RFC 8291) and contain `title`, `text`, `game`, `type` and `url`. A test
/// message is sent at once; a subscription that does not accept it is deleted within a day.
#[endpoint(
    POST "/v1/me/pushes", tag = "webhooks", token(account), request_body = NewPush,
    responses((status = 201, description = "The browser", body = PushView)), problems(TOO_MANY_WEBHOOKS)
)]
pub async fn add_push(sent: Idempotent<NewPush>) -> Result<HttpResponse, Problem> {
    let add = async |state: &State, session: &Session, new, lang| {
        state.service.notifier.add_push(session, new, lang).await
    };
    as_test(sent, StatusCode::CREATED, add).await
}

/// Remove push notifications for a browser
///
/// Deletes the subscription.
#[endpoint(
    DELETE "/v1/me/pushes/{id}", tag = "webhooks", token(account),
    responses((status = 204, description = "The subscription is deleted"))
)]
pub async fn remove_push(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
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

/// Turn on email notifications
///
/// Sets the caller's email address and what is sent there. An email with a confirmation link is sent first;
/// an address that is not confirmed within a day is deleted. Each email has an unsubscribe link. An
/// address that refuses email is turned off.
#[endpoint(
    PUT "/v1/me/mail", tag = "webhooks", token(account), request_body = NewMail,
    responses((status = 200, description = "The email settings", body = MailView))
)]
pub async fn put_mail(sent: Idempotent<NewMail>) -> Result<HttpResponse, Problem> {
    let (state, address) = (&sent.state, &sent.value.address);
    if !state.service.notifier.reads_mail_at(&sent.session.player, address).await? {
        state.limits.mails.enter(sent.payer_budget.client).map_err(too_many)?;
        state.limits.addresses.enter(address.to_lowercase()).map_err(too_many)?;
    }
    let put = async |state: &State, session: &Session, mail, lang| {
        state.service.notifier.set_mail(session, mail, lang).await
    };
    sent.once(StatusCode::OK, put).await
}

/// Turn off email notifications
///
/// Deletes the caller's email address.
#[endpoint(
    DELETE "/v1/me/mail", tag = "webhooks", token(account),
    responses((status = 204, description = "The address is deleted"))
)]
pub async fn drop_mail(sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.notifier.remove_mail(&session.player).await).await
}

/// Confirm an email address
///
/// Confirms the address with the code from the email. Needs no token.
#[endpoint(
    POST "/v1/mail/confirmations", tag = "webhooks", request_body = MailCode,
    responses((status = 204, description = "The address is confirmed")), problems(WRONG_CODE)
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
    responses((status = 204, description = "The address is removed")), problems(WRONG_CODE)
)]
pub async fn unsubscribe(
    state: web::Data<State>,
    request: HttpRequest,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let code = query.text("code").unwrap_or_default();
    query.end()?;
    RequestBudget::of(&request)?.try_code(state.service.notifier.unsubscribe(&code)).await?;
    Ok(HttpResponse::NoContent().finish())
}
