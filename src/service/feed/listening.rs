//! Those who wait for something: for the entries of a game, for other tables, for what a player is told.

use std::{
    collections::hash_map::Entry,
    sync::{Arc, atomic::Ordering},
};

use tokio::sync::{broadcast, watch};
use uuid::Uuid;

use super::{Bell, Heard, Hub, Told, hub::Said};
use crate::store::PlayerKey;

/// Whether there is anything more to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    Changed,
    Closed,
}

async fn closing(closed: &mut watch::Receiver<bool>) {
    // The sender lives as long as the hub.
    let _ = closed.wait_for(|closed| *closed).await;
}

/// Somebody who watches a game.
pub struct Watching {
    pub(super) hub: Arc<Hub>,
    pub(super) game: Uuid,
    pub(super) wishes: bool,
    pub(super) said: broadcast::Receiver<Arc<Said>>,
    pub(super) newest: Option<watch::Receiver<u64>>,
    pub(super) closed: watch::Receiver<bool>,
}

impl Watching {
    /// The seq of the newest entry that is on disk.
    pub fn newest(&mut self) -> u64 {
        self.newest.as_mut().map_or(0, |newest| *newest.borrow_and_update())
    }

    /// The entries from this one on, if it is one of the recent ones.
    pub fn recent(&self, seq: u64) -> Vec<Arc<Told>> {
        let board = self.hub.board();
        let Some(feed) = board.games.get(&self.game) else { return Vec::new() };
        let first = feed.recent.front().map_or(u64::MAX, |told| told.seq);
        let Some(skip) = seq.checked_sub(first).and_then(|skip| usize::try_from(skip).ok()) else {
            return Vec::new();
        };
        feed.recent.iter().skip(skip).cloned().collect()
    }

    /// Waits for an entry that `newest` has not shown yet, or for something that is said.
    pub async fn changed_or_said(&mut self) -> (Wait, Option<Arc<Said>>) {
        let Self { newest: Some(newest), said, closed, .. } = self else { return (Wait::Closed, None) };
        tokio::select! {
            () = closing(closed) => (Wait::Closed, None),
            changed = newest.changed() => (if changed.is_ok() { Wait::Changed } else { Wait::Closed }, None),
            // Who is too far behind looks at the list.
            said = said.recv() => (Wait::Changed, said.ok()),
        }
    }

    /// Waits for an entry that `newest` has not shown yet.
    pub async fn changed(&mut self) -> Wait {
        let Some(newest) = &mut self.newest else { return Wait::Closed };
        tokio::select! {
            () = closing(&mut self.closed) => Wait::Closed,
            changed = newest.changed() => if changed.is_ok() { Wait::Changed } else { Wait::Closed },
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.newest = None;
        self.hub.listeners.fetch_sub(1, Ordering::Relaxed);
        if let Entry::Occupied(mut feed) = self.hub.board().games.entry(self.game) {
            feed.get_mut().wishing -= usize::from(self.wishes);
            if feed.get().newest.receiver_count() == 0 {
                feed.remove();
            }
        }
    }
}

/// Somebody who watches the tables.
pub struct Lobby {
    pub(super) hub: Arc<Hub>,
    pub(super) changes: watch::Receiver<u64>,
    pub(super) closed: watch::Receiver<bool>,
}

impl Lobby {
    /// Notes that everything up to now has been seen.
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

/// A player who listens.
pub struct Listening {
    pub(super) hub: Arc<Hub>,
    pub(super) player: PlayerKey,
    pub(super) present: Option<String>,
    pub(super) notices: Option<broadcast::Receiver<Arc<Heard>>>,
    pub(super) closed: watch::Receiver<bool>,
}

impl Listening {
    /// The next notice; nothing once it is closed, or too far behind.
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
            self.hub.ring(|| Bell::Went { player: self.player, page: page.clone() });
        }
        if let Entry::Occupied(channel) = board.players.entry(self.player)
            && channel.get().receiver_count() == 0
        {
            channel.remove();
        }
    }
}
