//! Bots at an open table: built-in ones, and invitations of players' bots.

use uuid::Uuid;

use super::{Reply, game_change::GameChange, lobby::free_seat, new_table::AddBot};
use crate::{
    ledger::entry::Body,
    service::{
        ServiceError, Tables,
        accounts::seated,
        games::{EntryRef, Player},
        offer::{Refuses, read_offer},
        reading::game_view::{GameView, GameWithReceipt},
    },
    store::{BotRow, NewClaim},
    words::{Level, Status},
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
        let receipt = self.signer.sign(&live.receipt(live.newest_placed()));
        let reply = Reply::of(&GameWithReceipt { game: GameView::of(live, Some(player)), receipt })?;
        self.tell_invited(locked, bot.key, player).await?;
        Ok(reply)
    }

    /// Gives a seat to a built-in bot.
    pub(super) fn seat_bot(
        &self,
        change: &mut GameChange,
        seat: u64,
        level: Level,
    ) -> Result<EntryRef, ServiceError> {
        let machine =
            self.house_bots.free(level, &change.live).ok_or(ServiceError::NotOpen(Status::Sealed))?;
        change.live.people.introduce(machine);
        change.add(&seated(seat, machine, level))
    }

    /// Adds a built-in bot to a free seat, or invites a player's bot.
    pub(super) async fn add_bot(
        &self,
        uuid: Uuid,
        player: &Player,
        sent: &AddBot,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let Some(level) = sent.level else {
            return self.invite_bot(uuid, player, sent).await;
        };
        let locked = self.hosted(uuid, player).await?;
        let live = locked.game()?;
        if live.game.chain.next_seq() >= self.limits.lobby_entries {
            return Err(ServiceError::TooManyChanges);
        }
        let seat = free_seat(live, sent.seat)?;
        let mut change = self.begin(locked)?;
        let placed = self.seat_bot(&mut change, seat.number().into(), level)?;
        change = self.with_consequences(change).await?;
        self.commit_for(player, change, placed, claim).await
    }

    /// Removes a built-in bot.
    pub(super) async fn remove_bot(
        &self,
        uuid: Uuid,
        player: &Player,
        seat: u64,
        claim: Option<&NewClaim>,
    ) -> Result<Reply, ServiceError> {
        let locked = self.hosted(uuid, player).await?;
        let live = locked.game()?;
        let sitting = live.game.setting.seats.seat(seat).and_then(|seat| live.sitting(seat));
        if sitting.is_none_or(|sitting| sitting.holder.bot.is_none()) {
            return Err(ServiceError::NotFound);
        }
        let mut change = self.begin(locked)?;
        let placed = change.add(&Body::Leave { seat })?;
        self.commit_for(player, change, placed, claim).await
    }
}
