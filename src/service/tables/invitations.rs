//! Invitations of people: a host calls those with whom it has played.

use uuid::Uuid;

use super::new_table::NewInvitation;
use crate::{
    service::{
        ServiceError, Tables,
        feed::Note,
        games::{LiveGame, Player},
        notify::{self, About},
    },
    store::PlayerKey,
};

/// Returns the invited player, if both have a seat in this game. Strangers cannot be invited, and the answer
/// does not name the players of a private game.
fn met(live: &LiveGame, host: &Player, invited: &str) -> Option<PlayerKey> {
    let seated = |id: &str| live.game.setting.seats.iter().any(|seat| live.game.seat_of(id) == Some(seat));
    (live.seat_of(host).is_some() && seated(invited)).then(|| live.people.key_of(invited)).flatten()
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
