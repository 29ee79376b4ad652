//! Players.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        problem::Problem,
        purse::{Purse, too_many},
        request::{Caller, Id, Member, Open, Query},
        response::{private, private_aside},
        sse::{self, Frames},
        state::State,
    },
    service::{
        act::accounts::{NewPlayer, NewPlayerView},
        feed::{Heard, Inbox, Position},
        read::{
            game_view::GameView,
            list::Listing,
            page::Page,
            profile::{BotView, Profile},
        },
    },
    words::{Status, Turns},
};

/// Create a player
///
/// The token and the recovery code are shown this once. Keep the one in the program, and the other on paper.
#[cfg_attr(feature = "openapi", utoipa::path(post, path = "/v1/players", tag = "players", request_body = NewPlayer,
    responses((status = 201, description = "The player and its token", body = NewPlayerView))))]
pub async fn create_player(sent: Open<NewPlayer>) -> Result<HttpResponse, Problem> {
    sent.state().limits.accounts.enter(sent.purse.client).map_err(too_many)?;
    let create = async |state: &State, new| state.service.create_player(new).await;
    sent.secret(StatusCode::CREATED, create).await
}

/// Those who are no persons
///
/// The players of the server's own, with their levels, and programs of people, with what they take part in.
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/players", tag = "players", security((), ("token" = ["read"])),
    params(("bot" = String, Query, pattern = "^true$", description = "`true`: persons are not listed"),
        crate::service::read::page::Window),
    responses((status = 200, description = "A page of players", body = Page<BotView>))))]
pub async fn list_players(
    state: web::Data<State>,
    mut query: Query,
    _caller: Caller,
) -> Result<HttpResponse, Problem> {
    if query.word("bot", &[("true", ())])?.is_none() {
        let (en, it) = (
            "query: `bot` must be `true`: persons are not listed",
            "query: `bot` dev'essere `true`: le persone non si elencano",
        );
        return Err(Problem::malformed(en, it));
    }
    let window = query.window()?;
    query.end()?;
    private(&state.service.bots(&window).await?)
}

/// A player
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/players/{id}", tag = "players", security((), ("token" = ["read"])), 
    params(("id" = Uuid, Path), ("If-None-Match" = Option<String>, Header)),
    responses((status = 200, description = "The player, and what came of its games; private ones do not count", body = Profile, headers(("ETag" = String))),
        (status = 304, description = "Nothing has changed"))))]
pub async fn get_player(state: web::Data<State>, id: Id, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.profile(id.0).await?)
}

/// The player's games
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/me/games", tag = "players", security(("token" = ["read"])),
    params(
        ("turn" = Option<Turns>, Query, description = "`mine`: only games that wait for this player, the longest waiting first"),
        ("status" = Option<Status>, Query, description = "Only games of this status"),
        crate::service::read::page::Window,
        ("If-None-Match" = Option<String>, Header),
    ),
    responses((status = 200, description = "A page of games", body = Page<GameView>, headers(("ETag" = String))),
        (status = 304, description = "The page has not changed"))))]
pub async fn my_games(
    state: web::Data<State>,
    mut query: Query,
    member: Member,
) -> Result<HttpResponse, Problem> {
    let mine = query.word("turn", Turns::WORDS)?.is_some();
    let listing = Listing {
        status: query.word("status", Status::WORDS)?,
        window: query.window()?,
        only: member.0.game,
        ..Listing::default()
    };
    query.end()?;
    let player = &member.0.player;
    let page = if mine {
        state.service.waiting_games(player, &listing).await?
    } else {
        state.service.games_of(player, &listing).await?
    };
    private_aside(page).await
}

/// What the player is waiting for, in all its games
///
/// A stream of server-sent events. `turn`: it became the player's turn (`TurnNotice`). `sealed`: a table waits for promised bytes;
/// `started`, `finished`, `void`: what became of a game (`GameNotice`; `game` says the same by one name, for the first clients).
/// `seat`: one was taken, left or given up (`SeatNotice`). `autopilot`: it has the player's seat (`TurnNotice`). These have ids, and
/// the stream begins after `Last-Event-ID`, else with what comes next. If that event lies too far back to tell what was missed,
/// the first event is `reset`: look at `/v1/me/games`. Where several servers share a database, what happened in the last half
/// minute before that event may be told again, under the ids that it had.
///
/// Without ids, and told to those alone who listen: `deadline`, a quarter of the time is left (`DeadlineNotice`); `rematch`, somebody
/// asks for one (`RematchNotice`); `substitution`, for the seat that the player offers (`SubstitutionNotice`); `message` (`MessageNotice`);
/// `invitation`, for a program that somebody wants at a table (`InvitationNotice`); `webhook`, one of the player's is off (`WebhookNotice`).
#[cfg_attr(feature = "openapi", utoipa::path(get, path = "/v1/me/events", tag = "players", security(("token" = ["read"])),
    params(("ticket" = Option<String>, Query, description = "In place of a token (`POST /v1/streams/tickets`)"),
        ("after" = Option<String>, Query, description = "The id of the last event that was seen: the stream continues after it. `Last-Event-ID` counts more", pattern = "^[0-9]{1,18}(-[0-9a-f]{32}-[0-9]{1,10})?-[0-9]$"),
        ("present" = Option<String>, Query, description = "That a person looks at the page which listens, which calls itself so. As long as it listens, or until it says that nobody looks any more (`DELETE /v1/me/presence`), nothing is sent to the player by webhooks, mail or push", pattern = "^[0-9A-Za-z_-]{1,40}$"),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was seen", pattern = "^[0-9]{1,18}(-[0-9a-f]{32}-[0-9]{1,10})?-[0-9]$")),
    responses((status = 200, description = "The stream", body = String, content_type = "text/event-stream"))))]
pub async fn my_events(
    state: web::Data<State>,
    request: HttpRequest,
    mut query: Query,
    caller: Caller,
    member: Member,
) -> Result<HttpResponse, Problem> {
    // It was taken where the caller was asked for.
    query.text("ticket");
    let present = query.page("present")?;
    let after = query.text("after");
    query.end()?;
    let last = sse::last_event_id(&request)?.or(after.as_deref()).map(Position::read).transpose()?;
    if let Some(head) = sse::head_alone(&request) {
        return Ok(head);
    }
    let purse = Purse::of(&request)?;
    let listener = purse.listen(None)?;
    let inbox = state.service.inbox(&member.0, last, present).await?;
    let greeting = inbox.reset().map(|position| Frames::default().event(&position, Some("reset"), "{}"));
    let keep_alive = Duration::from_secs(state.config.keep_alive_seconds);
    Ok(sse::respond(&request, (purse, listener), Notices { caller, inbox, greeting }, keep_alive))
}

/// A player's notices, as they come.
struct Notices {
    caller: Caller,
    inbox: Inbox,
    greeting: Option<Frames>,
}

impl sse::Source for Notices {
    async fn next(&mut self) -> Option<Frames> {
        if let Some(greeting) = self.greeting.take() {
            return Some(greeting);
        }
        Some(match self.inbox.next().await? {
            Heard::Notice(notice) => {
                let (event, data) = notice.text();
                Frames::default().event(&notice.position(), Some(event), &data)
            }
            Heard::Note(note) => Frames::default().passing(note.kind, &note.data),
        })
    }

    async fn is_allowed(&self) -> bool {
        self.caller.still_holds().await.is_ok()
    }

    fn proof(&self) -> Option<String> {
        self.caller.stream_proof()
    }

    fn begin(&self) -> String {
        self.inbox.begin().to_string()
    }
}
