//! Webhooks: of a player, for all its games, and of a game, for all who sit there.

use actix_web::{HttpResponse, http::StatusCode, web};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    engine::Lang,
    http::{
        budget::too_many,
        problem::Problem,
        request::{Authenticated, Id, Idempotent, Query},
        response::private,
        state::State,
    },
    service::{
        ServiceError, Session,
        notify::{DeliveryView, HookChanges, HookOf, HookView, HooksView, NewHook, NewHookView},
        reading::page::Page,
        request::Nothing,
    },
};

/// List your webhooks
///
/// Returns the caller's webhooks, oldest first.
#[endpoint(
    GET "/v1/me/webhooks", tag = "webhooks", token(account), params(crate::service::reading::page::Window),
    responses((status = 200, description = "A page of webhooks", body = HooksView))
)]
pub async fn my_webhooks(
    state: web::Data<State>,
    query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    list(&state, HookOf::Me, &member, query).await
}

/// Add a webhook
///
/// Sends the caller's notifications to an address, one message a turn. A new webhook must be confirmed within
/// a day. To a `standard` webhook the server sends `{"type": "test", "data": {"challenge": "..."}}` at once;
/// the receiver confirms with a 2xx answer whose first KiB contains the challenge. In the other formats a
/// person reads a code and sends it with `PATCH`.
///
/// `standard` messages follow Standard Webhooks 1.0: `webhook-id`, `webhook-timestamp` and
/// `webhook-signature`, with a `v1` signature by the webhook's secret and a `v1a` signature by the
/// server's key at `/v1/keys`. `data` is that of the event in `/v1/me/events`, with `title`, `text` and
/// `url` for people. The id stays the same when a message is sent again.
///
/// An answer of 2xx is success, 410 deletes the webhook, and redirects are not followed. After any other
/// answer the message is sent again for up to three days. If nothing is delivered in that time, the
/// webhook is turned off and its owner is notified.
#[endpoint(
    POST "/v1/me/webhooks", tag = "webhooks", token(account), request_body = NewHook,
    responses((status = 201, description = "The webhook", body = NewHookView)), problems(TOO_MANY_WEBHOOKS)
)]
pub async fn add_my_webhook(sent: Idempotent<NewHook>) -> Result<HttpResponse, Problem> {
    add(HookOf::Me, sent).await
}

/// Change or confirm a webhook
///
/// Turns the webhook on or off, changes its name or events, or confirms it with the `code` of its test
/// message.
#[endpoint(
    PATCH "/v1/me/webhooks/{id}", tag = "webhooks", token(account), request_body = HookChanges,
    responses((status = 200, description = "The webhook", body = HookView)), problems(WRONG_CODE, NOT_PROVED)
)]
pub async fn change_my_webhook(id: Id, sent: Idempotent<HookChanges>) -> Result<HttpResponse, Problem> {
    change(HookOf::Me, id.0, sent).await
}

/// Delete a webhook
///
/// Deletes the webhook and its queued messages.
#[endpoint(
    DELETE "/v1/me/webhooks/{id}", tag = "webhooks", token(account),
    responses((status = 204, description = "The webhook is deleted"))
)]
pub async fn remove_my_webhook(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    remove(sent, HookOf::Me, id.0).await
}

/// Test a webhook
///
/// Sends a test message. The list of deliveries shows its outcome.
#[endpoint(
    POST "/v1/me/webhooks/{id}/test", tag = "webhooks", token(account),
    responses((status = 202, description = "The test is queued", body = DeliveryView))
)]
pub async fn test_my_webhook(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    test(sent, HookOf::Me, id.0).await
}

/// List deliveries of a webhook
///
/// Returns the messages of the last seven days, newest first, with their outcomes.
#[endpoint(
    GET "/v1/me/webhooks/{id}/deliveries", tag = "webhooks", token(account),
    params(("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of deliveries", body = Page<DeliveryView>))
)]
pub async fn my_deliveries(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    deliveries(&state, HookOf::Me, &member, id.0, query).await
}

/// Resend a delivery
///
/// Sends the message once more, under the same id.
#[endpoint(
    POST "/v1/me/webhooks/{id}/deliveries/{delivery}/again", tag = "webhooks", token(account),
    params(("delivery" = String, Path)),
    responses((status = 202, description = "The delivery is queued", body = DeliveryView)),
    problems(NOT_PROVED)
)]
pub async fn deliver_mine_again(
    id: Id,
    path: web::Path<(String, String)>,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    again(sent, HookOf::Me, id.0, &path.1).await
}

/// List game webhooks
///
/// Returns the webhooks that the players of a game have added, oldest first.
#[endpoint(
    GET "/v1/games/{id}/webhooks", tag = "webhooks", token(play),
    params(crate::service::reading::page::Window),
    responses((status = 200, description = "A page of webhooks", body = HooksView)), problems(NOT_SEATED)
)]
pub async fn webhooks_of_game(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    list(&state, HookOf::Game(id.0), &member, query).await
}

/// Add a game webhook
///
/// Posts everything that happens in the game to a channel, as a spectator would see it, and mentions the
/// player to act (`mentions`). Any player of the game may add one. It stops when its owner leaves the
/// game. Otherwise it works like `POST /v1/me/webhooks`.
#[endpoint(
    POST "/v1/games/{id}/webhooks", tag = "webhooks", token(play), request_body = NewHook,
    responses((status = 201, description = "The webhook", body = NewHookView)),
    problems(NOT_SEATED, TOO_MANY_WEBHOOKS)
)]
pub async fn add_webhook_of_game(id: Id, sent: Idempotent<NewHook>) -> Result<HttpResponse, Problem> {
    add(HookOf::Game(id.0), sent).await
}

/// Change or confirm a game webhook
///
/// Turns the webhook on or off, changes its name, events or mentions, or confirms it with the `code` of
/// its test message. Owner only.
#[endpoint(
    PATCH "/v1/games/{id}/webhooks/{webhook}", tag = "webhooks", token(play), request_body = HookChanges,
    responses((status = 200, description = "The webhook", body = HookView)),
    problems(NOT_SEATED, WRONG_CODE, NOT_PROVED)
)]
pub async fn change_webhook_of_game(
    id: Id,
    path: web::Path<(String, String)>,
    sent: Idempotent<HookChanges>,
) -> Result<HttpResponse, Problem> {
    change(HookOf::Game(id.0), webhook(&path.1)?, sent).await
}

/// Delete a game webhook
///
/// Deletes the webhook. Owner only.
#[endpoint(
    DELETE "/v1/games/{id}/webhooks/{webhook}", tag = "webhooks", token(play),
    responses((status = 204, description = "The webhook is deleted")), problems(NOT_SEATED)
)]
pub async fn remove_webhook_of_game(
    id: Id,
    path: web::Path<(String, String)>,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    remove(sent, HookOf::Game(id.0), webhook(&path.1)?).await
}

/// Test a game webhook
///
/// Sends a test message. Owner only. The list of deliveries shows its outcome.
#[endpoint(
    POST "/v1/games/{id}/webhooks/{webhook}/test", tag = "webhooks", token(play),
    responses((status = 202, description = "The test is queued", body = DeliveryView)), problems(NOT_SEATED)
)]
pub async fn test_webhook_of_game(
    id: Id,
    path: web::Path<(String, String)>,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    test(sent, HookOf::Game(id.0), webhook(&path.1)?).await
}

/// List deliveries of a game webhook
///
/// Returns the messages of the last seven days, newest first, with their outcomes. Owner only.
#[endpoint(
    GET "/v1/games/{id}/webhooks/{webhook}/deliveries", tag = "webhooks", token(play),
    params(("limit" = Option<u32>, Query, minimum = 1, maximum = 100), ("cursor" = Option<String>, Query)),
    responses((status = 200, description = "A page of deliveries", body = Page<DeliveryView>)),
    problems(NOT_SEATED)
)]
pub async fn deliveries_of_game(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    path: web::Path<(String, String)>,
    query: Query,
) -> Result<HttpResponse, Problem> {
    deliveries(&state, HookOf::Game(id.0), &member, webhook(&path.1)?, query).await
}

/// Resend a game webhook delivery
///
/// Sends the message once more, under the same id. Owner only.
#[endpoint(
    POST "/v1/games/{id}/webhooks/{webhook}/deliveries/{delivery}/again", tag = "webhooks", token(play),
    params(("delivery" = String, Path)),
    responses((status = 202, description = "The delivery is queued", body = DeliveryView)),
    problems(NOT_SEATED, NOT_PROVED)
)]
pub async fn deliver_again(
    id: Id,
    path: web::Path<(String, String, String)>,
    sent: Idempotent<Nothing>,
) -> Result<HttpResponse, Problem> {
    again(sent, HookOf::Game(id.0), webhook(&path.1)?, &path.2).await
}

/// The webhook that a path names.
fn webhook(text: &str) -> Result<Uuid, ServiceError> {
    text.parse().map_err(|_| ServiceError::NotFound)
}

async fn list(
    state: &State,
    of: HookOf,
    member: &Authenticated,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let window = query.window()?;
    query.end()?;
    private(&state.service.notifier.webhooks(of, &member.0.player, &window).await?)
}

/// Does once what counts as a test of a hook: a player may do it so often only.
pub(super) async fn as_test<T, A: Serialize>(
    sent: Idempotent<T>,
    status: StatusCode,
    act: impl AsyncFnOnce(&State, &Session, T, Lang) -> Result<A, ServiceError>,
) -> Result<HttpResponse, Problem> {
    // Each of these asks a stranger's address, so that its client pays as well.
    sent.state.limits.tests_of_clients.enter(sent.payer_budget.client).map_err(too_many)?;
    sent.state.limits.tests.enter(sent.session.player.key).map_err(too_many)?;
    sent.once(status, act).await
}

async fn add(of: HookOf, sent: Idempotent<NewHook>) -> Result<HttpResponse, Problem> {
    let add = async |state: &State, session: &Session, new, lang| {
        state.service.notifier.add_webhook(of, session, new, lang).await
    };
    as_test(sent, StatusCode::CREATED, add).await
}

async fn change(of: HookOf, id: Uuid, sent: Idempotent<HookChanges>) -> Result<HttpResponse, Problem> {
    if sent.value.code.is_some() {
        sent.state.limits.tests.enter(sent.session.player.key).map_err(too_many)?;
    }
    let change = async |state: &State, session: &Session, changes, _| {
        state.service.notifier.change_webhook(of, &session.player, id, changes).await
    };
    sent.once(StatusCode::OK, change).await
}

async fn remove(sent: Idempotent<Nothing>, of: HookOf, id: Uuid) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.notifier.remove_webhook(of, &session.player, id).await)
        .await
}

async fn test(sent: Idempotent<Nothing>, of: HookOf, id: Uuid) -> Result<HttpResponse, Problem> {
    let test = async |state: &State, session: &Session, Nothing {}, _| {
        state.service.notifier.test_webhook(of, &session.player, id).await
    };
    as_test(sent, StatusCode::ACCEPTED, test).await
}

async fn deliveries(
    state: &State,
    of: HookOf,
    member: &Authenticated,
    id: Uuid,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let window = query.window()?;
    query.end()?;
    private(&state.service.notifier.deliveries(of, &member.0.player, id, &window).await?)
}

async fn again(
    sent: Idempotent<Nothing>,
    of: HookOf,
    id: Uuid,
    message: &str,
) -> Result<HttpResponse, Problem> {
    let again = async |state: &State, session: &Session, Nothing {}, _| {
        state.service.notifier.deliver_again(of, &session.player, id, message).await
    };
    as_test(sent, StatusCode::ACCEPTED, again).await
}
