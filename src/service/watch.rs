//! Watching: the view, now and as it was, and what happened, entry by entry.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    Player, Service, ServiceError,
    game::Game,
    history::{self, Stored},
    page::Items,
    resource::{StatusView, time},
};
use crate::{
    engine::{Chance, Seat, Viewer},
    ledger::{
        body::{Body, By, Op, Reason},
        playback::replay,
    },
    rulesets::{AnyEvent, AnyStatus, AnyTable, AnyView},
};

/// What a caller may see of a game.
#[derive(Serialize, ToSchema)]
pub struct View {
    #[schema(format = Uuid)]
    pub game: String,
    #[schema(value_type = crate::rulesets::RulesetName)]
    pub ruleset: &'static str,
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    pub viewer: Viewer,
    #[schema(inline)]
    pub status: StatusView,
    #[schema(value_type = Vec<Seat>, max_items = 4)]
    pub to_act: Vec<Seat>,
    /// Null before the game starts.
    pub state: Option<AnyView>,
}

/// What one entry did, as the caller may see it.
#[derive(Serialize, ToSchema)]
pub struct Happening {
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    pub seat: Option<Seat>,
    #[schema(inline)]
    pub by: ByView,
    pub events: Vec<HappenedView>,
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
pub enum HappenedView {
    Table(TableEvent),
    Game(AnyEvent),
}

/// Something that happened at the table, whatever is played there.
#[derive(Serialize, ToSchema)]
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

impl View {
    pub fn now(game: &Game, caller: Option<&Player>) -> Self {
        let viewer = game.viewer(caller.map(|player| player.key));
        Self {
            game: game.row.uuid.to_string(),
            ruleset: game.setting.ruleset.name(),
            seq: game.seq(),
            viewer,
            status: game.row.status.into(),
            to_act: game.to_act().into_iter().collect(),
            state: game.table.as_ref().map(|table| table.view(viewer)),
        }
    }

    /// A name of what this view shows: it changes when the view may.
    pub fn tag(&self, head: &str) -> String {
        let viewer = match self.viewer {
            Viewer::Seat(seat) => seat.to_string(),
            Viewer::Spectator => "s".to_owned(),
        };
        format!("\"{}-{viewer}-{}\"", self.seq, &head[..16])
    }
}

/// A log being walked from its beginning.
struct Walk<'g> {
    game: &'g Game,
    status: StatusView,
    table: Option<AnyTable>,
}

impl<'g> Walk<'g> {
    const fn new(game: &'g Game) -> Self {
        Self { game, status: StatusView::Open, table: None }
    }

    fn step(&mut self, entry: Stored) -> Result<(), ServiceError> {
        match entry.body {
            Body::Seal => self.status = StatusView::Sealed,
            Body::Start => {
                self.status = StatusView::Running;
                self.table = Some(self.game.setting.start(Chance::recorded(), entry.draws)?);
            }
            Body::Cmd { seat, by, cmd } => {
                let table = self.table.as_mut().ok_or(ServiceError::NotFound)?;
                replay(table, seat, by, &cmd, entry.draws)?;
            }
            Body::End { reason: Reason::Finished, .. } => self.status = StatusView::Finished,
            Body::End { reason: Reason::Void, .. } => self.status = StatusView::Void,
            _ => {}
        }
        Ok(())
    }

    fn to_act(&self) -> Vec<Seat> {
        match self.table.as_ref().map(AnyTable::status) {
            Some(AnyStatus::ToAct(seat)) => vec![seat],
            _ => vec![],
        }
    }
}

impl Service {
    /// The view, and its tag.
    pub async fn view(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        seq: Option<u64>,
    ) -> Result<(View, String), ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let game = locked.game()?;
        let newest = game.seq();
        match seq.filter(|seq| *seq != newest) {
            None => {
                let view = View::now(game, caller);
                let tag = view.tag(&crate::ledger::encoding::hex(game.chain.head()));
                Ok((view, tag))
            }
            Some(seq) if seq > newest => Err(ServiceError::NoEntry { newest }),
            Some(seq) => self.view_then(game, caller, seq),
        }
    }

    fn view_then(
        &self,
        game: &Game,
        caller: Option<&Player>,
        seq: u64,
    ) -> Result<(View, String), ServiceError> {
        let upto = usize::try_from(seq).unwrap_or(usize::MAX);
        let entries = self.store.entries(game.row.key)?;
        let kept = entries.get(..=upto).ok_or(ServiceError::NotFound)?;
        let head = crate::ledger::encoding::hex(&kept[upto].head);
        let mut walk = Walk::new(game);
        for entry in history::read(kept)? {
            walk.step(entry)?;
        }
        let viewer = game.viewer(caller.map(|player| player.key));
        let view = View {
            game: game.row.uuid.to_string(),
            ruleset: game.setting.ruleset.name(),
            seq,
            viewer,
            status: walk.status,
            to_act: walk.to_act(),
            state: walk.table.as_ref().map(|table| table.view(viewer)),
        };
        let tag = view.tag(&head);
        Ok((view, tag))
    }

    /// What happened after an entry, as the caller may see it.
    pub async fn events(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        after: Option<u64>,
        limit: u32,
    ) -> Result<Items<Happening>, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let game = locked.game()?;
        let viewer = game.viewer(caller.map(|player| player.key));
        let first = after.map_or(0, |after| after.saturating_add(1));
        let end = first.saturating_add(limit.into());
        let mut walk = Walk::new(game);
        let mut items = Vec::new();
        for entry in history::read(&self.store.entries(game.row.key)?)? {
            let seq = entry.seq;
            if seq >= end {
                break;
            }
            let outline = Outline::of(game, &entry);
            walk.step(entry)?;
            if seq >= first {
                items.push(outline.fill(walk.table.as_ref(), viewer, seq));
            }
        }
        Ok(Items { items })
    }
}

/// What can be said of an entry before it is carried out.
struct Outline {
    at: u64,
    seat: Option<Seat>,
    by: ByView,
    event: Option<TableEvent>,
    played: bool,
}

impl Outline {
    fn of(game: &Game, entry: &Stored) -> Self {
        let find = |number: u64| game.setting.seats.seat(number);
        let (seat, by, event, played) = match &entry.body {
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
        Self { at: entry.at, seat, by, event, played }
    }

    fn fill(self, table: Option<&AnyTable>, viewer: Viewer, seq: u64) -> Happening {
        let mut events: Vec<HappenedView> = self.event.into_iter().map(HappenedView::Table).collect();
        if let Some(table) = table.filter(|_| self.played) {
            events.extend(table.events(viewer).into_iter().map(HappenedView::Game));
        }
        Happening { seq, at: time(self.at), seat: self.seat, by: self.by, events }
    }
}
