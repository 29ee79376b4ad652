//! The view, now and as it was.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    engine::{Seat, Viewer},
    ledger::{encoding::hex, game::Game},
    rulesets::AnyView,
    service::{
        Service, ServiceError,
        game::{LiveGame, Player},
    },
    words::Status,
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
    pub status: Status,
    #[schema(value_type = Vec<Seat>, max_items = 4)]
    pub to_act: Vec<Seat>,
    /// Null before the game starts.
    pub state: Option<AnyView>,
}

impl View {
    pub fn of(uuid: Uuid, game: &Game, viewer: Viewer) -> Self {
        Self {
            game: uuid.to_string(),
            ruleset: game.setting.ruleset.name(),
            seq: game.seq(),
            viewer,
            status: game.status(),
            to_act: game.to_act().into_iter().collect(),
            state: game.table.as_ref().map(|table| table.view(viewer)),
        }
    }

    pub fn now(live: &LiveGame, caller: Option<&Player>) -> Self {
        Self::of(live.facts.uuid, &live.game, live.viewer(caller))
    }
}

/// A view, and what it is known by: this changes when the view may.
pub struct Tagged {
    pub view: View,
    pub tag: String,
}

impl Tagged {
    fn new(view: View, game: &Game) -> Self {
        let viewer = match view.viewer {
            Viewer::Seat(seat) => seat.to_string(),
            Viewer::Spectator => "s".to_owned(),
        };
        let tag = format!("{}-{viewer}-{}", view.seq, &hex(game.chain.head())[..16]);
        Self { view, tag }
    }
}

impl Service {
    /// The view after an entry, or after the newest.
    pub async fn view(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        seq: Option<u64>,
    ) -> Result<Tagged, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let live = locked.game()?;
        let newest = live.game.seq();
        let seq = match seq.filter(|seq| *seq != newest) {
            None => return Ok(Tagged::new(View::now(live, caller), &live.game)),
            Some(seq) if seq > newest => return Err(ServiceError::NoEntry { newest }),
            Some(seq) => seq,
        };
        let (game, viewer) = ((uuid, live.facts.key), live.viewer(caller));
        drop(locked);
        let views = self
            .walk(game, seq, 1, move |step| Ok(Tagged::new(View::of(uuid, step.game, viewer), step.game)))
            .await?;
        views.into_iter().next().ok_or_else(|| ServiceError::Internal("an entry is missing".into()))
    }
}
