//! The game resource: everything but its position.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::time;
use crate::{
    engine::{Format, Placement, Seat, Seats},
    ledger::{
        encoding::hex,
        game::{Game, Turn},
        terms::Clock,
    },
    rulesets::{AnyOptions, RulesetId},
    service::{
        Reading, ServiceError,
        games::{LiveGame, People, Person, Player, server_seed},
    },
    store::{GameFacts, GameRow, Listed, Newest, SeatRow},
    words::{Ending, Level, Nature, PlayedBy, Share, Status, Visibility},
};

/// A game without its position: table, players, options and status.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(PartialEq, Debug))]
#[wire]
#[schema(as = Game)]
pub struct GameView {
    #[schema(format = Uuid)]
    pub id: String,
    #[schema(value_type = crate::rulesets::RulesetName)]
    pub ruleset: &'static str,
    #[schema(minimum = 1)]
    pub rules_version: u32,
    pub options: AnyOptions,
    #[schema(max_length = 100)]
    pub title: Option<String>,
    pub visibility: Visibility,
    pub status: Status,
    pub seats: Vec<SeatView>,
    /// Number of the newest log entry.
    pub seq: u64,
    /// Head of the hash chain.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
    /// Seats to act. Empty unless the game is running.
    #[schema(value_type = Vec<Seat>, max_items = 4)]
    pub to_act: Vec<Seat>,
    /// Sealed games only: seats that still have to reveal their bytes.
    #[schema(max_items = 4)]
    pub waits_for: Vec<Seat>,
    #[schema(format = DateTime)]
    pub turn_since: Option<String>,
    /// When the autopilot plays for the seats to act, if the game has a clock. In a sealed game: when it
    /// becomes void unless all commitments are opened.
    #[schema(format = DateTime)]
    pub deadline: Option<String>,
    /// The server's commitment to the shuffle, made before anyone joined.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub commitment: String,
    pub clock: Option<ClockView>,
    /// Whether a seat may take back its own moves while nothing was drawn or revealed.
    pub takebacks: bool,
    /// Whether a substitute may take the seat of a player who left.
    pub substitutes: bool,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// How the game ended. `null` until then.
    pub end: Option<Ending>,
    /// Format of the log.
    #[schema(value_type = String, pattern = "^fairlog/[0-9]+$")]
    pub format: &'static str,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub started_at: Option<String>,
    #[schema(format = DateTime)]
    pub finished_at: Option<String>,
    pub result: Option<Vec<Placement>>,
    /// Invite code. Only for players of an unlisted or private game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invite: Option<String>,
    /// Receipt of the newest entry of a sealed game. Only for its players. Check it before you reveal
    /// your bytes: then the server can no longer change who joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seal_receipt: Option<String>,
    /// The rematch that a player of this finished game opened. Only for its players.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Uuid)]
    pub rematch: Option<String>,
}

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(PartialEq, Debug))]
#[wire]
#[schema(as = Clock)]
pub struct ClockView {
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub move_seconds: u32,
    /// Time bank of a seat in seconds, shared by all its decisions.
    #[schema(maximum = 2_592_000)]
    pub bank_seconds: u32,
}

impl ClockView {
    pub const fn clock(self) -> Clock {
        Clock { move_seconds: self.move_seconds, bank_seconds: self.bank_seconds }
    }
}

#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(PartialEq, Debug))]
#[wire]
#[schema(as = Seating)]
pub struct SeatView {
    pub seat: Seat,
    pub player: Option<SeatedPlayer>,
    pub control: PlayedBy,
    pub entropy: Share,
}

#[derive(Clone, Serialize)]
#[wire]
#[cfg_attr(test, derive(PartialEq, Debug))]
pub struct SeatedPlayer {
    #[schema(value_type = String, format = Uuid)]
    pub id: Arc<str>,
    /// Name. `null` after the account was deleted.
    #[schema(value_type = Option<String>, max_length = 40)]
    pub name: Option<Arc<str>>,
    /// Whether the account is a bot.
    pub bot: bool,
    /// Level of a built-in bot. `null` for everyone else.
    pub level: Option<Level>,
}

impl SeatedPlayer {
    pub fn new(id: impl Into<Arc<str>>, name: Option<impl Into<Arc<str>>>, nature: Nature) -> Self {
        let (id, name) = (id.into(), name.map(Into::into));
        Self { id, name, bot: nature.is_bot(), level: nature.level() }
    }

    /// Returns the player with this id in a game.
    pub fn of(id: &str, people: &People) -> Self {
        match people.person(id) {
            Some(Person { id, name, nature, .. }) => Self::new(Arc::clone(id), name.clone(), *nature),
            None => Self::new(id, None::<Arc<str>>, Nature::default()),
        }
    }
}

/// The game, and the receipt for the entry that the caller caused.
#[derive(Clone, Serialize)]
#[wire]
pub struct GameWithReceipt {
    #[serde(flatten)]
    pub game: GameView,
    /// Signed receipt. Store it: it proves that the server accepted the entry.
    pub receipt: String,
}

/// The game that an invite code leads to.
#[derive(Serialize)]
#[wire]
pub struct InvitedGame {
    #[serde(flatten)]
    pub game: GameView,
    /// Seat that the code offers to a substitute. `null` for an invite.
    pub offered_seat: Option<Seat>,
    /// Terms of the table, as a signed join covers them.
    #[schema(value_type = Object)]
    pub terms: serde_json::Value,
}

/// The parts of a game that change, from memory or from its rows.
struct Changing {
    status: Status,
    seats: Vec<SeatView>,
    newest: Newest,
    turn: Turn,
    deadline: Option<u64>,
    started_at: Option<u64>,
    finished_at: Option<u64>,
    result: Option<Vec<Placement>>,
    end: Option<Ending>,
}

impl GameView {
    pub fn of(live: &LiveGame, caller: Option<&Player>) -> Self {
        let is_seated = caller.is_some_and(|player| live.seat_of(player).is_some());
        Self::at(&live.facts, &live.game, live.noted_deadline, &live.people, is_seated)
    }

    /// Returns the game as of an entry.
    pub fn at(
        facts: &GameFacts,
        game: &Game,
        deadline: Option<u64>,
        people: &People,
        is_seated: bool,
    ) -> Self {
        let changing = Changing {
            status: game.status(),
            seats: game.setting.seats.iter().map(|seat| seat_view(game, seat, people)).collect(),
            newest: Newest { seq: game.seq(), head: *game.chain.head() },
            turn: game.turn(),
            deadline,
            started_at: game.times.started,
            finished_at: game.times.ended,
            result: result_of(game),
            end: game.ending.as_ref().map(|end| end.reason.ending()),
        };
        Self::new(facts, game.setting.ruleset, game.setting.options.clone(), changing, is_seated)
    }

    /// Returns the game from its rows, which are complete unless it is running.
    pub fn of_rows(listed: &Listed, newest: Newest, caller: Option<&Player>) -> Result<Self, ServiceError> {
        let Listed { row, seats } = listed;
        let GameRow { facts, status, result, ending, started_at, finished_at, deadline, newest: _ } = row;
        let damaged = || ServiceError::Internal("the rows of a game cannot be read".into());
        let ruleset = RulesetId::of(&facts.ruleset, facts.version.into()).ok_or_else(damaged)?;
        let table = Seats::new(facts.seats.into()).ok_or_else(damaged)?;
        let options = serde_json::from_str(&facts.options).map_err(|_| damaged())?;
        let options = ruleset.read_options(&options, table).map_err(|_| damaged())?;
        let result = result.as_deref().map(placements).transpose().map_err(|_| damaged())?;
        let changing = Changing {
            status: *status,
            seats: table.iter().map(|seat| seat_view_of_row(seat, seats)).collect(),
            newest,
            turn: Turn::default(),
            deadline: *deadline,
            started_at: *started_at,
            finished_at: *finished_at,
            result: result.map(|result| read_all(&result, table)),
            end: ending.or(match status {
                Status::Finished => Some(Ending::Finished),
                Status::Void => Some(Ending::Void),
                _ => None,
            }),
        };
        let is_seated = caller.is_some_and(|player| seats.iter().any(|seat| seat.player == player.key));
        Ok(Self::new(facts, ruleset, options, changing, is_seated))
    }

    fn new(
        facts: &GameFacts,
        ruleset: RulesetId,
        options: AnyOptions,
        changing: Changing,
        is_seated: bool,
    ) -> Self {
        let owing = changing.seats.iter().filter(|seat| seat.entropy == Share::Promised);
        let waits_for = owing.map(|seat| seat.seat).collect();
        let Changing { status, seats, newest, turn, deadline, started_at, finished_at, result, end } =
            changing;
        let seed = server_seed(facts);
        Self {
            id: facts.uuid.to_string(),
            ruleset: ruleset.name(),
            rules_version: ruleset.version(),
            options,
            title: facts.title.clone(),
            visibility: facts.visibility,
            status,
            seats,
            seq: newest.seq,
            head: hex(&newest.head),
            to_act: turn.seat.into_iter().collect(),
            waits_for: if status == Status::Sealed { waits_for } else { Vec::new() },
            turn_since: turn.since.map(time),
            deadline: deadline.map(time),
            commitment: hex(&seed.commitment()),
            format: Format::numbered(facts.format).unwrap_or_default().name(),
            clock: facts
                .move_seconds
                .map(|move_seconds| ClockView { move_seconds, bank_seconds: facts.bank_seconds }),
            takebacks: facts.takebacks,
            substitutes: facts.substitutes,
            rated: facts.rated,
            end,
            created_at: time(facts.created_at),
            started_at: started_at.map(time),
            finished_at: finished_at.map(time),
            result,
            invite: facts.invite.clone().filter(|_| is_seated),
            seal_receipt: None,
            rematch: None,
        }
    }
}

fn seat_view(game: &Game, seat: Seat, people: &People) -> SeatView {
    let sitting = game.sitting(seat);
    SeatView {
        seat,
        player: sitting.map(|sitting| SeatedPlayer::of(&sitting.holder.player, people)),
        control: sitting.map_or(PlayedBy::Player, |sitting| sitting.control.played_by()),
        entropy: sitting.map_or(Share::None, crate::ledger::standing::Sitting::share),
    }
}

fn seat_view_of_row(seat: Seat, rows: &[SeatRow]) -> SeatView {
    let row = rows.iter().find(|row| row.seat == seat.number());
    SeatView {
        seat,
        player: row
            .map(|row| SeatedPlayer::new(row.player_uuid.to_string(), row.player_name.clone(), row.nature)),
        control: row.map_or(PlayedBy::Player, |row| row.played_by),
        entropy: row.map_or(Share::None, |row| row.share),
    }
}

/// Returns the places of a finished game.
pub fn result_of(game: &Game) -> Option<Vec<Placement>> {
    let written = Vec::<WrittenPlacement>::deserialize(&game.ending.as_ref()?.result).ok()?;
    Some(read_all(&written, game.setting.seats))
}

/// A place in the result of any ruleset.
#[derive(Deserialize)]
struct WrittenPlacement {
    seat: u64,
    place: u8,
}

impl WrittenPlacement {
    fn read(&self, seats: Seats) -> Option<Placement> {
        Some(Placement { seat: seats.seat(self.seat)?, place: self.place })
    }
}

fn read_all(written: &[WrittenPlacement], seats: Seats) -> Vec<Placement> {
    written.iter().filter_map(|one| one.read(seats)).collect()
}

fn placements(result: &str) -> serde_json::Result<Vec<WrittenPlacement>> {
    serde_json::from_str(result)
}

impl Reading {
    pub async fn game(&self, uuid: Uuid, caller: Option<&Player>) -> Result<GameView, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let live = locked.game()?;
        let mut view = GameView::of(live, caller);
        let status = live.game.status();
        let is_seated = caller.is_some_and(|player| live.seat_of(player).is_some());
        if is_seated && status == Status::Sealed {
            view.seal_receipt = Some(self.signer.sign(&live.receipt(live.newest_placed())));
        }
        if is_seated && status == Status::Finished {
            let key = live.facts.key;
            drop(locked);
            view.rematch = self.store.rematch(key).await?.map(|game| game.to_string());
        }
        Ok(view)
    }
}
