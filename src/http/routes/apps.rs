//! Apps that a player has connected.

use actix_web::{HttpResponse, web};

use crate::{
    http::{
        problem::Problem,
        request::{Authenticated, Id, Idempotent, OwnToken, Query},
        response::private,
        state::State,
    },
    service::{accounts::oauth::AppView, reading::page::Page, request::Nothing},
};

/// List your connected apps
///
/// Returns the apps that the caller has connected, oldest first.
#[endpoint(
    GET "/v1/me/apps", tag = "apps", token(account), params(crate::service::reading::page::Window),
    responses((status = 200, description = "A page of apps", body = Page<AppView>))
)]
pub async fn list_apps(
    state: web::Data<State>,
    mut query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    let window = query.window();
    query.end()?;
    private(&state.service.accounts.apps(&member.0, &window).await?)
}

/// Get a connected app
///
/// Returns an app that the caller has connected.
#[endpoint(
    GET "/v1/me/apps/{id}", tag = "apps", token(account),
    responses((status = 200, description = "The app", body = AppView))
)]
pub async fn get_app(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.accounts.app(&member.0, id.0).await?)
}

/// Disconnect an app
///
/// Ends all tokens of the app. An app cannot use this; it revokes its own tokens at `/oauth/revoke`.
#[endpoint(
    DELETE "/v1/me/apps/{id}", tag = "apps", token(account),
    responses((status = 204, description = "The app is disconnected"))
)]
pub async fn disconnect_app(id: Id, _: OwnToken, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.accounts.end_app(session, id.0).await).await
}
