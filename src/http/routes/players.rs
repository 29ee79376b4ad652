//! Players.

use std::{rc::Rc, time::Duration};

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};

use crate::{
    http::{
        budget::{RequestBudget, too_many},
        problem::Problem,
        request::{Authenticated, Caller, Id, Open, Query},
        response::{located, private, private_aside},
        sse::{self, Frames},
        state::State,
    },
    service::{
        accounts::{NewPlayer, NewPlayerView},
        feed::{Heard, Inbox, Position},
        reading::{game_view::GameView, list::Listing, page::Page, profile::Profile},
    },
    words::{Registration, Status, Turns},
};

/// Create a player
///
/// Creates an account. Needs no email address and no password. The token and the recovery code are shown
/// only once: store the token in your program, and the recovery code in a safe place.
#[endpoint(
    POST "/v1/players", tag = "players", request_body = NewPlayer,
    responses(
        (status = 201, description = "The player with its token and recovery code", body = NewPlayerView)
    ),
    problems(PLAYER_EXISTS, REGISTRATION_CLOSED, INVALID_CODE, NAME_TAKEN)
)]
pub async fn create_player(sent: Open<NewPlayer>) -> Result<HttpResponse, Problem> {
    sent.state().limits.accounts.enter(sent.payer_budget.client).map_err(too_many)?;
    let create = async |state: &State, new| state.service.accounts.create_player(new).await;
    let budget = Rc::clone(&sent.payer_budget);
    let is_invited = sent.state().service.instance.registration() == Registration::Invited;
    let created = sent.secret(StatusCode::CREATED, create);
    let created = if is_invited { budget.try_code(created).await? } else { created.await? };
    Ok(located(created, "/v1/players/{/player/id}"))
}

/// Get a player
///
/// Returns name and results of a player. Private games are not counted.
#[endpoint(
    GET "/v1/players/{id}", tag = "players", optional_token(read),
    params(("If-None-Match" = Option<String>, Header)),
    responses(
        (status = 200, description = "The player", body = Profile, headers(("ETag" = String))),
        (status = 304, description = "Not modified")
    )
)]
pub async fn get_player(state: web::Data<State>, id: Id, query: Query) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.reading.profile(id.0).await?)
}

/// List your games
///
/// Returns the caller's games. `turn=mine` lists the games that wait for the caller, longest waiting
/// first.
#[endpoint(
    GET "/v1/me/games", tag = "players", token(read),
    params(
        (
            "turn" = Option<Turns>, Query,
            description = "`mine`: only games in which the caller has to act, longest waiting first."
        ),
        ("status" = Option<Status>, Query, description = "Only games with this status."),
        crate::service::reading::page::Window, ("If-None-Match" = Option<String>, Header)
    ),
    responses(
        (status = 200, description = "A page of games", body = Page<GameView>, headers(("ETag" = String))),
        (status = 304, description = "The page has not changed")
    )
)]
pub async fn list_my_games(
    state: web::Data<State>,
    mut query: Query,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    let mine = query.word("turn", Turns::WORDS).is_some();
    let listing = Listing {
        status: query.word("status", Status::WORDS),
        window: query.window(),
        only: member.0.game,
        ..Listing::default()
    };
    query.end()?;
    let player = &member.0.player;
    let page = if mine {
        state.service.reading.waiting_games(player, &listing).await?
    } else {
        state.service.reading.games_of(player, &listing).await?
    };
    private_aside(page).await
}

/// Stream your notifications
///
/// A stream of server-sent events about all games of the caller.
///
/// Events with ids: `turn` (`TurnNotice`), `sealed`, `started`, `finished`, `void` (`GameNotice`), `seat`
/// (`SeatNotice`: taken, left or given up) and `autopilot` (`TurnNotice`: it took over the caller's
/// seat). The stream starts after `Last-Event-ID`,
/// else after `after`, else with the next event. If the missed events are no longer known, the first
/// event is `reset`: read `/v1/me/games` again. With several servers, events of the last half minute may
/// arrive twice, under the same ids.
///
/// Events without ids are not stored and not repeated after a reconnect: `deadline` (`DeadlineNotice`: a
/// quarter of the time is left), `rematch` (`RematchNotice`), `substitution` (`SubstitutionNotice`),
/// `message` (`MessageNotice`), `invitation` (`InvitationNotice`, for bots) and `webhook`
/// (`WebhookNotice`: one of the caller's webhooks was turned off).
#[endpoint(
    GET "/v1/me/events", tag = "players", token(read),
    params(
        (
            "ticket" = Option<String>, Query,
            description = "A ticket from `POST /v1/streams/tickets` instead of a token."
        ),
        (
            "after" = Option<String>, Query,
            description = "Id of the last event that was received. The stream continues after it. `Last-Event-ID` takes precedence.",
            pattern = "^[0-9]{1,18}(-[0-9a-f]{32}-[0-9]{1,10})?-[0-9]$"
        ),
        (
            "present" = Option<String>, Query,
            description = "Name of a page that a person is looking at. While it is connected, webhooks, email and push stay silent. `DELETE /v1/me/presence/{page}` ends this at once.",
            pattern = "^[0-9A-Za-z_-]{1,40}$"
        ),
        (
            "Last-Event-ID" = Option<String>, Header, description = "The id of the last event that was seen",
            pattern = "^[0-9]{1,18}(-[0-9a-f]{32}-[0-9]{1,10})?-[0-9]$"
        )
    ),
    responses((status = 200, description = "The stream", body = String, content_type = "text/event-stream"))
)]
pub async fn stream_my_events(
    state: web::Data<State>,
    request: HttpRequest,
    mut query: Query,
    caller: Caller,
    member: Authenticated,
) -> Result<HttpResponse, Problem> {
    // It was taken where the caller was asked for.
    query.text("ticket");
    let present = query.page("present");
    let after = query.text("after");
    query.end()?;
    let last = sse::last_event_id(&request)?.or(after.as_deref()).map(Position::read).transpose()?;
    if let Some(head) = sse::head_alone(&request) {
        return Ok(head);
    }
    let payer_budget = RequestBudget::of(&request)?;
    let listener = payer_budget.listen(None)?;
    let inbox = state.service.feed.inbox(&member.0, last, present).await?;
    let greeting = inbox.reset().map(|position| Frames::default().event(&position, Some("reset"), "{}"));
    let keep_alive = Duration::from_secs(state.config.keep_alive_seconds);
    Ok(sse::respond(&request, (payer_budget, listener), Notices { caller, inbox, greeting }, keep_alive))
}

/// A player's notices, as they come.
struct Notices {
    caller: Caller,
    inbox: Inbox,
    greeting: Option<Frames>,
}

impl sse::FrameSource for Notices {
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
