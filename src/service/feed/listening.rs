//! Waiting for the entries of a game, for changes of the list of tables, and for notices.

use std::{
    collections::hash_map::Entry,
    sync::{Arc, atomic::Ordering},
};

use tokio::sync::{broadcast, watch};
use uuid::Uuid;

use super::{Heard, Hub, PeerMessage, RenderedEntry, Said, Watched, game_feed::WatcherWake};
use crate::store::PlayerKey;

/// Whether more can come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    Changed,
    Closed,
}

async fn closing(closed: &mut watch::Receiver<bool>) {
    // The sender lives as long as the hub.
    let _ = closed.wait_for(|closed| *closed).await;
}

/// A watcher of a game.
pub struct Watching {
    hub: Arc<Hub>,
    game: Uuid,
    watched: Watched,
    news: watch::Receiver<WatcherWake>,
    /// Numbers of seen announcements and messages.
    told: u64,
    heard: u64,
}

impl Watching {
    pub(super) fn new(
        hub: Arc<Hub>,
        game: Uuid,
        watched: Watched,
        news: watch::Receiver<WatcherWake>,
    ) -> Self {
        let WatcherWake { told, said: heard, .. } = *news.borrow();
        Self { hub, game, watched, news, told, heard }
    }

    /// Returns the `seq` of the newest durable entry.
    pub fn newest(&mut self) -> u64 {
        let WatcherWake { newest, told, .. } = *self.news.borrow_and_update();
        self.told = told;
        newest
    }

    /// Returns the entries from `seq` on, if `seq` is among the recent ones.
    pub fn recent(&self, seq: u64) -> Vec<Arc<RenderedEntry>> {
        self.hub.board().games.get(&self.game).map_or_else(Vec::new, |feed| feed.recent(seq))
    }

    /// Returns the next message. A watcher that is too far behind reads the list.
    pub fn said(&mut self) -> Option<Arc<Said>> {
        if self.news.borrow().said == self.heard {
            return None;
        }
        let (heard, said) = self.hub.board().games.get(&self.game)?.said_after(self.heard)?;
        self.heard = heard;
        Some(said)
    }

    /// Waits for news after the last call of `newest`.
    pub async fn woken(&mut self) -> Wait {
        let news = &mut self.news;
        let is_there = !news.borrow().closed && news.changed().await.is_ok() && !news.borrow().closed;
        if is_there { Wait::Changed } else { Wait::Closed }
    }

    /// Waits for news of the game that `newest` has not returned.
    pub async fn changed(&mut self) -> Wait {
        loop {
            if self.woken().await == Wait::Closed {
                return Wait::Closed;
            }
            let before = self.told;
            self.newest();
            if self.told != before {
                return Wait::Changed;
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.hub.listeners.fetch_sub(1, Ordering::Relaxed);
        if let Entry::Occupied(mut feed) = self.hub.board().games.entry(self.game)
            && feed.get_mut().go(self.watched)
        {
            feed.remove();
        }
    }
}

/// A watcher of the list of tables.
pub struct Lobby {
    pub(super) hub: Arc<Hub>,
    pub(super) changes: watch::Receiver<u64>,
    pub(super) closed: watch::Receiver<bool>,
}

impl Lobby {
    /// Marks all changes up to now as seen.
    pub fn seen(&mut self) {
        self.changes.borrow_and_update();
    }

    pub async fn changed(&mut self) -> Wait {
        tokio::select! {
            () = closing(&mut self.closed) => Wait::Closed,
            changed = self.changes.changed() => if changed.is_ok() { Wait::Changed } else { Wait::Closed },
        }
    }
}

impl Drop for Lobby {
    fn drop(&mut self) {
        self.hub.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A listening player.
pub struct Listening {
    pub(super) hub: Arc<Hub>,
    pub(super) player: PlayerKey,
    pub(super) present: Option<String>,
    pub(super) notices: Option<broadcast::Receiver<Arc<Heard>>>,
    pub(super) closed: watch::Receiver<bool>,
}

impl Listening {
    /// Returns the next notice, or `None` when the channel is closed or too far behind.
    pub async fn next(&mut self) -> Option<Arc<Heard>> {
        let notices = self.notices.as_mut()?;
        tokio::select! {
            () = closing(&mut self.closed) => None,
            notice = notices.recv() => notice.ok(),
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.notices = None;
        self.hub.listeners.fetch_sub(1, Ordering::Relaxed);
        let mut board = self.hub.board();
        if let Some(page) = &self.present {
            board.present.go(self.player, page);
            self.hub.ring(|| PeerMessage::Went { player: self.player, page: page.clone() });
        }
        if let Entry::Occupied(channel) = board.players.entry(self.player)
            && channel.get().receiver_count() == 0
        {
            channel.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::{service::feed::CommitNews, store::LogPosition};

    fn said(number: usize) -> Said {
        Said { text: number.to_string(), heard_by: Vec::new() }
    }

    fn heard(watching: &mut Watching) -> Vec<String> {
        std::iter::from_fn(|| watching.said()).map(|said| said.text.clone()).collect()
    }

    fn told(game: Uuid, seq: u64) -> CommitNews {
        let (told, notices) = (Vec::new(), Vec::new());
        CommitNews { game, first: seq, seq, entries: told, notices, warning: None, changes_lobby: false }
    }

    #[test]
    fn a_message_wakes_those_who_talk_and_not_those_who_wait_for_a_move() {
        let hub = Arc::new(Hub::after(LogPosition::Row(0), None));
        let game = Uuid::from_u128(1);
        let mut watching = hub.watch(game, 3, Watched::Plainly);
        hub.say(game, said(0));
        assert_eq!(watching.woken().now_or_never(), Some(Wait::Changed));
        assert_eq!((watching.newest(), heard(&mut watching)), (3, vec!["0".to_owned()]));
        hub.say(game, said(1));
        assert_eq!(watching.changed().now_or_never(), None);
        hub.hear_bulletin(told(game, 4), LogPosition::Row(0));
        assert_eq!(watching.changed().now_or_never(), Some(Wait::Changed));
        assert_eq!((watching.newest(), heard(&mut watching)), (4, vec!["1".to_owned()]));
        assert_eq!(watching.woken().now_or_never(), None);
    }

    #[test]
    fn who_comes_hears_what_is_said_from_then_on_and_who_is_far_behind_the_last_of_it() {
        let hub = Arc::new(Hub::after(LogPosition::Row(0), None));
        let game = Uuid::from_u128(1);
        let mut first = hub.watch(game, 0, Watched::Plainly);
        for number in 0..20 {
            hub.say(game, said(number));
        }
        let mut second = hub.watch(game, 0, Watched::Plainly);
        hub.say(game, said(20));
        let last: Vec<String> = (5..=20).map(|number| number.to_string()).collect();
        assert_eq!((heard(&mut first), heard(&mut second)), (last, vec!["20".to_owned()]));
    }

    #[test]
    fn a_game_is_watched_until_the_last_has_gone() {
        let hub = Arc::new(Hub::after(LogPosition::Row(0), None));
        let game = Uuid::from_u128(1);
        let plain = hub.watch(game, 0, Watched::Plainly);
        let wishing = hub.watch(game, 0, Watched::WithWishes);
        assert_eq!(hub.watched(game), Some(Watched::WithWishes));
        drop(wishing);
        assert_eq!(hub.watched(game), Some(Watched::Plainly));
        drop(plain);
        assert_eq!(hub.watched(game), None);
    }

    #[test]
    fn whoever_watches_is_sent_away_and_so_is_whoever_comes_then() {
        let hub = Arc::new(Hub::after(LogPosition::Row(0), None));
        let (game, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut before = hub.watch(game, 0, Watched::Plainly);
        hub.set_closed(true);
        let mut after = hub.watch(other, 0, Watched::Plainly);
        assert_eq!(before.woken().now_or_never(), Some(Wait::Closed));
        assert_eq!(after.changed().now_or_never(), Some(Wait::Closed));
        hub.set_closed(false);
        assert_eq!(hub.watch(other, 0, Watched::Plainly).woken().now_or_never(), None);
    }
}
