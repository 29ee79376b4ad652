//! Watching: the view, now and as it was, and what happened, entry by entry.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    Player, Service, ServiceError,
    game::Game,
    happening::{Happening, Outline},
    history::{self, Stored},
    page::Items,
    resource::StatusView,
};
use crate::{
    engine::{Chance, Seat, Viewer},
    ledger::{
        entry::{Body, Reason},
        replay::replay,
    },
    rulesets::{AnyStatus, AnyTable, AnyView},
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
        let first = after.map_or(0, |after| after.saturating_add(1));
        let (_, items) = self.happenings(uuid, caller, first, limit).await?;
        Ok(Items { items })
    }

    /// What happened from an entry on, and as whom the caller sees it.
    pub(super) async fn happenings(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        first: u64,
        limit: u32,
    ) -> Result<(Viewer, Vec<Happening>), ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let game = locked.game()?;
        let viewer = game.viewer(caller.map(|player| player.key));
        let mut entries = self.store.entries(game.row.key)?;
        entries.truncate(usize::try_from(first.saturating_add(limit.into())).unwrap_or(usize::MAX));
        let mut walk = Walk::new(game);
        let mut happenings = Vec::new();
        for entry in history::read(&entries)? {
            let seq = entry.seq;
            let outline = Outline::of(game.setting.seats, entry.at, &entry.body);
            walk.step(entry)?;
            if seq >= first {
                happenings.push(outline.fill(walk.table.as_ref(), viewer, seq));
            }
        }
        Ok((viewer, happenings))
    }
}
