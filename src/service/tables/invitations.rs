//! Invitations of people: a host calls those with whom it has played.

use uuid::Uuid;

use super::new_table::NewInvitation;
use crate::{
    service::{
        ServiceError, Tables,
        feed::Note,
        games::{LiveGame, Locked, Player},
        notify::{self, About},
    },
    store::PlayerKey,
};

/// Returns the invited player, if both have a seat in this game. Strangers cannot be invited, and the answer
/// does not name the players of a private game.
fn met(live: &LiveGame, host: &Player, invited: &str) -> Option<PlayerKey> {
    live.seat_of(host)?;
    live.game.seat_of(invited)?;
    live.people.key_of(invited)
}

impl Tables {
    /// Tells a player of the host's open table. The player may decline.
    pub async fn invite(&self, uuid: Uuid, host: &Player, sent: &NewInvitation) -> Result<(), ServiceError> {
        let invited = {
            let before =
                self.games.visible(sent.met_in.0, Some(host)).await.map_err(|_| ServiceError::NotFound)?;
            met(before.game()?, host, &sent.player.0.to_string()).ok_or(ServiceError::NotFound)?
        };
        let locked = self.hosted(uuid, host).await?;
        let live = locked.game()?;
        if live.seat_with(invited).is_some() {
            return Err(ServiceError::AlreadySeated);
        }
        self.tell_invited(locked, invited, host).await
    }

    /// Sends an invitation to the table: a note in the feed, and the letters that the player has asked for.
    pub(super) async fn tell_invited(
        &self,
        locked: Locked,
        invited: PlayerKey,
        host: &Player,
    ) -> Result<(), ServiceError> {
        if self.store.blockers(host.key).await?.contains(&invited) {
            // The host must not notice.
            return Ok(());
        }
        let live = locked.game()?;
        let uuid = live.facts.uuid;
        let note = Note::invitation(uuid, live.facts.invite.as_deref(), &host.id);
        let (place, about) = (uuid.simple().to_string(), About::of(live));
        drop(locked);
        let words = |lang| notify::words::invitation(lang, host);
        let letters = self.notifier.outbox.letters_of_note(
            invited,
            &note,
            &place,
            Some(&about),
            self.clock.now(),
            words,
        );
        self.notifier.post_letters(letters).await?;
        self.feed.hub.note(invited, &note);
        Ok(())
    }
}
