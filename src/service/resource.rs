//! The game resource: what everybody who may see a game sees of it outside its rules.

use chrono::{DateTime, SecondsFormat};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Player, Service, draft::Placed, game::Game};
use crate::{
    engine::{Placement, Seat, seat::MAX_SEATS},
    ledger::encoding::hex,
    rulesets::{AnyOptions, AnyStatus},
    store::Visibility,
};

#[derive(Clone, Serialize, ToSchema)]
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
    #[schema(inline)]
    pub visibility: VisibilityView,
    #[schema(inline)]
    pub status: StatusView,
    pub seats: Vec<SeatView>,
    /// The number of the newest entry of the log.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    /// The head of the hash chain after it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub head: String,
    /// The seats that must decide; empty unless the game is running.
    #[schema(value_type = Vec<Seat>, max_items = 4)]
    pub to_act: Vec<Seat>,
    #[schema(format = DateTime)]
    pub turn_since: Option<String>,
    /// When the autopilot decides for them, if the game has a clock; of a sealed game, when it becomes void unless
    /// everything promised is revealed.
    #[schema(format = DateTime)]
    pub deadline: Option<String>,
    /// What the server promised about the shuffle before anybody joined.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub commitment: String,
    #[schema(inline)]
    pub clock: Option<ClockView>,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub started_at: Option<String>,
    #[schema(format = DateTime)]
    pub finished_at: Option<String>,
    pub result: Option<Vec<Placement>>,
    /// Shown to seated players of an unlisted or private game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invite: Option<String>,
    /// Shown to seated players of a sealed game: the receipt of its newest entry. Have one before you reveal what you
    /// promised, so that the seal which the shuffle hangs on cannot be made again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seal_receipt: Option<String>,
}

#[derive(Clone, Serialize, ToSchema)]
pub struct ClockView {
    #[schema(minimum = 1, maximum = 2_592_000)]
    pub move_seconds: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusView {
    Open,
    Sealed,
    Running,
    Finished,
    Void,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VisibilityView {
    Public,
    Unlisted,
    Private,
}

#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Seating)]
pub struct SeatView {
    pub seat: Seat,
    pub player: Option<SeatedPlayer>,
    #[schema(inline)]
    pub control: ControlView,
    #[schema(inline)]
    pub entropy: EntropyView,
}

#[derive(Clone, Serialize, ToSchema)]
pub struct SeatedPlayer {
    #[schema(format = Uuid)]
    pub id: String,
    pub name: String,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlView {
    Player,
    Autopilot,
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntropyView {
    None,
    Promised,
    Revealed,
}

/// The game resource, and the receipt for the entry that the caller caused.
#[derive(Clone, Serialize, ToSchema)]
pub struct GameWithReceipt {
    #[serde(flatten)]
    pub game: GameView,
    /// A signed note; keep it.
    pub receipt: String,
}

impl From<crate::store::Status> for StatusView {
    fn from(status: crate::store::Status) -> Self {
        use crate::store::Status as S;
        match status {
            S::Open => Self::Open,
            S::Sealed => Self::Sealed,
            S::Running => Self::Running,
            S::Finished => Self::Finished,
            S::Void => Self::Void,
        }
    }
}

impl GameView {
    pub fn of(game: &Game, caller: Option<&Player>) -> Self {
        let row = &game.row;
        let seated = caller.is_some_and(|player| game.seat_of(player.key).is_some());
        let turn_since = game.turn_since;
        Self {
            id: row.uuid.to_string(),
            ruleset: game.setting.ruleset.name(),
            rules_version: game.setting.ruleset.version(),
            options: game.setting.options.clone(),
            title: row.title.clone(),
            visibility: match row.visibility {
                Visibility::Public => VisibilityView::Public,
                Visibility::Unlisted => VisibilityView::Unlisted,
                Visibility::Private => VisibilityView::Private,
            },
            status: row.status.into(),
            seats: seats(game),
            seq: game.seq(),
            head: hex(game.chain.head()),
            to_act: game.to_act().into_iter().collect(),
            turn_since: turn_since.map(time),
            deadline: row.deadline.map(time),
            commitment: hex(&game.server_seed().commitment()),
            clock: row.move_seconds.map(|move_seconds| ClockView { move_seconds }),
            created_at: time(row.created_at),
            started_at: row.started_at.map(time),
            finished_at: row.finished_at.map(time),
            result: match game.table.as_ref().map(crate::rulesets::AnyTable::status) {
                Some(AnyStatus::Finished(outcome)) => Some(outcome.placements()),
                _ => None,
            },
            invite: row.invite.clone().filter(|_| seated),
            seal_receipt: None,
        }
    }
}

fn seats(game: &Game) -> Vec<SeatView> {
    let mut seats = Vec::with_capacity(MAX_SEATS);
    for seat in game.setting.seats.iter() {
        let sitting = game.sitting(seat);
        seats.push(SeatView {
            seat,
            player: sitting
                .map(|sitting| SeatedPlayer { id: sitting.uuid.to_string(), name: sitting.name.clone() }),
            control: match sitting.map(|sitting| sitting.control) {
                Some(crate::store::Control::Autopilot) => ControlView::Autopilot,
                _ => ControlView::Player,
            },
            entropy: match sitting.map(super::game::Sitting::entropy) {
                None | Some(crate::store::Entropy::None) => EntropyView::None,
                Some(crate::store::Entropy::Promised) => EntropyView::Promised,
                Some(crate::store::Entropy::Revealed) => EntropyView::Revealed,
            },
        });
    }
    seats
}

/// A time on the wire: RFC 3339, UTC, with milliseconds.
pub fn time(at: u64) -> String {
    let moment = i64::try_from(at).ok().and_then(DateTime::from_timestamp_millis).unwrap_or_default();
    moment.to_rfc3339_opts(SecondsFormat::Millis, true)
}

impl Service {
    /// The answer to a change of the lobby.
    pub(super) fn with_receipt(&self, game: &Game, caller: &Player, placed: Placed) -> GameWithReceipt {
        let receipt = self.signer.sign(&game.receipt(placed));
        GameWithReceipt { game: GameView::of(game, Some(caller)), receipt }
    }
}
