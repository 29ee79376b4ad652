//! A player, as everybody may see it, with what came of its games.

use serde::Serialize;
use uuid::Uuid;

use super::{
    page::{Page, Window},
    time,
};
use crate::{
    service::{
        Service, ServiceError,
        offer::{Offer, read_offer},
    },
    store::{BotRow, Keeper as _, Tally},
    words::{Level, Nature},
};

#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Profile {
    #[cfg_attr(feature = "openapi", schema(format = Uuid))]
    pub id: String,
    /// Null, if the player has left for good.
    #[cfg_attr(feature = "openapi", schema(max_length = 40))]
    pub name: Option<String>,
    /// Whether no person plays.
    pub bot: bool,
    /// How well a player of the server's own plays; null for all others.
    pub level: Option<Level>,
    /// What somebody's program takes part in; null for all others.
    pub accepts: Option<Offer>,
    #[cfg_attr(feature = "openapi", schema(format = DateTime))]
    pub created_at: String,
    /// Of the games that it has finished, those that were not private.
    pub games: Vec<Record>,
}

/// Somebody who is no person.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Bot))]
pub struct BotView {
    #[cfg_attr(feature = "openapi", schema(format = Uuid))]
    pub id: String,
    #[cfg_attr(feature = "openapi", schema(max_length = 40))]
    pub name: Option<String>,
    /// Always true.
    pub bot: bool,
    /// Of a player of the server's own.
    pub level: Option<Level>,
    /// Of somebody's program.
    pub accepts: Option<Offer>,
}

/// What came of a player's games of one ruleset.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Record {
    #[cfg_attr(feature = "openapi", schema(value_type = crate::rulesets::RulesetName))]
    pub ruleset: String,
    pub played: u64,
    /// How many of them it won, or shared the first place of.
    pub won: u64,
}

impl From<BotRow> for BotView {
    fn from(BotRow { player, offer }: BotRow) -> Self {
        Self {
            id: player.uuid.to_string(),
            name: player.name,
            bot: player.nature.is_bot(),
            level: player.nature.level(),
            accepts: read_offer(offer.as_deref()),
        }
    }
}

impl Service {
    /// Those who are no persons, in the order in which they came.
    pub async fn bots(&self, window: &Window) -> Result<Page<BotView>, ServiceError> {
        let after = match window.last()? {
            None => None,
            Some(uuid) => match self.store.player(uuid).await? {
                Some(player) => Some(player.key),
                None => return Ok(Page::empty()),
            },
        };
        let rows = self.store.bots(after, window.limit + 1).await?;
        let cursor = |row: &BotRow| row.player.uuid.simple().to_string();
        Ok(Page::of(rows, window.limit, cursor, |row| Some(BotView::from(row))))
    }

    pub async fn profile(&self, player: Uuid) -> Result<Profile, ServiceError> {
        let player = self.store.player(player).await?.ok_or(ServiceError::NotFound)?;
        let games = self.store.tally(player.key).await?;
        let offer = match player.nature {
            Nature::Program => self.store.offer(player.key).await?,
            Nature::Person | Nature::Machine(_) => None,
        };
        let record = |Tally { ruleset, played, won }| Record { ruleset, played, won };
        Ok(Profile {
            id: player.uuid.to_string(),
            name: player.name,
            bot: player.nature.is_bot(),
            level: player.nature.level(),
            accepts: read_offer(offer.as_deref()),
            created_at: time(player.created_at),
            games: games.into_iter().map(record).collect(),
        })
    }
}
