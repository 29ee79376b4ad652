//! Invitations of players' bots.

use uuid::Uuid;

use super::{Reply, lobby::free_seat, new_table::AddBot};
use crate::{
    service::{
        ServiceError, Tables,
        feed::Note,
        games::Player,
        notify::{self, About},
        offer::{Refuses, read_offer},
        reading::game_view::{GameView, GameWithReceipt},
    },
    store::{BotRow, Keeper as _},
};

impl Tables {
    /// Invites the bot of this name to a free seat of the caller's table. The bot may decline.
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
        let words = |lang| notify::words::invitation(lang, player);
        let letters =
            self.notifier.post.letters_of_note(bot.key, &note, &place, Some(&about), self.clock.now(), words);
        self.notifier.post_letters(letters).await?;
        self.feed.hub.note(bot.key, &note);
        let receipt = self.signer.sign(&live.receipt(live.newest_placed()));
        Reply::of(&GameWithReceipt { game: GameView::of(live, Some(player)), receipt })
    }
}
