//! The effects of an entry, as a viewer may see them.

use std::sync::Arc;

use arrayvec::ArrayVec;
use serde::Serialize;

use super::{context::ViewContext, prompt, table_event::TableEvent, time, view::View};
use crate::{
    engine::{Seat, Viewer},
    ledger::{
        entry::{Body, By, End, Join, PlainAct},
        game::Game,
    },
    rulesets::AnyEvent,
    service::{ServiceError, json_writer},
    words::Status,
};

/// An entry of the log with its events, as the caller may see them.
#[derive(Serialize)]
#[wire]
pub struct EventItem {
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    pub seat: Option<Seat>,
    pub by: ByView,
    pub events: Vec<Spoken<EventView>>,
    /// Seats to act after this entry.
    #[schema(value_type = Vec<Seat>, max_items = 4)]
    pub to_act: Vec<Seat>,
    /// When the autopilot plays for the seats to act. In a sealed game: when it becomes void.
    #[schema(format = DateTime)]
    pub deadline: Option<String>,
    /// Streams with `views=true` only: the view after this entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub view: Option<View>,
}

/// A value, with or without its text.
#[derive(Serialize)]
#[wire]
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
    /// Serializes the item.
    pub fn text(&self) -> Result<Arc<str>, ServiceError> {
        let text = json_writer::to_string(self).map_err(|error| ServiceError::Internal(error.to_string()))?;
        Ok(text.into())
    }
}

/// Returns the events of a command, with texts if the caller asked for them.
pub fn told(events: Vec<AnyEvent>, context: &ViewContext, game: &Game) -> Vec<Spoken<AnyEvent>> {
    let voice = context.voice(game);
    let spoken = |event: AnyEvent| {
        let text = voice.as_ref().map(|voice| event.text(voice));
        Spoken::new(event, text)
    };
    events.into_iter().map(spoken).collect()
}

/// The cause of an entry.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
#[wire]
#[schema(as = By)]
pub enum ByView {
    Player,
    Autopilot,
    /// The player's plan.
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

/// An event of the table or of the game.
#[derive(Serialize)]
#[serde(untagged)]
#[wire]
#[schema(as = Event)]
pub enum EventView {
    Table(OfTable),
    Game(AnyEvent),
}

/// The ruleset of table events.
#[derive(Clone, Serialize)]
#[wire]
#[serde(tag = "ruleset", rename_all = "snake_case")]
pub enum OfTable {
    Table(TableEvent),
}

/// The part of an entry that is the same for every viewer.
#[derive(Clone)]
pub struct Outline {
    at: u64,
    seat: Option<Seat>,
    by: ByView,
    events: ArrayVec<TableEvent, 2>,
    played: bool,
    /// Status of the game, if this is the last entry.
    pub end: Option<Status>,
}

impl Outline {
    /// Returns the outline of an entry. `game` has just applied it.
    pub fn of(game: &Game, at: u64, body: &Body) -> Self {
        let seat = body.seat().and_then(|number| game.setting.seats.seat(number));
        let mut events: ArrayVec<TableEvent, 2> =
            table_event(body, seat, game.status()).into_iter().collect();
        if matches!(body, Body::Join(_)) && game.status() == Status::Sealed {
            events.push(TableEvent::TableSealed {});
        }
        let by = match body {
            Body::Cmd { by, .. } => ByView::of(by),
            Body::Genesis(_)
            | Body::Start
            | Body::Autopilot { .. }
            | Body::Remove { .. }
            | Body::Outage { .. }
            | Body::End(_) => ByView::Server,
            _ => ByView::Player,
        };
        let played = matches!(body, Body::Start | Body::Cmd { .. });
        Self { at, seat, by, events, played, end: matches!(body, Body::End(_)).then(|| game.status()) }
    }

    /// Returns the entry as a viewer may see it. `game` has just applied it.
    pub fn fill(&self, context: &ViewContext, game: &Game, viewer: Viewer) -> EventItem {
        let voice = context.voice(game);
        let of_table = self.events.iter().map(|event| {
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
            deadline: context.deadline(game).map(time),
            view: context.wish.views.then(|| View::of(context, game, viewer)),
        }
    }
}

/// Returns the table event of an entry that is no command. `status` is that of the game after it.
fn table_event(body: &Body, seat: Option<Seat>, status: Status) -> Option<TableEvent> {
    let of_seat = |event: fn(Seat) -> TableEvent| seat.map(event);
    match body {
        Body::Genesis(_) => Some(TableEvent::TableOpened {}),
        Body::Join(Join { commit, .. }) => {
            seat.map(|seat| TableEvent::SeatTaken { seat, entropy_promised: commit.is_some() })
        }
        Body::Leave { .. } => of_seat(|seat| TableEvent::SeatLeft { seat }),
        Body::Reveal { .. } => of_seat(|seat| TableEvent::EntropyRevealed { seat }),
        Body::Start | Body::Cmd { .. } => None,
        Body::Hand { holder, .. } => {
            seat.map(|seat| TableEvent::SeatHanded { seat, player: holder.player.clone() })
        }
        Body::Takeback { to, .. } => seat.map(|seat| TableEvent::TakenBack { seat, to: *to }),
        Body::Act { act, signed, .. } => seat.map(|seat| match act {
            PlainAct::Resign => TableEvent::SeatResigned { seat },
            PlainAct::Resume => TableEvent::PlayerResumed { seat },
            PlainAct::Pause => TableEvent::PauseAsked { seat },
            PlainAct::Continue => TableEvent::PauseEnded { seat },
            PlainAct::Rekey => TableEvent::Rekeyed { seat, has_key: signed.is_some() },
        }),
        Body::Revoke { .. } => of_seat(|seat| TableEvent::KeysRevoked { seat }),
        Body::Autopilot { .. } => of_seat(|seat| TableEvent::AutopilotTookOver { seat }),
        Body::Remove { text, .. } => seat.map(|seat| TableEvent::SeatRemoved { seat, reason: text.clone() }),
        Body::Outage { ms } => Some(TableEvent::Outage { ms: *ms }),
        Body::End(End { reason, text, .. }) => Some(TableEvent::TableClosed {
            void: status == Status::Void,
            end: reason.ending(),
            reason: text.clone(),
        }),
    }
}
