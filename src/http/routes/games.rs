//! Tables: listed, created, joined, left.

use std::time::{Duration, Instant};

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    rt::time::{sleep, timeout},
    web,
};

use crate::{
    http::{
        budget::{RequestBudget, too_many},
        preference,
        problem::Problem,
        request::{Caller, Id, Idempotent, Query, UnscopedToken},
        response::{located, not_modified, private, private_aside, tag_of, tagged},
        state::State,
    },
    service::{
        ServiceError, Session,
        feed::{Lobby, Wait},
        reading::{
            game_view::{GameView, GameWithReceipt, InvitedGame},
            list::Listing,
            page::Page,
        },
        request::{Nothing, OptionalBody},
        tables::{
            Act,
            new_table::{JoinRequest, NewGame, NewInvitation, NewRematch, NewTable, Reveal},
            substitution::{AskedFor, is_substitution},
        },
    },
    words::Status,
};

/// Address of a new game.
const GAME: &str = "/v1/games/{/id}";

/// How long changes of tables are gathered for those who wait for them.
const TOGETHER: Duration = Duration::from_millis(300);

/// Filter for games with or without a clock.
#[wire]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "describes a parameter")]
pub enum ClockFilter {
    Any,
    None,
}

/// List public games
///
/// Returns public games, newest first. Filters can be combined. Needs no token. With `wait` and
/// `If-None-Match` the request waits until the list changes.
#[endpoint(
    GET "/v1/games", tag = "games", optional_token(read),
    params(
        ("status" = Option<Status>, Query, description = "Only games with this status."),
        (
            "ruleset" = Option<crate::rulesets::RulesetName>, Query,
            description = "Only games of this ruleset."
        ),
        ("player" = Option<Uuid>, Query, description = "Only games in which this player has a seat."),
        (
            "seats_free" = Option<u8>, Query,
            description = "Minimum number of free seats. Only the 2,000 newest matching open games are searched.",
            minimum = 1, maximum = 3
        ),
        (
            "clock" = Option<ClockFilter>, Query,
            description = "Only games with a clock (`any`) or without one (`none`)."
        ),
        (
            "bots" = Option<bool>, Query,
            description = "Only games with built-in bots (`true`) or without any (`false`). Only the 2,000 newest matching games are searched."
        ),
        crate::service::reading::page::Window,
        (
            "wait" = Option<u8>, Query,
            description = "Seconds to wait for a change, 1 to 60. Requires `If-None-Match`. Default: answer at once.",
            minimum = 1, maximum = 60
        ),
        ("If-None-Match" = Option<String>, Header)
    ),
    responses(
        (status = 200, description = "A page of games", body = Page<GameView>, headers(("ETag" = String))),
        (status = 304, description = "The page has not changed")
    )
)]
pub async fn list_games(
    state: web::Data<State>,
    request: HttpRequest,
    mut query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    let listing = Listing {
        status: query.word("status", Status::WORDS),
        ruleset: query.ruleset("ruleset"),
        player: query.id("player"),
        has_clock: query.word("clock", &[("any", true), ("none", false)]),
        seats_free: query.whole("seats_free", 1, 3).and_then(|free| u8::try_from(free).ok()),
        has_bots: query.word("bots", &[("true", true), ("false", false)]),
        window: query.window(),
        only: caller.only_game(),
    };
    let wait = query.whole("wait", 1, 60).map(i64::cast_unsigned);
    for (name, is_sent) in
        [("clock", listing.has_clock.is_some()), ("seats_free", listing.seats_free.is_some())]
    {
        if is_sent && listing.player.is_some() {
            query.refuse(name, "cannot be combined with `player`", "non si combina con `player`");
        }
    }
    query.end()?;
    let known = preference::known(&request);
    let deadline = Instant::now() + Duration::from_secs(wait.unwrap_or(0));
    let (_listener, mut lobby) = match (wait, &known) {
        (Some(_), Some(_)) => {
            (Some(RequestBudget::of(&request)?.listen(None)?), Some(state.service.feed.watch_lobby()))
        }
        _ => (None, None),
    };
    loop {
        lobby.as_mut().map(Lobby::seen);
        let page = state.service.reading.games(&listing, caller.player()).await?;
        let answer = private_aside(page).await?;
        let tag = tag_of(&answer);
        if !known.as_ref().is_some_and(|known| preference::names(known, &tag)) {
            return Ok(tagged(answer, tag));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let waited = match &mut lobby {
            Some(lobby) if !left.is_zero() => timeout(left, lobby.changed()).await,
            _ => return Ok(not_modified(tag)),
        };
        if waited.is_ok_and(|wait| wait != Wait::Changed) {
            return Ok(not_modified(tag));
        }
        // Where many tables change at once, they are looked at together.
        sleep(TOGETHER.min(deadline.saturating_duration_since(Instant::now()))).await;
        caller.still_holds().await?;
    }
}

/// Create a game
///
/// Opens a table and seats the creator at seat 0. The game starts when all seats are taken and all
/// commitments are opened. `options` depend on the ruleset; see `GET /v1/rulesets/{id}`.
#[endpoint(
    POST "/v1/games", tag = "games", token(play), request_body = NewGame,
    responses(
        (
            status = 201, description = "The game, with the receipt of its first entries", body = GameWithReceipt
        )
    ),
    problems(TOO_MANY_GAMES, GAME_EXISTS, INVALID_SIGNATURE)
)]
pub async fn create_game(
    request: HttpRequest,
    _: UnscopedToken,
    sent: Idempotent<NewTable>,
) -> Result<HttpResponse, Problem> {
    may_begin(&request, &sent)?;
    Ok(located(sent.carry_out(StatusCode::CREATED, |new| Act::Create(Box::new(new))).await?, GAME))
}

/// Get a game
///
/// Returns table, players, options, clock and status of a game. Private games are visible only to their
/// players.
#[endpoint(
    GET "/v1/games/{id}", tag = "games", optional_token(read),
    params(("If-None-Match" = Option<String>, Header)),
    responses(
        (status = 200, description = "The game", body = GameView, headers(("ETag" = String))),
        (status = 304, description = "Not modified")
    )
)]
pub async fn get_game(
    state: web::Data<State>,
    id: Id,
    query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    private(&state.service.reading.game(id.0, caller.player()).await?)
}

/// Join a game
///
/// Takes the lowest free seat. An empty body is enough for a public game; other games need `invite`. The
/// game starts when the last seat is taken and all commitments are opened.
///
/// With the code of a substitution as `invite` it asks for the offered seat instead: the answer is 202, and
/// `seat` in `/v1/me/events` arrives when the player has accepted.
#[endpoint(
    POST "/v1/games/{id}/seats", tag = "games", token(play), request_body = Option<JoinRequest>,
    responses(
        (status = 201, description = "The game, with the receipt for the seat", body = GameWithReceipt),
        (status = 202, description = "The seat was requested", body = AskedFor)
    ),
    problems(
        OPTION_NOT_ENABLED, TOO_MANY_ENTRIES, GAME_NOT_RUNNING, INVALID_INVITE, ALREADY_SEATED, SEAT_TAKEN,
        GAME_NOT_OPEN, TOO_MANY_GAMES, TOO_MANY_CHANGES, COMMITMENT_REUSED, NONCE_REUSED, SEATS_RESERVED,
        INVALID_SIGNATURE, CANNOT_JOIN
    )
)]
pub async fn join_game(id: Id, sent: Idempotent<OptionalBody<JoinRequest>>) -> Result<HttpResponse, Problem> {
    if sent.value.0.invite.as_deref().is_some_and(is_substitution) {
        let ask = async |state: &State, session: &Session, OptionalBody(join), _| {
            state.service.tables.ask_for_seat(id.0, &session.player, &join).await
        };
        return sent.once(StatusCode::ACCEPTED, ask).await;
    }
    let join = |OptionalBody(join)| Act::Join(id.0, join);
    Ok(located(sent.carry_out(StatusCode::CREATED, join).await?, GAME))
}

/// Look up an invite
///
/// Returns the game that an invite or substitution code leads to.
#[endpoint(
    GET "/v1/invites/{code}", tag = "games", optional_token(read), params(("code" = String, Path)),
    responses((status = 200, description = "The game", body = InvitedGame))
)]
pub async fn get_invite(
    state: web::Data<State>,
    code: web::Path<String>,
    query: Query,
    caller: Caller,
) -> Result<HttpResponse, Problem> {
    query.end()?;
    let invited = state.service.reading.invited(&code, caller.player()).await?;
    if caller.only_game().is_some_and(|only| only.to_string() != invited.game.id) {
        return Err(ServiceError::NoGame.into());
    }
    private(&invited)
}

/// Invite a person
///
/// Tells a player of the caller's open table (`invitation` in `/v1/me/events`, and by the player's other
/// channels). Host only. The player is one with whom the caller has a seat in another game; the player joins
/// if it wants to. Fails with `not_found` for everyone else.
#[endpoint(
    POST "/v1/games/{id}/invitations", tag = "games", token(play), request_body = NewInvitation,
    responses((status = 204, description = "The player was notified")),
    problems(NOT_HOST, GAME_NOT_OPEN, ALREADY_SEATED, TOO_MANY_MESSAGES)
)]
pub async fn invite_player(id: Id, sent: Idempotent<NewInvitation>) -> Result<HttpResponse, Problem> {
    sent.state.limits.messages.enter(sent.session.player.key).map_err(too_many)?;
    let invite = async |state: &State, session: &Session, invitation: NewInvitation| {
        state.service.tables.invite(id.0, &session.player, &invitation).await
    };
    sent.end(invite).await
}

/// Request a rematch
///
/// Opens a table with the same ruleset, options, clock, visibility and players, with seats moved by one.
/// The other players are notified (`rematch` in `/v1/me/events`); each joins with the same request.
#[endpoint(
    POST "/v1/games/{id}/rematch", tag = "games", token(play), request_body = Option<NewRematch>,
    responses(
        (
            status = 201, description = "The new game", body = GameWithReceipt
        )
    ),
    problems(
        NOT_SEATED, GAME_NOT_FINISHED, TOO_MANY_GAMES, GAME_EXISTS, GAME_NOT_OPEN, SEATS_RESERVED, COMMITMENT_REUSED,
        NONCE_REUSED, INVALID_SIGNATURE, TOO_MANY_CHANGES
    )
)]
pub async fn request_rematch(
    request: HttpRequest,
    _: UnscopedToken,
    id: Id,
    sent: Idempotent<OptionalBody<NewRematch>>,
) -> Result<HttpResponse, Problem> {
    may_begin(&request, &sent)?;
    let rematch = |OptionalBody(sent)| Act::Rematch(id.0, sent);
    Ok(located(sent.carry_out(StatusCode::CREATED, rematch).await?, GAME))
}

/// Whether one more game may be begun from where this request comes.
fn may_begin<T>(request: &HttpRequest, sent: &Idempotent<T>) -> Result<(), Problem> {
    sent.state.limits.games.enter(RequestBudget::of(request)?.client).map_err(too_many)
}

/// Leave an open game
///
/// Frees the caller's seat while the game is open. In a sealed game a player without an unopened
/// commitment may leave too, which makes the game void.
#[endpoint(
    DELETE "/v1/games/{id}/seats/mine", tag = "games", token(play),
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_OPEN)
)]
pub async fn leave_game(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.carry_out(StatusCode::OK, |_| Act::Leave(id.0)).await
}

/// Cancel an open game
///
/// Makes an open game void. Host only: the creator or, if they left, the longest-seated player. Fails
/// with `game_not_open` once the table is full.
#[endpoint(
    DELETE "/v1/games/{id}", tag = "games", token(play),
    responses((status = 200, description = "The game, now void", body = GameWithReceipt)),
    problems(NOT_HOST, GAME_NOT_OPEN)
)]
pub async fn cancel_game(id: Id, sent: Idempotent<Nothing>) -> Result<HttpResponse, Problem> {
    sent.carry_out(StatusCode::OK, |_| Act::CallOff(id.0)).await
}

/// Reveal your random bytes
///
/// Opens the commitment that the caller sent when joining (`entropy_commit`). The game starts when all
/// commitments are opened. A table that waits too long becomes void.
#[endpoint(
    POST "/v1/games/{id}/entropy", tag = "games", token(play), request_body = Reveal,
    responses((status = 200, description = "The game", body = GameWithReceipt)),
    problems(NOT_SEATED, GAME_NOT_SEALED, NOTHING_TO_REVEAL, ENTROPY_MISMATCH)
)]
pub async fn reveal_entropy(id: Id, sent: Idempotent<Reveal>) -> Result<HttpResponse, Problem> {
    sent.carry_out(StatusCode::OK, |reveal| Act::Reveal(id.0, reveal.entropy)).await
}
