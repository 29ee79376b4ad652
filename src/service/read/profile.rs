//! A player, as everybody may see it, with what came of its games.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::time;
use crate::{
    rulesets::RulesetName,
    service::{Service, ServiceError},
    store::{Keeper as _, Tally},
    words::Level,
};

#[derive(Serialize, ToSchema)]
pub struct Profile {
    #[schema(format = Uuid)]
    pub id: String,
    /// Null, if the player has left for good.
    #[schema(max_length = 40)]
    pub name: Option<String>,
    /// Whether no person plays.
    pub bot: bool,
    /// How well a player of the server's own plays; null for all others.
    pub level: Option<Level>,
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Of the games that it has finished, those that were not private.
    pub games: Vec<Record>,
}

/// What came of a player's games of one ruleset.
#[derive(Serialize, ToSchema)]
pub struct Record {
    #[schema(value_type = RulesetName)]
    pub ruleset: String,
    pub played: u64,
    /// How many of them it won, or shared the first place of.
    pub won: u64,
}

impl Service {
    pub async fn profile(&self, player: Uuid) -> Result<Profile, ServiceError> {
        let player = self.store.player(player).await?.ok_or(ServiceError::NotFound)?;
        let games = self.store.tally(player.key).await?;
        let record = |Tally { ruleset, played, won }| Record { ruleset, played, won };
        Ok(Profile {
            id: player.uuid.to_string(),
            name: player.name,
            bot: player.nature.is_bot(),
            level: player.nature.level(),
            created_at: time(player.created_at),
            games: games.into_iter().map(record).collect(),
        })
    }
}
