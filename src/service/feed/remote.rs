//! What other servers did, told to those who wait here.

use std::time::Duration;

use tokio::{sync::mpsc::UnboundedReceiver, time::timeout};
use uuid::Uuid;

use super::{Bell, Bulletin, Note, Notice, Span, Tiding, Told, Warning, addressed};
use crate::{
    ledger::entry::Body,
    service::{
        Service, ServiceError,
        game::{LiveGame, People},
        read::sight::{Sight, Wish},
    },
    store::{GameKey, Keeper as _, Moved, News, Place, PlayerKey, Rung},
};

/// How often is looked for what no bell has told.
const SWEEP: Duration = Duration::from_secs(2);
/// After how long a silence of the database nobody is left to believe that nothing happens.
const SILENCE: Duration = Duration::from_secs(10);

impl Service {
    /// Hears what other servers ring, and looks for what it has not heard, for ever. Where there are none it
    /// ends at once.
    pub async fn hear(&self) {
        let Some(mut bells) = self.store.bells() else { return };
        loop {
            if self.hear_some(&mut bells).await.is_err() {
                tokio::time::sleep(SWEEP).await;
            }
            self.hub.set_closed(self.store.silent_for() > SILENCE);
        }
    }

    /// Hears bells until it is time for a look.
    async fn hear_some(&self, bells: &mut UnboundedReceiver<Rung>) -> Result<(), ServiceError> {
        let heard = timeout(SWEEP, async {
            while let Some(Rung::Line(line)) = bells.recv().await {
                // What fails is found by the next look.
                if let Some(bell) = Bell::read(&line) {
                    let _ = self.answer(bell).await;
                }
            }
        });
        let _ = heard.await;
        self.sweep().await
    }

    /// Looks for what was not told.
    pub async fn sweep(&self) -> Result<(), ServiceError> {
        self.hub.say_who_is_here();
        if self.hub.listeners() == 0 {
            return Ok(());
        }
        for moved in self.store.moved_lately().await? {
            // One game that cannot be read keeps nobody from hearing of the others.
            let (game, told) = (moved.game, self.tell_of(moved, true).await);
            self.unless_damaged(game, told)?;
        }
        Ok(())
    }

    async fn answer(&self, bell: Bell) -> Result<(), ServiceError> {
        match bell {
            Bell::Moved { game, first, last, changes_lobby } => {
                self.tell_of(Moved { game, first, last }, changes_lobby).await?;
            }
            Bell::Noted { player, game, kind, data } => {
                if let Some(kind) = Note::kind(&kind) {
                    self.hub.hear_note(player, Note { game, kind, data });
                }
            }
            Bell::Said { game, said } => self.hub.hear_said(game, said),
            Bell::Came { player, page } => self.hub.hear_of(player, &page, true),
            Bell::Went { player, page } => self.hub.hear_of(player, &page, false),
        }
        Ok(())
    }

    /// Tells those who wait here what happened to a game, as far as it was not told.
    async fn tell_of(&self, moved: Moved, changes_lobby: bool) -> Result<(), ServiceError> {
        let Moved { game, first, last } = moved;
        let span = Span { first, last };
        if self.hub.untold(game, span).is_empty() {
            return Ok(());
        }
        if changes_lobby {
            self.hub.lobby_changed();
        }
        if !self.hub.cares_for(game) {
            return Ok(());
        }
        // Who has the game in memory takes in what is new, and tells it.
        let locked = self.lock(game).await?;
        let live = locked.game()?;
        self.hub.note_warning(game, Warning::of(live, live.noted_deadline));
        let (key, people) = (live.facts.key, live.people.clone());
        // What it read when it was not in memory, here or by whoever has moved here since, is told from the log.
        for span in self.hub.untold(game, span) {
            let mut notices = Vec::new();
            for (player, notice) in self.notices_from_log(game, key, span).await? {
                notices.extend(self.key_of(&people, &player).await?.map(|player| (player, notice)));
            }
            self.hub.catch_up(game, span, notices);
        }
        drop(locked);
        Ok(())
    }

    /// Which player it is: one who sits there, or who does no more.
    pub(in crate::service) async fn key_of(
        &self,
        people: &People,
        player: &str,
    ) -> Result<Option<PlayerKey>, ServiceError> {
        if let Some(known) = people.key_of(player) {
            return Ok(Some(known));
        }
        let Ok(uuid) = Uuid::try_parse(player) else { return Ok(None) };
        Ok(self.store.player(uuid).await?.map(|player| player.key))
    }

    async fn notices_from_log(
        &self,
        uuid: Uuid,
        key: GameKey,
        Span { first, last }: Span,
    ) -> Result<Vec<(String, Notice)>, ServiceError> {
        let places = self.store.places(key, first, last).await?;
        let notices = self.walk((uuid, key), first, last + 1 - first, move |step| {
            let (seq, at) = (step.entry.seq, step.entry.at);
            let place = usize::try_from(seq - first).ok().and_then(|place| places.get(place)).copied();
            let Some(place) = place else { return Ok(Vec::new()) };
            let mut notices = Vec::new();
            for tiding in Tiding::of(&step.entry.body, step.waited, step.game) {
                let notice = Notice::new(uuid, seq, at, tiding).at_place(place, seq);
                let heard_by = tiding.heard_by(step.game);
                notices.extend(heard_by.map(|player| (player.to_owned(), notice.clone())));
            }
            Ok(notices)
        });
        Ok(notices.await?.concat())
    }

    /// Takes in what another server has written to a game that is in memory, and tells those who wait here.
    pub(in crate::service) fn take_in(
        &self,
        live: &mut LiveGame,
        news: Vec<News>,
    ) -> Result<(), ServiceError> {
        let (uuid, first) = (live.facts.uuid, live.game.seq() + 1);
        let watched = self.hub.watched(uuid);
        let (mut told, mut notices, mut place) = (Vec::new(), Vec::new(), Place::Moment(0));
        let mut changes_lobby = false;
        for News { at, entry } in news {
            let waited = live.game.turn().seat;
            let entry = live.follow(&entry)?;
            let (seq, body) = (entry.seq, &entry.body);
            changes_lobby |= !matches!(body, Body::Cmd { .. });
            for tiding in Tiding::of(body, waited, &live.game) {
                notices.extend(addressed(live, &Notice::new(uuid, seq, entry.at, tiding).at_place(at, seq)));
            }
            if let Some(watched) = watched {
                let sight = Sight::of(live, self.clock.now(), self.limits.reveal_ms, Wish::default());
                told.push(Told::new(entry.at, body, &live.game, sight, watched)?);
            }
            place = at;
        }
        live.game.forget_last();
        live.noted_deadline = live.deadline(self.limits.reveal_ms);
        let seq = live.game.seq();
        let warning = Warning::of(live, live.noted_deadline);
        let bulletin = Bulletin { game: uuid, first, seq, told, notices, warning, changes_lobby };
        self.hub.hear_bulletin(bulletin, place);
        Ok(())
    }
}
