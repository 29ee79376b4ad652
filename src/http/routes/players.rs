//! Players.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};

use super::private;
use crate::{
    engine::Fields,
    http::{
        app::State,
        problem::Problem,
        request::{Caller, Json, NoBody, Query},
        sse,
    },
    service::{
        ServiceError,
        following::Inbox,
        listing::Listing,
        notice::Place,
        page::Page,
        players::{Name, NewPlayerView, PlayerView, TokenView},
        resource::{GameView, StatusView},
    },
    store::Status,
};

#[derive(utoipa::ToSchema)]
#[allow(dead_code, reason = "describes a request")]
pub struct NewPlayer {
    /// 1 to 40 characters after trimming, without control characters. Need not be unique.
    #[schema(
        min_length = 1,
        max_length = 40,
        pattern = r"^[^\x00-\x20\x7f-\xa0](?:[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0])?$",
        example = "Ada"
    )]
    name: String,
}

/// Which turns a list is about.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes a request")]
pub enum Turns {
    Mine,
}

/// Create a player
///
/// The token is shown this once. Keep it.
#[utoipa::path(post, path = "/v1/players", tag = "players", request_body = NewPlayer,
    responses((status = 201, description = "The player and its token", body = NewPlayerView)))]
pub async fn create_player(state: web::Data<State>, body: Json) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::of(&body.value, "").map_err(ServiceError::from)?;
    let name = Name::read(&mut fields).map_err(ServiceError::from)?;
    fields.end().map_err(ServiceError::from)?;
    let created = state.service.create_player(name).await?;
    Ok(HttpResponse::Created().insert_header(("Cache-Control", "no-store")).json(created))
}

/// The player whose token it is
#[utoipa::path(get, path = "/v1/me", tag = "players", security(("token" = [])),
    responses((status = 200, description = "The player", body = PlayerView)))]
pub async fn me(query: Query, caller: Caller) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&PlayerView::from(&caller.player()?))
}

/// Take a new token
///
/// The old one ends.
#[utoipa::path(post, path = "/v1/me/token", tag = "players", security(("token" = [])),
    responses((status = 200, description = "The new token", body = TokenView)))]
pub async fn renew_token(
    state: web::Data<State>,
    _body: NoBody,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let token = state.service.renew_token(&caller.player()?).await?;
    Ok(HttpResponse::Ok().insert_header(("Cache-Control", "no-store")).json(token))
}

/// The player's games
#[utoipa::path(get, path = "/v1/me/games", tag = "players", security(("token" = [])),
    params(
        ("turn" = Option<Turns>, Query, description = "`mine`: only games that wait for this player, the longest waiting first"),
        ("status" = Option<StatusView>, Query, description = "Only games of this status"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, pattern = "^[0-9a-f]{32}$", description = "From `next_cursor` of the page before"),
    ),
    responses((status = 200, description = "A page of games", body = Page<GameView>)))]
pub async fn my_games(
    state: web::Data<State>,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let mine = query.word("turn", |word| (word == "mine").then_some(()))?.is_some();
    let listing = Listing {
        status: query.word("status", Status::from_word)?,
        cursor: query.text("cursor"),
        limit: query.limit()?,
        ..Listing::default()
    };
    query.end()?;
    let player = caller.player()?;
    let page = if mine {
        state.service.waiting_games(&player, &listing).await?
    } else {
        state.service.games_of(&player, &listing).await?
    };
    private(&page)
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
    let last = sse::last_event_id(&request)?.map(Place::read).transpose().map_err(ServiceError::from)?;
    let player = caller.player()?;
    state.has_room_for_a_stream()?;
    let inbox = state.service.inbox(&player, last)?;
    let greeting = inbox.begins_anew().map(|place| sse::Frame::new(&place, Some("reset"), "{}"));
    let keep_alive = Duration::from_secs(state.config.keep_alive);
    sse::respond(&request, Notices { caller, inbox, greeting }, keep_alive)
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
        Some(vec![sse::Frame::new(&notice.place(), Some(event), &data)])
    }

    fn is_allowed(&self) -> bool {
        self.caller.player().is_ok()
    }
}
