//! Playing and watching.

use std::time::{Duration, Instant};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header::EntityTag},
    rt::time::timeout,
    web,
};
use uuid::Uuid;

use crate::{
    engine::fields::MAX_WHOLE,
    http::{
        budget::RequestBudget,
        preference,
        problem::Problem,
        request::{Authenticated, Caller, Id, Idempotent, Query, SentBody},
        response::{in_words, located_by, not_modified, private, private_aside, tagged},
        sse::{self, Frames},
        state::State,
    },
    service::{
        feed::{Next, Stream, StreamStart, Wait, Watching},
        reading::{
            event_item::EventItem,
            events::From,
            page::Page,
            trial::{Draft, NewDraft},
            view::{Perspective, Tagged, View},
        },
        tables::{Act, CommandDone, play::Command},
    },
    words::Status,
};

/// Get the position
///
/// Returns what the caller may see of a game: position, status, seats to act and, on request, legal
/// commands. Needs no token for public games. With `wait` and `If-None-Match` the request waits until the
/// view changes.
#[endpoint(
    GET "/v1/games/{id}/view", tag = "play", optional_token(read),
    params(
        (
            "seq" = Option<u64>, Query,
            description = "Return the view as of this log entry. Default: the newest."
        ),
        (
            "as" = Option<String>, Query,
            description = "Finished games only. Show the view of this seat, or `spectator`. Default: everything.",
            pattern = "^([0-3]|spectator)$"
        ),
        (
            "with" = Option<ViewExtra>, Query,
            description = "`legal`: include the legal commands of the caller's seat."
        ),
        ("words" = Option<bool>, Query),
        (
            "wait" = Option<u8>, Query,
            description = "Seconds to wait for a change, 1 to 60. Requires `If-None-Match`. Default: answer at once. A view with `seq` is answered at once.",
            minimum = 1, maximum = 60
        ),
        ("If-None-Match" = Option<String>, Header)
    ),
    responses(
        (status = 200, description = "The view", body = View, headers(("ETag" = String))),
        (status = 304, description = "Not modified")
    ),
    problems(GAME_NOT_FINISHED)
)]
pub async fn get_view(
    state: web::Data<State>,
    request: HttpRequest,
    id: Id,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let seq = query.seq("seq");
    let wait = query.whole("wait", 1, 60).map(i64::cast_unsigned);
    let eyes = query.word("as", &EYES).unwrap_or(Perspective::Own);
    let wish = query.view_options(preference::of_language(&request));
    query.end()?;
    let known = preference::known(&request);
    let payer_budget = RequestBudget::of(&request)?;
    let deadline = Instant::now() + Duration::from_secs(wait.unwrap_or(0));
    let waits = wait.is_some() && seq.is_none() && known.is_some();
    let (_listener, mut watching) = if waits {
        let listener = payer_budget.listen(Some(id.0))?;
        (Some(listener), Some(state.service.feed.watch(id.0, caller.player()).await?))
    } else {
        (None, None)
    };
    loop {
        if watching.is_some() {
            // A token may have ended during the wait.
            caller.still_holds().await?;
        }
        // The wait notices entries between here and the view.
        watching.as_mut().map(Watching::newest);
        let Tagged { view, tag } = state.service.reading.view(id.0, caller.player(), seq, eyes, wish).await?;
        let tag = EntityTag::new_strong(tag);
        if !known.as_ref().is_some_and(|known| preference::names(known, &tag)) {
            return Ok(in_words(tagged(private(&view)?, tag), wish.words));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let waited = match &mut watching {
            // Most do not wait, and have no room in themselves for it.
            Some(watching) if !left.is_zero() => Box::pin(timeout(left, watching.changed())).await,
            _ => return Ok(in_words(not_modified(tag), wish.words)),
        };
        // Changes without a wake-up, such as a new name, appear at the end of the wait.
        if waited.is_ok_and(|wait| wait != Wait::Changed) {
            return Ok(in_words(not_modified(tag), wish.words));
        }
    }
}

/// As whom a game that has ended may be looked at.
const EYES: [(&str, Perspective); 5] = [
    ("0", Perspective::Seat(0)),
    ("1", Perspective::Seat(1)),
    ("2", Perspective::Seat(2)),
    ("3", Perspective::Seat(3)),
    ("spectator", Perspective::Spectator),
];

/// Optional part of a view.
#[wire]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes a parameter")]
pub enum ViewExtra {
    Legal,
}

/// Send a command
///
/// Plays one command, or several at once with `commands`. `expected_seq` is the newest entry that you
/// have seen; if the game has moved on, the answer is 409 `stale_seq` and nothing happens. The answer
/// arrives when the command is on disk. It contains a signed receipt, the events and the new view.
#[endpoint(
    POST "/v1/games/{id}/commands", tag = "play", token(play),
    params(
        ("with" = Option<ViewExtra>, Query, description = "`legal`: include the legal commands in the view."),
        ("words" = Option<bool>, Query)
    ),
    request_body = Command,
    responses(
        (status = 201, description = "The command was accepted", body = CommandDone)
    ),
    problems(
        NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, STALE_SEQ, DEADLINE_PASSED, PAUSED, ILLEGAL_COMMAND, NOT_YOUR_TURN, COMMAND_NOT_LAST,
        AUTOPILOT_ACTIVE, INVALID_SIGNATURE, TOO_MANY_ENTRIES
    )
)]
pub async fn send_command(
    id: Id,
    Idempotent(mut sent): Idempotent<Command>,
) -> Result<HttpResponse, Problem> {
    let wish = sent.query.view_options(sent.lang);
    let play = |command| Act::Play(id.0, command, wish);
    Ok(played(Idempotent(sent).carry_out(StatusCode::CREATED, play).await?, id.0))
}

/// Adds the address of the command's entry.
fn played(response: HttpResponse, game: Uuid) -> HttpResponse {
    // The answer begins with its number: parsing the view in it would cost more than the rest.
    let number = |body: &[u8]| {
        let digits = body.strip_prefix(b"{\"seq\":")?.split(|byte| !byte.is_ascii_digit()).next()?;
        std::str::from_utf8(digits).ok()?.parse::<u64>().ok()
    };
    let path = |seq: u64| format!("/v1/games/{game}/events?after={}&limit=1", seq.saturating_sub(1));
    located_by(response, |body| number(body).map(path))
}

/// Try commands
///
/// Returns what the caller would see after the commands. No entry is written and no player is notified. The
/// draft stops before a command that draws, or whose effect depends on hidden information, so it reveals
/// nothing new.
#[endpoint(
    POST "/v1/games/{id}/drafts", tag = "play", token(play), params(("words" = Option<bool>, Query)),
    request_body = NewDraft, responses((status = 200, description = "The result", body = Draft)),
    problems(NOT_SEATED, GAME_NOT_RUNNING, RESIGNED, STALE_SEQ, ILLEGAL_COMMAND, NOT_YOUR_TURN)
)]
pub async fn try_commands(
    state: web::Data<State>,
    request: HttpRequest,
    member: Authenticated,
    id: Id,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let mut query = Query::read(request.query_string())?;
    let wish = query.words(preference::of_language(&request));
    query.end()?;
    let body = SentBody::<NewDraft>::of_caller(&request, payload.into_inner()).await?;
    let draft = state.service.reading.try_out(id.0, &member.0.player, &body.value, wish).await?;
    Ok(in_words(private(&draft)?, wish.words))
}

/// List or stream game events
///
/// Returns the entries of the log with their events, as the caller may see them. With `Accept:
/// text/event-stream` the answer is a stream of server-sent events: `id` is the seq, `data` is an item of
/// the list. The stream starts after `Last-Event-ID`, else after `after`, else with the next entry. When
/// the game has ended, the stream sends `end` (`EndOfStream`) and closes.
#[endpoint(
    GET "/v1/games/{id}/events", tag = "play", optional_token(read),
    params(
        (
            "after" = Option<String>, Query,
            description = "Return only later entries. -1: all. `mine`: later than the newest entry that the caller's own seat caused. Default: -1; in a stream, the newest entry.",
            pattern = "^(-1|[0-9]{1,16}|mine)$"
        ),
        ("cursor" = Option<String>, Query), ("limit" = Option<u32>, Query, minimum = 1, maximum = 100),
        ("words" = Option<bool>, Query),
        (
            "views" = Option<bool>, Query,
            description = "Streams only. Include the resulting view in each item. Default: `false`."
        ),
        (
            "with" = Option<ViewExtra>, Query,
            description = "Streams with views only. `legal`: include the legal commands of the caller's seat."
        ),
        (
            "ticket" = Option<String>, Query,
            description = "Streams only. A ticket from `POST /v1/streams/tickets` instead of a token."
        ),
        (
            "Last-Event-ID" = Option<String>, Header,
            description = "Streams only. Number of the last entry that was received.",
            pattern = "^([0-9]{1,16})?$"
        )
    ),
    responses(
        (
            status = 200, description = "A page of entries, or a stream",
            content((Page<EventItem> = "application/json"), (String = "text/event-stream"))
        ),
        (
            status = 204,
            description = "The game has ended and `Last-Event-ID` is its last event: do not reconnect"
        )
    ),
    problems(NOT_SEATED)
)]
pub async fn list_events(
    state: web::Data<State>,
    request: HttpRequest,
    id: Id,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let is_stream = sse::is_wanted(&request);
    let is_mine = query.take_word("after", "mine");
    let whence = query.after(-1);
    let limit = query.limit();
    let mut wish = query.view_options(preference::of_language(&request));
    wish.views = query.flag("views");
    // It was taken where the caller was asked for.
    let ticket = query.text("ticket");
    for (name, is_sent) in [("views", wish.views), ("with", wish.legal), ("ticket", ticket.is_some())] {
        if is_sent && !is_stream {
            query.refuse(name, "is for streams only", "vale solo per i flussi");
        }
    }
    query.end()?;
    let last = sse::last_event_id(&request)?.map(seq).transpose()?;
    let first = whence.and_then(|after| u64::try_from(after).ok()).map_or(0, |after| after.saturating_add(1));
    let from = if is_mine { From::Mine } else { From::Entry(first) };
    if !is_stream {
        let events = state.service.reading.events(id.0, caller.player(), from, limit, wish).await?;
        return Ok(in_words(private_aside(events).await?, wish.words));
    }
    let after = match (last, is_mine, whence) {
        (Some(seq), ..) => StreamStart::Entry(seq),
        (None, true, _) => StreamStart::Mine,
        (None, false, Some(_)) if first == 0 => StreamStart::Nothing,
        (None, false, Some(_)) => StreamStart::Entry(first - 1),
        (None, false, None) => StreamStart::Newest,
    };
    if let Some(head) = sse::head_alone(&request) {
        return Ok(head);
    }
    let payer_budget = RequestBudget::of(&request)?;
    let listener = payer_budget.listen(Some(id.0))?;
    let stream = state.service.feed.stream(id.0, caller.player().cloned(), after, wish).await?;
    if last.is_some() && stream.is_over() {
        // The client has heard the end. An `EventSource` does not reconnect after a 204.
        return Ok(HttpResponse::NoContent().finish());
    }
    let keep_alive = Duration::from_secs(state.config.keep_alive_seconds);
    Ok(sse::respond(
        &request,
        (payer_budget, listener),
        GameEvents { state, caller, stream, ended: false },
        keep_alive,
    ))
}

fn seq(text: &str) -> Result<u64, Problem> {
    let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let seq = digits.and_then(|digits| digits.parse().ok()).filter(|seq| *seq <= MAX_WHOLE);
    let (en, it) = ("must be the number of an entry", "dev'essere il numero di una voce");
    seq.ok_or_else(|| Problem::of_header("Last-Event-ID", en, it))
}

/// The entries of a game, as they come.
struct GameEvents {
    state: web::Data<State>,
    caller: Caller,
    stream: Stream,
    ended: bool,
}

/// Last item of a stream: the game has ended.
#[derive(serde::Serialize)]
#[wire]
pub struct EndOfStream {
    pub seq: u64,
    pub status: Status,
}

impl sse::FrameSource for GameEvents {
    async fn next(&mut self) -> Option<Frames> {
        if self.ended {
            return None;
        }
        Some(match self.state.service.feed.next(&mut self.stream).await.ok()?? {
            Next::Lines(lines) => {
                lines.iter().fold(Frames::default(), |told, line| told.event(&line.seq, None, &line.text))
            }
            Next::Said(text) => Frames::default().passing("message", &text),
            Next::End { seq, status } => {
                self.ended = true;
                let data = serde_json::to_string(&EndOfStream { seq, status }).unwrap_or_default();
                Frames::default().event(&seq, Some("end"), &data)
            }
        })
    }

    async fn is_allowed(&self) -> bool {
        self.caller.still_holds().await.is_ok()
    }

    fn proof(&self) -> Option<String> {
        self.caller.stream_proof()
    }

    fn begin(&self) -> String {
        self.stream.last().map_or_else(String::new, |seq| seq.to_string())
    }
}
