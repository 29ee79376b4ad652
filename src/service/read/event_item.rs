//! What an entry of the log did, as a viewer may see it.

use std::sync::Arc;

use serde::Serialize;

use super::{prompt, sight::Sight, time, view::View};
use crate::{
    engine::{Seat, Seats, Viewer},
    ledger::{
        entry::{Body, By, Join, Op, Reason},
        game::Game,
    },
    rulesets::AnyEvent,
    service::{ServiceError, json_writer},
    words::{Ending, Status},
};

/// An entry of the log with its events, as the caller may see them.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Happening))]
pub struct EventItem {
    #[cfg_attr(feature = "openapi", schema(maximum = 9_007_199_254_740_991_u64))]
    pub seq: u64,
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub at: String,
    pub seat: Option<Seat>,
    pub by: ByView,
    pub events: Vec<Spoken<EventView>>,
    /// Seats to act after this entry.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Seat>, max_items = 4))]
    pub to_act: Vec<Seat>,
    /// When the autopilot plays for the seats to act. In a sealed game: when it becomes void.
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub deadline: Option<String>,
    /// Streams with `views=true` only: the view after this entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(required = false, nullable = false))]
    pub view: Option<View>,
}

/// What is told as it is, or with its words.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Spoken<T> {
    Plain(T),
    Worded {
        #[serde(flatten)]
        told: T,
        text: String,
    },
}

impl<T> Spoken<T> {
    pub fn new(told: T, text: Option<String>) -> Self {
        match text {
            None => Self::Plain(told),
            Some(text) => Self::Worded { told, text },
        }
    }
}

impl EventItem {
    /// The item as it goes over the wire.
    pub fn text(&self) -> Result<Arc<str>, ServiceError> {
        let text = json_writer::to_string(self).map_err(|error| ServiceError::Internal(error.to_string()))?;
        Ok(text.into())
    }
}

/// The events of a command, in words if they were asked for.
pub fn told(events: Vec<AnyEvent>, sight: &Sight, game: &Game) -> Vec<Spoken<AnyEvent>> {
    let voice = sight.voice(game);
    let spoken = |event: AnyEvent| {
        let text = voice.as_ref().map(|voice| event.text(voice));
        Spoken::new(event, text)
    };
    events.into_iter().map(spoken).collect()
}

/// The cause of an entry.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = By))]
pub enum ByView {
    Player,
    Autopilot,
    /// What the player had planned.
    Plan,
    Server,
}

impl ByView {
    const fn of(by: &By) -> Self {
        match by {
            By::Player => Self::Player,
            By::Autopilot => Self::Autopilot,
            By::Plan(_) => Self::Plan,
        }
    }
}

/// Something that happened: at the table, or in the game.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Event))]
pub enum EventView {
    Table(OfTable),
    Game(AnyEvent),
}

/// An event of the table names no ruleset but this.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "ruleset", rename_all = "snake_case")]
pub enum OfTable {
    Table(TableEvent),
}

/// An event of the table, in any game.
#[derive(Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TableEvent {
    TableOpened {},
    SeatTaken {
        seat: Seat,
        entropy_promised: bool,
    },
    SeatLeft {
        seat: Seat,
    },
    TableSealed {},
    EntropyRevealed {
        seat: Seat,
    },
    SeatResigned {
        seat: Seat,
    },
    AutopilotTookOver {
        seat: Seat,
    },
    PlayerResumed {
        seat: Seat,
    },
    /// The seat changed its keys. `count` is the new number of keys.
    KeysChanged {
        seat: Seat,
        #[cfg_attr(feature = "openapi", schema(maximum = 8))]
        keys: usize,
    },
    /// The seat has no keys any more.
    KeysGivenUp {
        seat: Seat,
    },
    /// Another player took over the seat.
    SeatHanded {
        seat: Seat,
        #[cfg_attr(feature = "openapi", schema(format = Uuid))]
        player: String,
    },
    /// The game continues from the position after the entry `to`.
    TakenBack {
        seat: Seat,
        #[cfg_attr(feature = "openapi", schema(maximum = 9_007_199_254_740_991_u64))]
        to: u64,
    },
    /// The seat asks for a pause. The game pauses once all players have asked.
    PauseAsked {
        seat: Seat,
    },
    PauseEnded {
        seat: Seat,
    },
    TableClosed {
        void: bool,
        end: Ending,
    },
}

/// What can be said of an entry before it is carried out.
#[derive(Clone)]
pub struct Outline {
    at: u64,
    seat: Option<Seat>,
    by: ByView,
    event: Option<TableEvent>,
    played: bool,
}

impl Outline {
    pub fn of(seats: Seats, at: u64, body: &Body) -> Self {
        let find = |number: u64| seats.seat(number);
        let (seat, by, event, played) = match body {
            Body::Genesis(_) => (None, ByView::Server, Some(TableEvent::TableOpened {}), false),
            Body::Join(Join { seat, commit, .. }) => {
                let taken = find(*seat)
                    .map(|seat| TableEvent::SeatTaken { seat, entropy_promised: commit.is_some() });
                (find(*seat), ByView::Player, taken, false)
            }
            Body::Leave { seat } => {
                (find(*seat), ByView::Player, find(*seat).map(|seat| TableEvent::SeatLeft { seat }), false)
            }
            Body::Seal => (None, ByView::Server, Some(TableEvent::TableSealed {}), false),
            Body::Reveal { seat, .. } => {
                let revealed = find(*seat).map(|seat| TableEvent::EntropyRevealed { seat });
                (find(*seat), ByView::Player, revealed, false)
            }
            Body::Start => (None, ByView::Server, None, true),
            Body::Cmd { seat, by, .. } => (find(*seat), ByView::of(by), None, true),
            Body::Keys { seat, keys, .. } => {
                let changed = find(*seat).map(|seat| TableEvent::KeysChanged { seat, keys: keys.len() });
                (find(*seat), ByView::Player, changed, false)
            }
            Body::Hand { seat, holder, .. } => {
                let handed =
                    find(*seat).map(|seat| TableEvent::SeatHanded { seat, player: holder.player.clone() });
                (find(*seat), ByView::Player, handed, false)
            }
            Body::Takeback { seat, to, .. } => (
                find(*seat),
                ByView::Player,
                find(*seat).map(|seat| TableEvent::TakenBack { seat, to: *to }),
                false,
            ),
            Body::Sys { op, seat, .. } => {
                let by = if *op == Op::Autopilot { ByView::Server } else { ByView::Player };
                let event = find(*seat).map(|seat| match op {
                    Op::Resign => TableEvent::SeatResigned { seat },
                    Op::Autopilot => TableEvent::AutopilotTookOver { seat },
                    Op::Resume => TableEvent::PlayerResumed { seat },
                    Op::Unkey => TableEvent::KeysGivenUp { seat },
                    Op::Pause => TableEvent::PauseAsked { seat },
                    Op::Continue => TableEvent::PauseEnded { seat },
                });
                (find(*seat), by, event, false)
            }
            Body::End { reason, .. } => {
                let closed = TableEvent::TableClosed { void: *reason == Reason::Void, end: reason.ending() };
                (None, ByView::Server, Some(closed), false)
            }
        };
        Self { at, seat, by, event, played }
    }

    /// The entry as a viewer may see it, from the game that has carried it out.
    pub fn fill(&self, sight: &Sight, game: &Game, viewer: Viewer) -> EventItem {
        let voice = sight.voice(game);
        let of_table = self.event.iter().map(|event| {
            let text = voice.as_ref().map(|voice| prompt::of_event(event, voice));
            Spoken::new(EventView::Table(OfTable::Table(event.clone())), text)
        });
        let table = game.table.as_ref().filter(|_| self.played);
        let of_game = table.into_iter().flat_map(|table| table.events(viewer)).map(|event| {
            let text = voice.as_ref().map(|voice| event.text(voice));
            Spoken::new(EventView::Game(event), text)
        });
        EventItem {
            seq: game.seq(),
            at: time(self.at),
            seat: self.seat,
            by: self.by,
            events: of_table.chain(of_game).collect(),
            to_act: game.to_act().into_iter().collect(),
            deadline: sight.deadline(game).map(time),
            view: sight.wish.views.then(|| View::of(sight, game, viewer)),
        }
    }

    /// How it has left the game, if nothing comes after it.
    pub const fn end(&self) -> Option<Status> {
        match self.event {
            Some(TableEvent::TableClosed { void: true, .. }) => Some(Status::Void),
            Some(TableEvent::TableClosed { void: false, .. }) => Some(Status::Finished),
            _ => None,
        }
    }
}
