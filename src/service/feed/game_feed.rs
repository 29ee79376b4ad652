//! The feed of one game, for its watchers.

use std::{collections::VecDeque, sync::Arc};

use tokio::sync::watch;

use super::{RenderedEntry, Said, Watched};

/// Entries kept for watchers who are nearly up to date.
const RECENT: usize = 64;
/// Messages that a watcher may be behind. Later watchers read the list.
const UNHEARD: usize = 16;

pub(super) struct GameFeed {
    news: watch::Sender<WatcherWake>,
    recent: VecDeque<Arc<RenderedEntry>>,
    said: VecDeque<Arc<Said>>,
    watching: usize,
    /// Watchers that need more than the shared texts of an entry.
    wishing: usize,
}

/// Wakes all watchers of a game. There is one channel, since there may be thousands of watchers.
#[derive(Clone, Copy)]
pub(super) struct WatcherWake {
    /// `seq` of the newest durable entry.
    pub newest: u64,
    /// Number of announcements of this game.
    pub told: u64,
    /// Number of messages.
    pub said: u64,
    /// Whether the feed is closed.
    pub closed: bool,
}

impl GameFeed {
    pub fn new(newest: u64, closed: bool) -> Self {
        Self {
            news: watch::Sender::new(WatcherWake { newest, told: 0, said: 0, closed }),
            recent: VecDeque::new(),
            said: VecDeque::new(),
            watching: 0,
            wishing: 0,
        }
    }

    pub fn come(&mut self, watched: Watched) -> watch::Receiver<WatcherWake> {
        self.watching += 1;
        self.wishing += usize::from(watched == Watched::WithWishes);
        self.news.subscribe()
    }

    /// Removes a watcher and returns whether none is left.
    pub fn go(&mut self, watched: Watched) -> bool {
        self.watching -= 1;
        self.wishing -= usize::from(watched == Watched::WithWishes);
        self.watching == 0
    }

    pub fn watched(&self) -> Watched {
        if self.wishing > 0 { Watched::WithWishes } else { Watched::Plainly }
    }

    pub fn tell(&mut self, entries: Vec<RenderedEntry>, newest: u64) {
        for told in entries {
            if self.recent.back().is_some_and(|last| last.seq + 1 != told.seq) {
                self.recent.clear();
            }
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(Arc::new(told));
        }
        self.news.send_modify(|news| {
            news.newest = news.newest.max(newest);
            news.told += 1;
        });
    }

    /// Announces entries up to `newest`, which watchers read from the log.
    pub fn catch_up(&self, newest: u64) {
        self.news.send_if_modified(|news| {
            let is_new = news.newest < newest;
            if is_new {
                news.newest = newest;
                news.told += 1;
            }
            is_new
        });
    }

    pub fn say(&mut self, said: Arc<Said>) {
        if self.said.len() == UNHEARD {
            self.said.pop_front();
        }
        self.said.push_back(said);
        self.news.send_modify(|news| news.said += 1);
    }

    pub fn set_closed(&self, closed: bool) {
        self.news.send_modify(|news| news.closed = closed);
    }

    /// Returns the entries from `seq` on, if `seq` is among the recent ones.
    pub fn recent(&self, seq: u64) -> Vec<Arc<RenderedEntry>> {
        let first = self.recent.front().map_or(u64::MAX, |told| told.seq);
        let skip = seq.checked_sub(first).and_then(|skip| usize::try_from(skip).ok());
        skip.map_or_else(Vec::new, |skip| self.recent.iter().skip(skip).cloned().collect())
    }

    /// Returns the first kept message after the first `heard` ones, and its number.
    pub fn said_after(&self, heard: u64) -> Option<(u64, Arc<Said>)> {
        let first = self.news.borrow().said - self.said.len() as u64;
        let skip = usize::try_from(heard.saturating_sub(first)).ok()?;
        let said = self.said.get(skip)?;
        Some((first + skip as u64 + 1, Arc::clone(said)))
    }
}
