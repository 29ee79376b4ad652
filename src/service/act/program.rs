//! Programs of people: how an account becomes one, and how it is invited.

use uuid::Uuid;

use super::{Reply, lobby::free_seat, new_table::AddBot};
use crate::{
    service::{
        Service, ServiceError,
        feed::Note,
        game::Player,
        hooks::{self, About},
        offer::{Offer, Refuses, read_offer},
        read::game_view::{GameView, GameWithReceipt},
    },
    store::{AccountChange, BotRow, Change, Keeper as _, Write},
};

impl Service {
    /// The player is a program from now on, or no longer.
    pub async fn set_offer(&self, player: &Player, offer: Option<&Offer>) -> Result<(), ServiceError> {
        let text = offer.map(serde_json::to_string).transpose();
        let offer = text.map_err(|error| ServiceError::Internal(error.to_string()))?;
        let change = AccountChange::SetOffer { player: player.key, offer };
        self.change_account(player.key, Write::of(Change::Account(change)), ServiceError::NameTaken).await
    }

    /// Asks a program of this name to a free seat of the caller's table. Whether it comes is for the program
    /// to say.
    pub(super) async fn invite_bot(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &AddBot,
    ) -> Result<Reply, ServiceError> {
        let locked = self.hosted(uuid, player).await?;
        let live = locked.game()?;
        free_seat(live, sent.seat)?;
        let BotRow { player: bot, offer } = self
            .store
            .bot_called(sent.name.as_deref().unwrap_or_default())
            .await?
            .ok_or(ServiceError::NoSuchBot)?;
        let offer = read_offer(offer.as_deref()).ok_or(ServiceError::NoSuchBot)?;
        if let Some(refuses) = offer.refuses(&live.game) {
            return Err(ServiceError::BotRefuses(refuses));
        }
        if u64::from(self.store.active_games(bot.key).await?) >= offer.at_once {
            return Err(ServiceError::BotRefuses(Refuses::Busy));
        }
        let note = Note::invitation(uuid, live.facts.invite.as_deref(), &player.id);
        let (place, about) = (uuid.simple().to_string(), About::of(live));
        let words = |lang| hooks::words::invitation(lang, player);
        let letters =
            self.post.letters_of_note(bot.key, &note, &place, Some(&about), self.clock.now(), words);
        self.post_letters(letters).await?;
        self.hub.note(bot.key, &note);
        let receipt = self.signer.sign(&live.receipt(live.newest_placed()));
        Reply::of(&GameWithReceipt { game: GameView::of(live, Some(player)), receipt })
    }
}
