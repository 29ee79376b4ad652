//! Accounts that are bots of players.

use super::Accounts;
use crate::{
    service::{
        ServiceError,
        games::Player,
        offer::{BotOffer, read_offer},
    },
    store::{AccountChange, Change, Write},
};

impl Accounts {
    /// Returns the games that the account accepts as a bot.
    pub async fn offer(&self, player: &Player) -> Result<BotOffer, ServiceError> {
        let offer = self.store.offer(player.key).await?;
        read_offer(offer.as_deref()).ok_or(ServiceError::NotFound)
    }

    /// Marks the account as a bot that accepts these games, or as a person.
    pub async fn set_offer(&self, player: &Player, offer: Option<&BotOffer>) -> Result<(), ServiceError> {
        let text = offer.map(serde_json::to_string).transpose();
        let offer = text.map_err(|error| ServiceError::Internal(error.to_string()))?;
        let change = AccountChange::SetOffer { player: player.key, offer };
        self.change_account(player.key, Write::of(Change::Account(change)), ServiceError::NameTaken).await
    }
}
