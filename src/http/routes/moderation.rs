//! The instance, the operators' log, and the API of operators.

use actix_web::{HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        request::{ByOperator, Id, Query},
        response::{located, private},
        state::State,
    },
    service::{
        instance::ServerView,
        moderation::{
            ActDone, ActView, BanView, InvitationView, KnownPlayerView, NewAct, Operator, OperatorTokenView,
            ReportChange, ReportView,
        },
        reading::{
            game_view::GameView,
            list::Listing,
            page::{Page, Window},
        },
    },
    words::Status,
};

/// Get the server
///
/// Returns the name of the instance, its registration mode, a notice of the operator, and links.
#[endpoint(
    GET "/v1/server", tag = "server", suspended_too(),
    responses((status = 200, description = "The server", body = ServerView))
)]
pub async fn get_server(state: web::Data<State>, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.instance.view())
}

/// Read the operators' log
///
/// Returns the acts of operators, newest first, each with its reason and the player or game concerned. The
/// log is append-only. It names no address, and no game that is not public.
#[endpoint(
    GET "/v1/operator-log", tag = "server", suspended_too(),
    params(
        ("about" = Option<uuid::Uuid>, Query, description = "Return only acts about this player or game."),
        Window
    ),
    responses((status = 200, description = "A page of acts", body = Page<ActView>))
)]
pub async fn list_operator_acts(state: web::Data<State>, mut query: Query) -> Result<HttpResponse, Problem> {
    let about = query.id("about");
    let window = query.window();
    query.end()?;
    private(&state.service.moderation.acts(about, &window).await?)
}

/// Get an act of an operator
///
/// Returns an act of the operators' log.
#[endpoint(
    GET "/v1/operator-log/{id}", tag = "server", suspended_too(),
    responses((status = 200, description = "The act", body = ActView))
)]
pub async fn get_operator_act(
    state: web::Data<State>,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.moderation.logged_act(id.0).await?)
}

/// Act as operator
///
/// Performs an act and writes it to the public log. The members that an act needs are named at each of them.
#[endpoint(
    POST "/v1/operator-log", tag = "admin", operator(), request_body = NewAct,
    responses((status = 201, description = "The act, with a secret that it made", body = ActDone)),
    problems(NOT_FOUND, NAME_TAKEN, GAME_NOT_RUNNING, RESIGNED)
)]
pub async fn act_as_operator(sent: ByOperator<NewAct>) -> Result<HttpResponse, Problem> {
    let act =
        async |state: &State, operator: &Operator, new| state.service.moderation.act(operator, new).await;
    let response = sent.secret(StatusCode::CREATED, act).await?;
    Ok(located(response, "/v1/operator-log/{/id}"))
}

/// List players as operator
///
/// Returns all players, newest first, also those whose names contain a text or who are banned.
#[endpoint(
    GET "/v1/admin/players", tag = "admin", operator(),
    params(
        ("name" = Option<String>, Query, description = "Return only players whose names contain this."),
        ("banned" = Option<bool>, Query, description = "Return only banned players."),
        Window
    ),
    responses((status = 200, description = "A page of players", body = Page<KnownPlayerView>))
)]
pub async fn list_known_players(
    state: web::Data<State>,
    _operator: Operator,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let name = query.text("name");
    let is_banned = query.flag("banned");
    let window = query.window();
    query.end()?;
    private(&state.service.moderation.players(name.as_deref(), is_banned, &window).await?)
}

/// Get a player as operator
///
/// Returns a player with its ban and the number of its unfinished games.
#[endpoint(
    GET "/v1/admin/players/{id}", tag = "admin", operator(),
    responses((status = 200, description = "The player", body = KnownPlayerView))
)]
pub async fn get_known_player(
    state: web::Data<State>,
    _operator: Operator,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.moderation.player(id.0).await?)
}

/// List games as operator
///
/// Returns all games, newest first. Titles of private games are left out: report what is wrong with them.
#[endpoint(
    GET "/v1/admin/games", tag = "admin", operator(),
    params(
        ("status" = Option<Status>, Query, description = "Return only games with this status."),
        ("player" = Option<uuid::Uuid>, Query, description = "Return only games of this player."),
        Window
    ),
    responses((status = 200, description = "A page of games", body = Page<GameView>))
)]
pub async fn list_known_games(
    state: web::Data<State>,
    _operator: Operator,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let (status, player) = (query.word("status", Status::WORDS), query.id("player"));
    let listing = Listing { status, player, window: query.window(), ..Listing::default() };
    query.end()?;
    private(&state.service.reading.games_for_operator(&listing).await?)
}

/// Get a game as operator
///
/// Returns any game. The title of a private game is left out.
#[endpoint(
    GET "/v1/admin/games/{id}", tag = "admin", operator(),
    responses((status = 200, description = "The game", body = GameView))
)]
pub async fn get_known_game(
    state: web::Data<State>,
    _operator: Operator,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.reading.game_for_operator(id.0).await?)
}

/// List banned addresses
///
/// Returns the addresses and networks that are banned now.
#[endpoint(
    GET "/v1/admin/addresses", tag = "admin", operator(),
    responses((status = 200, description = "The addresses", body = Page<BanView>))
)]
pub async fn list_banned_addresses(
    state: web::Data<State>,
    _operator: Operator,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.moderation.banned_addresses())
}

/// List registration invitations
///
/// Returns the invitations that are not used up, without their codes.
#[endpoint(
    GET "/v1/admin/invitations", tag = "admin", operator(), params(Window),
    responses((status = 200, description = "A page of invitations", body = Page<InvitationView>))
)]
pub async fn list_registration_invitations(
    state: web::Data<State>,
    _operator: Operator,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let window = query.window();
    query.end()?;
    private(&state.service.moderation.invitations(&window).await?)
}

/// List operator tokens
///
/// Returns the tokens of operators, without their secrets.
#[endpoint(
    GET "/v1/admin/tokens", tag = "admin", operator(), params(Window),
    responses((status = 200, description = "A page of tokens", body = Page<OperatorTokenView>))
)]
pub async fn list_operator_tokens(
    state: web::Data<State>,
    _operator: Operator,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let window = query.window();
    query.end()?;
    private(&state.service.moderation.operator_tokens(&window).await?)
}

/// List reports
///
/// Returns what players reported, newest first, with a copy of it.
#[endpoint(
    GET "/v1/admin/reports", tag = "admin", operator(),
    params(
        ("closed" = Option<bool>, Query, description = "Return closed reports instead of open ones."),
        Window
    ),
    responses((status = 200, description = "A page of reports", body = Page<ReportView>))
)]
pub async fn list_reports(
    state: web::Data<State>,
    _operator: Operator,
    mut query: Query,
) -> Result<HttpResponse, Problem> {
    let is_open = !query.flag("closed");
    let window = query.window();
    query.end()?;
    private(&state.service.moderation.reports(is_open, &window).await?)
}

/// Get a report
///
/// Returns what a player reported, with a copy of it.
#[endpoint(
    GET "/v1/admin/reports/{id}", tag = "admin", operator(),
    responses((status = 200, description = "The report", body = ReportView))
)]
pub async fn get_report(
    state: web::Data<State>,
    _operator: Operator,
    id: Id,
    query: Query,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.moderation.player_report(id.0).await?)
}

/// Close a report
///
/// Marks a report as settled, or opens it again.
#[endpoint(
    PATCH "/v1/admin/reports/{id}", tag = "admin", operator(), request_body = ReportChange,
    responses((status = 200, description = "The report", body = ReportView))
)]
pub async fn update_report(id: Id, sent: ByOperator<ReportChange>) -> Result<HttpResponse, Problem> {
    let change = async |state: &State, _: &Operator, change: ReportChange| {
        state.service.moderation.change_report(id.0, &change).await
    };
    sent.secret(StatusCode::OK, change).await
}
