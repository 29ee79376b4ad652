//! Webhooks: of a player for all its games, or of one game for a channel of its players.

use actix_web::{HttpResponse, http::StatusCode, web};
use serde::Serialize;

use crate::{
    engine::Lang,
    http::{
        budget::too_many,
        problem::Problem,
        request::{Authenticated, Id, Idempotent, OwnToken, Query, UnscopedToken},
        response::{located, private},
        state::State,
    },
    service::{
        ServiceError, Session,
        notify::{DeliveryView, HookChanges, HookView, NewHook, NewHookView},
        reading::page::Page,
        request::Nothing,
    },
};

/// List webhooks
///
/// Returns the caller's webhooks, oldest first. With `game`: the webhooks that the players of this game
/// have added to it.
#[endpoint(
    GET "/v1/webhooks", tag = "webhooks", token(account),
    params(
        ("game" = Option<uuid::Uuid>, Query, description = "Only webhooks of this game, of all its players."),
        crate::service::reading::page::Window
    ),
    responses((status = 200, description = "A page of webhooks", body = Page<HookView>)),
    problems(NOT_SEATED, NOT_FOUND)
)]
pub async fn list_webhooks(
    state: web::Data<State>,
    mut query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    let (game, window) = (query.id("game"), query.window());
    query.end()?;
    private(&state.service.notifier.webhooks(game, &member.0.player, &window).await?)
}

/// Add a webhook
///
/// Sends the caller's notifications to an address, one message a turn. With `game` it posts everything
/// that happens in this game to a channel, as a spectator would see it, and mentions the player to act
/// (`mentions`). Any player of the game may add one; it stops when its owner leaves the game.
///
/// A new webhook must be confirmed within a day. To a `standard` webhook the server sends `{"type":
/// "test", "data": {"challenge": "..."}}` at once; the receiver confirms with a 2xx answer whose first KiB
/// contains the challenge. In the other formats a person reads a code and sends it with `PATCH`.
///
/// `standard` messages follow Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` and
/// `webhook-signature`, with a `v1` signature by the webhook's secret and a `v1a` signature by the
/// server's key at `/v1/keys`. `data` is that of the event in `/v1/me/events`, with `title`, `text` and
/// `url` for people. The id stays the same when a message is sent again.
///
/// An answer of 2xx is success, 410 deletes the webhook, and redirects are not followed. After any other
/// answer the message is sent again for up to three days. If nothing is delivered in that time, the
/// webhook is turned off and its owner is notified. An app cannot use this.
#[endpoint(
    POST "/v1/webhooks", tag = "webhooks", token(account), request_body = NewHook,
    responses((status = 201, description = "The webhook", body = NewHookView)),
    problems(NOT_SEATED, NOT_FOUND, TOO_MANY_WEBHOOKS)
)]
pub async fn create_webhook(
    _: UnscopedToken,
    _: OwnToken,
    sent: Idempotent<NewHook>,
) -> Result<HttpResponse, Problem> {
    let add = async |state: &State, session: &Session, new, lang| {
        state.service.notifier.add_webhook(session, new, lang).await
    };
    Ok(located(as_test(sent, StatusCode::CREATED, add).await?, "/v1/webhooks/{/id}"))
}

/// Get a webhook
///
/// Returns a webhook of the caller.
#[endpoint(
    GET "/v1/webhooks/{id}", tag = "webhooks", token(account),
    responses((status = 200, description = "The webhook", body = HookView))
)]
pub async fn get_webhook(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.notifier.webhook(&member.0.player, id.0).await?)
}

/// Change or confirm a webhook
///
/// Turns the webhook on or off, changes its name, events or mentions, or confirms it with the `code` of its
/// test message. Owner only. To change the address, add a new webhook and delete this one.
#[endpoint(
    PATCH "/v1/webhooks/{id}", tag = "webhooks", token(account), request_body = HookChanges,
    responses((status = 200, description = "The webhook", body = HookView)),
    problems(INVALID_CODE, WEBHOOK_NOT_CONFIRMED)
)]
pub async fn update_webhook(
    id: Id,
    _: OwnToken,
    sent: Idempotent<HookChanges>,
) -> Result<HttpResponse, Problem> {
    if sent.value.code.is_some() {
        sent.state.limits.tests.enter(sent.session.player.key).map_err(too_many)?;
    }
    let change = async |state: &State, session: &Session, changes, _| {
        state.service.notifier.change_webhook(&session.player, id.0, changes).await
    };
    sent.once(StatusCode::OK, change).await
}

/// Delete a webhook
///
/// Deletes the webhook and its queued messages. Owner only.
#[endpoint(
    DELETE "/v1/webhooks/{id}", tag = "webhooks", token(account),
    responses((status = 204, description = "The webhook is deleted"))
)]
pub async fn delete_webhook(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.notifier.remove_webhook(&session.player, id.0).await)
        .await
}

/// Test a webhook
///
/// Sends a test message. Owner only. The list of deliveries shows its outcome.
#[endpoint(
    POST "/v1/webhooks/{id}/test", tag = "webhooks", token(account),
    responses((status = 202, description = "The test is queued", body = DeliveryView))
)]
pub async fn test_webhook(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let test = async |state: &State, session: &Session, Nothing {}, _| {
        state.service.notifier.test_webhook(&session.player, id.0).await
    };
    as_test(sent, StatusCode::ACCEPTED, test).await
}

/// List deliveries of a webhook
///
/// Returns the messages of the last seven days, newest first, with their outcomes. Owner only.
#[endpoint(
    GET "/v1/webhooks/{id}/deliveries", tag = "webhooks", token(account),
    params(crate::service::reading::page::Window),
    responses((status = 200, description = "A page of deliveries", body = Page<DeliveryView>))
)]
pub async fn list_deliveries(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let window = query.window();
    query.end()?;
    private(&state.service.notifier.deliveries(&member.0.player, id.0, &window).await?)
}

/// Resend a delivery
///
/// Sends the message once more, under the same id. Owner only.
#[endpoint(
    POST "/v1/webhooks/{id}/deliveries/{delivery}/resend", tag = "webhooks", token(account),
    params(("delivery" = String, Path)),
    responses((status = 202, description = "The delivery is queued", body = DeliveryView)),
    problems(WEBHOOK_NOT_CONFIRMED)
)]
pub async fn resend_delivery(
    id: Id,
    path: web::Path<(String, String)>,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    let resend = async |state: &State, session: &Session, Nothing {}, _| {
        state.service.notifier.deliver_again(&session.player, id.0, &path.1).await
    };
    as_test(sent, StatusCode::ACCEPTED, resend).await
}

/// Carries out an act that sends a message to a stranger's address, so that its client pays as well.
pub(super) async fn as_test<T, A: Serialize>(
    sent: Idempotent<T>,
    status: StatusCode,
    act: impl AsyncFnOnce(&State, &Session, T, Lang) -> Result<A, ServiceError>,
) -> Result<HttpResponse, Problem> {
    sent.state.limits.tests_of_clients.enter(sent.payer_budget.client).map_err(too_many)?;
    sent.state.limits.tests.enter(sent.session.player.key).map_err(too_many)?;
    sent.once(status, act).await
}
