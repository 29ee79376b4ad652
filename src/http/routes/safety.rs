//! Reports to the operator, blocks, and the export of an account.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        budget::{RequestBudget, too_many},
        problem::Problem,
        request::{Authenticated, Id, Idempotent, OwnToken, Query},
        response::{private, private_aside},
        state::State,
    },
    service::{
        Session,
        accounts::{BlockView, Export},
        cost,
        moderation::NewReport,
        reading::page::{Page, Window},
        request::Nothing,
    },
};

/// Report to the operator
///
/// Shows a player, the title of a game, or a message to the operator, who sees a copy of it and who reported
/// it. A second report about the same subject replaces the first. At most 10 a day.
#[endpoint(
    POST "/v1/reports", tag = "safety", token(play), request_body = NewReport,
    responses((status = 204, description = "The operator has the report")),
    problems(NOT_FOUND, NOT_SEATED)
)]
pub async fn create_report(sent: Idempotent<NewReport>) -> Result<HttpResponse, Problem> {
    sent.state.limits.reports.enter(sent.session.player.key).map_err(too_many)?;
    sent.state.limits.reports_of_clients.enter(sent.payer_budget.client.site()).map_err(too_many)?;
    let report = async |state: &State, session: &Session, new| {
        state.service.moderation.report(&session.player, new).await
    };
    sent.end(report).await
}

/// List blocked players
///
/// Returns the players that the caller has blocked. Only the caller sees this list.
#[endpoint(
    GET "/v1/me/blocks", tag = "safety", token(account), params(Window),
    responses((status = 200, description = "A page of blocked players", body = Page<BlockView>))
)]
pub async fn list_blocks(
    state: web::Data<State>,
    mut query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    let window = query.window();
    query.end()?;
    private(&state.service.accounts.blocks(&member.0.player, &window).await?)
}

/// Get a blocked player
///
/// Returns a player that the caller has blocked.
#[endpoint(
    GET "/v1/me/blocks/{id}", tag = "safety", token(account),
    responses((status = 200, description = "The blocked player", body = BlockView))
)]
pub async fn get_block(
    state: web::Data<State>,
    member: Authenticated,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.accounts.blocked(&member.0.player, id.0).await?)
}

/// Block a player
///
/// The player cannot join the caller's open tables, does not see them in lists, and cannot invite the caller
/// or write to it. The player is not told. Common games continue.
#[endpoint(
    PUT "/v1/me/blocks/{id}", tag = "safety", token(account),
    responses((status = 200, description = "The blocked player", body = BlockView)),
    problems(NOT_FOUND, TOO_MANY_BLOCKS)
)]
pub async fn block_player(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    let block = async |state: &State, session: &Session, _, _| {
        state.service.accounts.block(&session.player, id.0).await
    };
    sent.once(StatusCode::OK, block).await
}

/// Unblock a player
///
/// Ends a block. Succeeds also if the player is not blocked.
#[endpoint(
    DELETE "/v1/me/blocks/{id}", tag = "safety", token(account),
    responses((status = 204, description = "The player is not blocked"))
)]
pub async fn unblock_player(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.end(async |state, session, _| state.service.accounts.unblock(&session.player, id.0).await).await
}

/// Export your data
///
/// Returns everything that the server has about the caller, in one answer. Also for a suspended account. At
/// most 6 an hour.
#[endpoint(
    GET "/v1/me/export", tag = "account", token(account), suspended_too(),
    responses((status = 200, description = "All data of the caller", body = Export))
)]
pub async fn export_me(
    _: OwnToken,
    state: web::Data<State>,
    request: HttpRequest,
    query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    // Answers are large, and are in memory until they are read.
    state.limits.exports.enter(member.0.player.key).map_err(too_many)?;
    state.limits.exports_of_clients.enter(RequestBudget::of(&request)?.client.site()).map_err(too_many)?;
    let _room = cost::admitted(&state.exporting).await?;
    private_aside(state.service.accounts.export(&member.0).await?).await
}
