//! What an entry of the log did, as a viewer may see it.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::time;
use crate::{
    engine::{Seat, Seats, Viewer},
    ledger::entry::{Body, By, Op, Reason},
    rulesets::{AnyEvent, AnyTable},
    service::ServiceError,
};

/// What one entry did, as the caller may see it.
#[derive(Serialize, ToSchema)]
#[schema(as = Happening)]
pub struct EventItem {
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    pub seat: Option<Seat>,
    #[schema(inline)]
    pub by: ByView,
    pub events: Vec<EventView>,
}

impl EventItem {
    /// The item as it goes over the wire.
    pub fn text(&self) -> Result<Arc<str>, ServiceError> {
        let text = serde_json::to_string(self).map_err(|error| ServiceError::Internal(error.to_string()))?;
        Ok(text.into())
    }
}

#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ByView {
    Player,
    Autopilot,
    Server,
}

/// Something that happened: at the table, or in the game.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Event)]
pub enum EventView {
    Table(TableEvent),
    Game(AnyEvent),
}

/// Something that happened at the table, in any game.
#[derive(Clone, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TableEvent {
    TableOpened {},
    SeatTaken { seat: Seat, entropy_promised: bool },
    SeatLeft { seat: Seat },
    TableSealed {},
    EntropyRevealed { seat: Seat },
    SeatResigned { seat: Seat },
    AutopilotTookOver { seat: Seat },
    PlayerResumed { seat: Seat },
    TableClosed { void: bool },
}

/// What can be said of an entry before it is carried out.
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
            Body::Join { seat, commit, .. } => {
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
            Body::Cmd { seat, by: By::Player, .. } => (find(*seat), ByView::Player, None, true),
            Body::Cmd { seat, by: By::Autopilot, .. } => (find(*seat), ByView::Autopilot, None, true),
            Body::Sys { op, seat } => {
                let by = if *op == Op::Autopilot { ByView::Server } else { ByView::Player };
                let event = find(*seat).map(|seat| match op {
                    Op::Resign => TableEvent::SeatResigned { seat },
                    Op::Autopilot => TableEvent::AutopilotTookOver { seat },
                    Op::Resume => TableEvent::PlayerResumed { seat },
                });
                (find(*seat), by, event, false)
            }
            Body::End { reason, .. } => {
                let closed = TableEvent::TableClosed { void: *reason == Reason::Void };
                (None, ByView::Server, Some(closed), false)
            }
        };
        Self { at, seat, by, event, played }
    }

    /// The entry as a viewer may see it, from the table that has carried it out.
    pub fn fill(&self, table: Option<&AnyTable>, viewer: Viewer, seq: u64) -> EventItem {
        let mut events: Vec<EventView> = self.event.iter().cloned().map(EventView::Table).collect();
        if let Some(table) = table.filter(|_| self.played) {
            events.extend(table.events(viewer).into_iter().map(EventView::Game));
        }
        EventItem { seq, at: time(self.at), seat: self.seat, by: self.by, events }
    }
}
