//! Entries and messages of other servers, for the listeners of this one.

use std::time::Duration;

use tokio::{sync::mpsc::UnboundedReceiver, time::timeout};
use uuid::Uuid;

use super::{
    CommitNews, Hub, Note, Notice, NoticeKind, PeerMessage, RenderedEntry, Span, Warning, addressed,
};
use crate::{
    ledger::entry::Body,
    service::{
        Feed, ServiceError,
        games::LiveGame,
        reading::context::{ViewContext, ViewOptions},
    },
    store::{ChangedGame, GameKey, LogPosition, PeerEvent, PeerNews},
};

/// Interval between searches for entries whose message was lost.
const SWEEP: Duration = Duration::from_secs(2);
/// After this long without the database, the feeds are closed.
const SILENCE: Duration = Duration::from_secs(10);

impl Feed {
    /// Follows the messages of other servers and searches for lost ones, for ever. Returns at once on SQLite.
    pub async fn hear(&self) {
        let Some(peers) = self.store.peers() else { return };
        let Some(mut bells) = peers.bells() else { return };
        loop {
            if self.hear_some(&mut bells).await.is_err() {
                tokio::time::sleep(SWEEP).await;
            }
            self.hub.set_closed(peers.silent_for() > SILENCE);
        }
    }

    /// Follows messages until the next search is due.
    async fn hear_some(&self, bells: &mut UnboundedReceiver<PeerEvent>) -> Result<(), ServiceError> {
        let heard = timeout(SWEEP, async {
            while let Some(PeerEvent::Line(line)) = bells.recv().await {
                // The next search finds the entries of a message that fails here.
                if let Some(bell) = PeerMessage::read(&line) {
                    let _ = self.answer(bell).await;
                }
            }
        });
        let _ = heard.await;
        self.sweep().await
    }

    /// Searches for entries that were not announced here.
    pub async fn sweep(&self) -> Result<(), ServiceError> {
        self.hub.say_who_is_here();
        if self.hub.listeners() == 0 {
            return Ok(());
        }
        let Some(peers) = self.store.peers() else { return Ok(()) };
        for moved in peers.moved_lately().await? {
            // A damaged game must not hide the news of the others.
            let (game, told) = (moved.game, self.tell_of(moved, true).await);
            self.games.unless_damaged(game, told)?;
        }
        Ok(())
    }

    async fn answer(&self, bell: PeerMessage) -> Result<(), ServiceError> {
        match bell {
            PeerMessage::Moved { game, first, last, changes_lobby } => {
                self.tell_of(ChangedGame { game, first, last }, changes_lobby).await?;
            }
            PeerMessage::Noted { player, game, kind, data } => {
                if let Some(kind) = Note::kind(&kind) {
                    self.hub.hear_note(player, Note { game, kind, data });
                }
            }
            PeerMessage::Said { game, said } => self.hub.hear_said(game, said),
            PeerMessage::Came { player, page } => self.hub.hear_of(player, &page, true),
            PeerMessage::Went { player, page } => self.hub.hear_of(player, &page, false),
        }
        Ok(())
    }

    /// Announces the entries of a game that were not announced here.
    async fn tell_of(&self, moved: ChangedGame, changes_lobby: bool) -> Result<(), ServiceError> {
        let ChangedGame { game, first, last } = moved;
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
        // If the game is in memory, locking it applies and announces its new entries.
        let locked = self.games.lock(game).await?;
        let live = locked.game()?;
        self.hub.note_warning(game, Warning::of(live, live.noted_deadline));
        let (key, people) = (live.facts.key, live.people.clone());
        // Entries that were loaded with the game were not announced: read them from the log.
        for span in self.hub.untold(game, span) {
            let mut notices = Vec::new();
            for (player, notice) in self.notices_from_log(game, key, span).await? {
                notices.extend(self.games.key_of(&people, &player).await?.map(|player| (player, notice)));
            }
            self.hub.catch_up(game, span, notices);
        }
        drop(locked);
        Ok(())
    }

    async fn notices_from_log(
        &self,
        uuid: Uuid,
        key: GameKey,
        Span { first, last }: Span,
    ) -> Result<Vec<(String, Notice)>, ServiceError> {
        let Some(peers) = self.store.peers() else { return Ok(Vec::new()) };
        let places = peers.places(key, first, last).await?;
        let notices = self.reading.walk((uuid, key), first, last + 1 - first, move |step| {
            let (seq, at) = (step.entry.seq, step.entry.at);
            let place = usize::try_from(seq - first).ok().and_then(|place| places.get(place)).copied();
            let Some(place) = place else { return Ok(Vec::new()) };
            let mut notices = Vec::new();
            for kind in NoticeKind::of(&step.entry.body, step.waited, step.game) {
                let notice = Notice::new(uuid, seq, at, kind).at_place(place, seq);
                let heard_by = kind.heard_by(step.game);
                notices.extend(heard_by.map(|player| (player.to_owned(), notice.clone())));
            }
            Ok(notices)
        });
        Ok(notices.await?.concat())
    }
}

/// Applies entries of another server to a game in memory, and announces them here.
pub fn take_in(
    hub: &Hub,
    (now, reveal_ms): (u64, u64),
    live: &mut LiveGame,
    news: Vec<PeerNews>,
) -> Result<(), ServiceError> {
    let (uuid, first) = (live.facts.uuid, live.game.seq() + 1);
    let watched = hub.watched(uuid);
    let (mut told, mut notices, mut place) = (Vec::new(), Vec::new(), LogPosition::Moment(0));
    let mut changes_lobby = false;
    for PeerNews { at, entry } in news {
        let waited = live.game.turn().seat;
        let entry = live.follow(&entry)?;
        let (seq, body) = (entry.seq, &entry.body);
        changes_lobby |= !matches!(body, Body::Cmd { .. });
        for kind in NoticeKind::of(body, waited, &live.game) {
            notices.extend(addressed(live, &Notice::new(uuid, seq, entry.at, kind).at_place(at, seq)));
        }
        if let Some(watched) = watched {
            let context = ViewContext::of(live, now, reveal_ms, ViewOptions::default());
            told.push(RenderedEntry::new(entry.at, body, &live.game, context, watched)?);
        }
        place = at;
    }
    live.game.forget_last();
    live.noted_deadline = live.deadline(reveal_ms);
    let seq = live.game.seq();
    let warning = Warning::of(live, live.noted_deadline);
    let news = CommitNews { game: uuid, first, seq, entries: told, notices, warning, changes_lobby };
    hub.hear_bulletin(news, place);
    Ok(())
}
