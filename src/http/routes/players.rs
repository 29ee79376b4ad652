//! Players.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::{
    http::{
        problem::Problem,
        purse::{Purse, too_many},
        request::{Body, Caller, Query},
        response::{private, private_aside},
        sse,
        state::State,
    },
    service::{
        act::accounts::{NewPlayer, NewPlayerView, PlayerView, TokenView},
        feed::{Inbox, Position},
        read::{game_view::GameView, list::Listing, page::Page},
        request::Nothing,
    },
    words::{Status, Turns},
};

/// Create a player
///
/// The token is shown this once. Keep it.
#[utoipa::path(post, path = "/v1/players", tag = "players", request_body = NewPlayer,
    responses((status = 201, description = "The player and its token", body = NewPlayerView)))]
pub async fn create_player(
    state: web::Data<State>,
    request: HttpRequest,
    body: Body<NewPlayer>,
) -> Result<HttpResponse, Problem> {
    state.limits.accounts.enter(Purse::of(&request)?.client).map_err(too_many)?;
    let created = state.service.create_player(body.value).await?;
    Ok(HttpResponse::Created().insert_header(("Cache-Control", "no-store")).json(created))
}

/// The player whose token it is
#[utoipa::path(get, path = "/v1/me", tag = "players", security(("token" = [])),
    responses((status = 200, description = "The player", body = PlayerView)))]
pub async fn me(query: Query, caller: Caller) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&PlayerView::from(&caller.player().await?))
}

/// Take a new token
///
/// The old one ends.
#[utoipa::path(post, path = "/v1/me/token", tag = "players", security(("token" = [])),
    responses((status = 200, description = "The new token", body = TokenView)))]
pub async fn renew_token(
    state: web::Data<State>,
    _body: Body<Nothing>,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let token = state.service.renew_token(&caller.player().await?).await?;
    Ok(HttpResponse::Ok().insert_header(("Cache-Control", "no-store")).json(token))
}

/// The player's games
#[utoipa::path(get, path = "/v1/me/games", tag = "players", security(("token" = [])),
    params(
        ("turn" = Option<Turns>, Query, description = "`mine`: only games that wait for this player, the longest waiting first"),
        ("status" = Option<Status>, Query, description = "Only games of this status"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, pattern = "^[0-9a-f]{32}$", description = "From `next_cursor` of the page before"),
    ),
    responses((status = 200, description = "A page of games", body = Page<GameView>)))]
pub async fn my_games(
    state: web::Data<State>,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let mine = query.word("turn", Turns::from_word)?.is_some();
    let listing = Listing {
        status: query.word("status", Status::from_word)?,
        cursor: query.text("cursor"),
        limit: query.limit()?,
        ..Listing::default()
    };
    query.end()?;
    let player = caller.player().await?;
    let page = if mine {
        state.service.waiting_games(&player, &listing).await?
    } else {
        state.service.games_of(&player, &listing).await?
    };
    private_aside(page).await
}

/// What the player is waiting for, in all its games
///
/// A stream of server-sent events: `turn` when it became the player's turn (`TurnNotice`), `game` when a game started,
/// finished or became void (`GameNotice`). It begins after `Last-Event-ID`, else with what comes next. If that event lies
/// too far back to tell what was missed, the first event is `reset`: look at `/v1/me/games`.
#[utoipa::path(get, path = "/v1/me/events", tag = "players", security(("token" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was seen", pattern = "^[0-9]{1,18}-[01]$")),
    responses((status = 200, description = "The stream", body = String, content_type = "text/event-stream")))]
pub async fn my_events(
    state: web::Data<State>,
    request: HttpRequest,
    query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let last = sse::last_event_id(&request)?.map(Position::read).transpose()?;
    let player = caller.player().await?;
    if let Some(head) = sse::head_alone(&request)? {
        return Ok(head);
    }
    let purse = Purse::of(&request)?;
    let place = purse.listen()?;
    let inbox = state.service.inbox(&player, last).await?;
    let greeting = inbox.reset().map(|position| sse::Frame::new(&position, Some("reset"), "{}"));
    let keep_alive = Duration::from_secs(state.config.keep_alive_seconds);
    Ok(sse::respond(purse, place, Notices { caller, inbox, greeting }, keep_alive))
}

/// A player's notices, as they come.
struct Notices {
    caller: Caller,
    inbox: Inbox,
    greeting: Option<sse::Frame>,
}

impl sse::Source for Notices {
    async fn next(&mut self) -> Option<Vec<sse::Frame>> {
        if let Some(greeting) = self.greeting.take() {
            return Some(vec![greeting]);
        }
        let notice = self.inbox.next().await?;
        let (event, data) = notice.text();
        Some(vec![sse::Frame::new(&notice.position(), Some(event), &data)])
    }

    async fn is_allowed(&self) -> bool {
        self.caller.player().await.is_ok()
    }
}
