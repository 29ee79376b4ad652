//! The hub between those who write and those who wait.
//!
//! A game that somebody watches has a feed: the seq of its newest entry, and its last few entries as each viewer may
//! see them, written out once for all who watch. A watcher that is further behind reads the log. A player who listens
//! has a channel of notices.

use std::{
    collections::{BTreeMap, HashMap, VecDeque, hash_map::Entry},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::sync::{broadcast, watch};
use uuid::Uuid;

use super::{Heard, Note, Notice, Told, presence::Presence};
use crate::{engine::Seat, store::PlayerKey};

/// How many entries of a watched game are kept for those who are nearly up to date.
const RECENT: usize = 64;
/// How many notices a listener may be behind before it is cut off.
const BEHIND: usize = 256;
/// How many messages of a game somebody may be behind; more are in the list.
const UNHEARD: usize = 16;

#[derive(Default)]
pub struct Hub {
    board: Mutex<Board>,
    listeners: AtomicUsize,
    /// How often a table was opened, joined, left, begun or ended.
    lobby: watch::Sender<u64>,
    closed: watch::Sender<bool>,
}

#[derive(Default)]
struct Board {
    games: HashMap<Uuid, Feed>,
    players: HashMap<PlayerKey, broadcast::Sender<Arc<Heard>>>,
    present: Presence,
    /// Who is to be told, and when, that a quarter of the time is left; one for each game with a clock.
    warnings: BTreeMap<(u64, Uuid), Warning>,
    warned: HashMap<Uuid, u64>,
    /// The last row of the log that was told.
    row: i64,
}

/// That a quarter of the time of a decision is left.
#[derive(Clone, Copy, Debug)]
pub struct Warning {
    pub player: PlayerKey,
    pub seq: u64,
    pub deadline: u64,
    pub at: u64,
}

/// What was said at a game, and who is to hear it.
pub struct Said {
    pub text: String,
    pub heard_by: Vec<Seat>,
}

struct Feed {
    newest: watch::Sender<u64>,
    said: broadcast::Sender<Arc<Said>>,
    recent: VecDeque<Arc<Told>>,
    /// How many watch who wish for more than everybody is told.
    wishing: usize,
}

/// How a game is watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watched {
    Plainly,
    /// By somebody who wishes for more than everybody is told.
    WithWishes,
}

/// All that one commit has to tell of a game.
pub struct Bulletin {
    pub game: Uuid,
    pub seq: u64,
    pub told: Vec<Told>,
    pub notices: Vec<(PlayerKey, Notice)>,
    /// Of a game with a clock.
    pub warning: Option<Warning>,
    /// Whether lists show the game otherwise, apart from its moves.
    pub changes_lobby: bool,
}

impl Hub {
    /// Nothing is told yet of what stands in the log up to this row.
    pub fn after(row: i64) -> Self {
        Self { board: Mutex::new(Board { row, ..Board::default() }), ..Self::default() }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How a game is watched, if anybody does.
    pub fn watched(&self, game: Uuid) -> Option<Watched> {
        let board = self.board();
        let feed = board.games.get(&game)?;
        Some(if feed.wishing > 0 { Watched::WithWishes } else { Watched::Plainly })
    }

    /// Tells what has been committed. `row` is the last row of the log that it wrote.
    pub fn tell(&self, bulletin: Bulletin, row: i64) {
        let mut board = self.board();
        board.row = board.row.max(row);
        let Bulletin { game, seq, told, notices, warning, changes_lobby } = bulletin;
        if let Some(feed) = board.games.get_mut(&game) {
            feed.push(told);
            feed.newest.send_replace(seq);
        }
        for (player, notice) in notices {
            if let Some(channel) = board.players.get(&player) {
                // Nobody listens any more: the next one who leaves takes the channel down.
                let _ = channel.send(Arc::new(Heard::Notice(notice.at_row(row, seq))));
            }
        }
        board.warn(game, warning);
        if changes_lobby {
            self.lobby.send_modify(|count| *count += 1);
        }
    }

    /// Watches for changes of tables.
    pub fn watch_lobby(self: &Arc<Self>) -> Lobby {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Lobby { hub: Arc::clone(self), changes: self.lobby.subscribe(), closed: self.closed.subscribe() }
    }

    /// Tells a player something that stands in no log, if it listens.
    pub fn note(&self, player: PlayerKey, note: &Note) {
        if let Some(channel) = self.board().players.get(&player) {
            let _ = channel.send(Arc::new(Heard::Note(note.clone())));
        }
    }

    /// Tells those who watch a game what was said there.
    pub fn say(&self, game: Uuid, said: Said) {
        if let Some(feed) = self.board().games.get(&game) {
            let _ = feed.said.send(Arc::new(said));
        }
    }

    /// Tells those of whose time a quarter is left.
    pub fn warn_until(&self, now: u64) {
        loop {
            let mut board = self.board();
            let Some(due) = board.warnings.first_entry().filter(|first| first.key().0 <= now) else { return };
            let ((_, game), Warning { player, seq, deadline, .. }) = due.remove_entry();
            board.warned.remove(&game);
            if deadline > now
                && let Some(channel) = board.players.get(&player)
            {
                let _ = channel.send(Arc::new(Heard::Note(Note::deadline(game, seq, deadline))));
            }
        }
    }

    /// Watches a game whose newest entry is this one.
    pub fn watch(self: &Arc<Self>, game: Uuid, newest: u64, watched: Watched) -> Watching {
        let mut board = self.board();
        let feed = board.games.entry(game).or_insert_with(|| Feed {
            said: broadcast::Sender::new(UNHEARD),
            newest: watch::Sender::new(newest),
            recent: VecDeque::new(),
            wishing: 0,
        });
        let wishes = watched == Watched::WithWishes;
        feed.wishing += usize::from(wishes);
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Watching {
            hub: Arc::clone(self),
            game,
            wishes,
            said: feed.said.subscribe(),
            newest: Some(feed.newest.subscribe()),
            closed: self.closed.subscribe(),
        }
    }

    /// Listens to what a player is told from now on, and says up to which row of the log everything has been told.
    ///
    /// `present` is how the page calls itself, if somebody has it before the eyes.
    pub fn listen(self: &Arc<Self>, player: PlayerKey, present: Option<String>) -> (Listening, i64) {
        let mut board = self.board();
        if let Some(page) = &present {
            board.present.come(player, page);
        }
        let channel = board.players.entry(player).or_insert_with(|| broadcast::Sender::new(BEHIND));
        let notices = Some(channel.subscribe());
        self.listeners.fetch_add(1, Ordering::Relaxed);
        let (hub, closed) = (Arc::clone(self), self.closed.subscribe());
        let listening = Listening { hub, player, present, notices, closed };
        (listening, board.row)
    }

    /// Whether the player has a page before its eyes.
    pub fn is_present(&self, player: PlayerKey) -> bool {
        self.board().present.has(player)
    }

    /// This page is looked at no more, though it may listen for a while.
    pub fn look_away(&self, player: PlayerKey, page: &str) {
        self.board().present.go(player, page);
    }

    /// How many watch or listen.
    pub fn listeners(&self) -> usize {
        self.listeners.load(Ordering::Relaxed)
    }

    /// Sends everybody away, now and from now on.
    pub fn close(&self) {
        self.closed.send_replace(true);
    }
}

impl Board {
    /// Notes when somebody must be warned of a deadline, in place of what was noted of this game before.
    fn warn(&mut self, game: Uuid, warning: Option<Warning>) {
        let before = match &warning {
            Some(warning) => self.warned.insert(game, warning.at),
            None if self.warned.is_empty() => None,
            None => self.warned.remove(&game),
        };
        if let Some(at) = before {
            self.warnings.remove(&(at, game));
        }
        if let Some(warning) = warning {
            self.warnings.insert((warning.at, game), warning);
        }
    }
}

impl Feed {
    fn push(&mut self, told: Vec<Told>) {
        for told in told {
            if self.recent.back().is_some_and(|last| last.seq + 1 != told.seq) {
                self.recent.clear();
            }
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(Arc::new(told));
        }
    }
}

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
    hub: Arc<Hub>,
    game: Uuid,
    wishes: bool,
    said: broadcast::Receiver<Arc<Said>>,
    newest: Option<watch::Receiver<u64>>,
    closed: watch::Receiver<bool>,
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
    hub: Arc<Hub>,
    changes: watch::Receiver<u64>,
    closed: watch::Receiver<bool>,
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
    hub: Arc<Hub>,
    player: PlayerKey,
    present: Option<String>,
    notices: Option<broadcast::Receiver<Arc<Heard>>>,
    closed: watch::Receiver<bool>,
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
        }
        if let Entry::Occupied(channel) = board.players.entry(self.player)
            && channel.get().receiver_count() == 0
        {
            channel.remove();
        }
    }
}
