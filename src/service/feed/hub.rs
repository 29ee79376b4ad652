//! The hub between writers and listeners.
//!
//! A watched game has a feed: the `seq` of its newest entry, and its last entries as each viewer may see
//! them, rendered once for all watchers. A watcher that is further behind reads the log. A listening player
//! has a channel of notices.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use tokio::sync::{broadcast, watch};
use uuid::Uuid;

use serde::{Deserialize, Serialize};

use super::{
    Heard, Note, Notice, PeerMessage, RenderedEntry, Span,
    game_feed::GameFeed,
    listening::{Listening, Lobby, Watching},
    presence::Presence,
};
use crate::{
    service::games::LiveGame,
    store::{LogPosition, PlayerKey},
};

/// Notices that a listener may be behind before its channel closes.
const BEHIND: usize = 256;

/// Games whose announced entries are remembered. Entries of other games may be announced twice.
const KNOWN: usize = 20_000;

/// Sends a message to the other servers.
pub type Ring = Box<dyn Fn(String) + Send + Sync>;

pub struct Hub {
    board: Mutex<HubState>,
    ring: Option<Ring>,
    pub(super) listeners: AtomicUsize,
    /// Number of changes of the list of tables.
    lobby: watch::Sender<u64>,
    closed: watch::Sender<bool>,
    is_stopping: AtomicBool,
}

pub(super) struct HubState {
    pub(super) games: HashMap<Uuid, GameFeed>,
    pub(super) players: HashMap<PlayerKey, broadcast::Sender<Arc<Heard>>>,
    pub(super) present: Presence,
    /// Deadline warnings by time: one for each game with a clock.
    warnings: BTreeMap<(u64, Uuid), Warning>,
    /// The scheduled and the last sent warning of each game. A deadline has one warning.
    warned: HashMap<Uuid, Warned>,
    /// Position of the last announced entry.
    place: LogPosition,
    /// The last announced entries of games that other servers write to.
    announced: HashMap<Uuid, Span>,
}

/// Warning that a quarter of the time for a decision is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warning {
    pub player: PlayerKey,
    pub seq: u64,
    pub deadline: u64,
    pub at: u64,
}

struct Warned {
    newest: Warning,
    sent: Option<Warning>,
}

/// A message at a game, and its readers.
#[derive(Clone, Serialize, Deserialize)]
pub struct Said {
    pub text: String,
    /// Players, not seats: a seat may change hands before its stream notices.
    pub heard_by: Vec<PlayerKey>,
}

/// Needs of a game's watchers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watched {
    Plainly,
    /// A watcher needs more than the shared texts.
    WithWishes,
}

/// All news of one commit of a game.
pub struct CommitNews {
    pub game: Uuid,
    /// The first entry of the commit. `seq` is the last.
    pub first: u64,
    pub seq: u64,
    pub entries: Vec<RenderedEntry>,
    pub notices: Vec<(PlayerKey, Notice)>,
    /// `None` for a game without a clock.
    pub warning: Option<Warning>,
    /// Whether lists of games change by more than the time of the last move.
    pub changes_lobby: bool,
}

impl Hub {
    /// Creates a hub that has announced everything up to `place`.
    pub fn after(place: LogPosition, ring: Option<Ring>) -> Self {
        Self {
            board: Mutex::new(HubState {
                games: HashMap::new(),
                players: HashMap::new(),
                present: Presence::default(),
                warnings: BTreeMap::new(),
                warned: HashMap::new(),
                place,
                announced: HashMap::new(),
            }),
            ring,
            listeners: AtomicUsize::new(0),
            lobby: watch::Sender::default(),
            closed: watch::Sender::default(),
            is_stopping: AtomicBool::new(false),
        }
    }

    pub(super) fn ring(&self, bell: impl FnOnce() -> PeerMessage) {
        if let Some(ring) = &self.ring {
            ring(bell().write());
        }
    }

    pub(super) fn board(&self) -> MutexGuard<'_, HubState> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the needs of a game's watchers, or `None` without watchers.
    pub fn watched(&self, game: Uuid) -> Option<Watched> {
        self.board().games.get(&game).map(GameFeed::watched)
    }

    /// Announces a commit of this server, here and to the other servers. `place` is the position of its last
    /// entry.
    pub fn tell(&self, news: CommitNews, place: LogPosition) {
        let CommitNews { game, first, seq: last, changes_lobby, .. } = news;
        if first <= last {
            self.ring(|| PeerMessage::Moved { game, first, last, changes_lobby });
        }
        let seq = news.seq;
        let at_place = |(player, notice): (PlayerKey, Notice)| (player, notice.at_place(place, seq));
        let notices = news.notices.into_iter().map(at_place).collect();
        self.hear_bulletin(CommitNews { notices, ..news }, place);
    }

    /// Announces a commit of any server here. The notices have their positions.
    pub fn hear_bulletin(&self, news: CommitNews, place: LogPosition) {
        let mut board = self.board();
        board.place = board.place.max(place);
        let CommitNews { game, first, seq, entries, notices, warning, changes_lobby } = news;
        if let Some(feed) = board.games.get_mut(&game) {
            feed.tell(entries, seq);
        }
        if self.ring.is_some() && first <= seq {
            board.note_told(game, Span { first, last: seq });
        }
        board.notify(notices);
        board.warn(game, warning);
        drop(board);
        if changes_lobby {
            self.lobby_changed();
        }
    }

    /// Announces entries that watchers read from the log, with their notices.
    pub fn catch_up(&self, game: Uuid, span: Span, notices: impl IntoIterator<Item = (PlayerKey, Notice)>) {
        let mut board = self.board();
        if let Some(feed) = board.games.get(&game) {
            feed.catch_up(span.last);
        }
        board.note_told(game, span);
        board.notify(notices);
    }

    /// Returns the parts of `span` that were not announced, as far as the hub knows.
    pub fn untold(&self, game: Uuid, span: Span) -> Vec<Span> {
        match self.board().announced.get(&game) {
            Some(told) => span.without(*told),
            None => vec![span],
        }
    }

    /// Returns whether a listener here may need news of a game.
    pub fn cares_for(&self, game: Uuid) -> bool {
        let board = self.board();
        !board.players.is_empty() || board.games.contains_key(&game)
    }

    /// Announces a change of the list of tables.
    pub fn lobby_changed(&self) {
        self.lobby.send_modify(|count| *count += 1);
    }

    /// Watches the list of tables.
    pub fn watch_lobby(self: &Arc<Self>) -> Lobby {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Lobby { hub: Arc::clone(self), changes: self.lobby.subscribe(), closed: self.closed.subscribe() }
    }

    /// Sends a player a note, at every server. It is not kept.
    pub fn note(&self, player: PlayerKey, note: &Note) {
        self.ring(|| PeerMessage::note(player, note));
        self.hear_note(player, note.clone());
    }

    pub fn hear_note(&self, player: PlayerKey, note: Note) {
        if let Some(channel) = self.board().players.get(&player) {
            let _ = channel.send(Arc::new(Heard::Note(note)));
        }
    }

    /// Sends a message to the watchers of a game.
    pub fn say(&self, game: Uuid, said: Said) {
        self.ring(|| PeerMessage::Said { game, said: said.clone() });
        self.hear_said(game, said);
    }

    pub fn hear_said(&self, game: Uuid, said: Said) {
        if let Some(feed) = self.board().games.get_mut(&game) {
            feed.say(Arc::new(said));
        }
    }

    /// Schedules the deadline warning of a game and replaces the earlier one.
    pub fn note_warning(&self, game: Uuid, warning: Option<Warning>) {
        self.board().warn(game, warning);
    }

    /// Returns whether a player listens here.
    pub fn is_heard_by(&self, player: PlayerKey) -> bool {
        self.board().players.contains_key(&player)
    }

    /// Takes the next warning that is due.
    pub fn take_warning(&self, now: u64) -> Option<(Uuid, Warning)> {
        let mut guard = self.board();
        let board = &mut *guard;
        let due = board.warnings.first_entry().filter(|first| first.key().0 <= now)?;
        let ((_, game), warning) = due.remove_entry();
        if let Some(warned) = board.warned.get_mut(&game) {
            warned.sent = Some(warning);
        }
        if board.warned.len() >= 2 * board.warnings.len() + KNOWN {
            board.warned.retain(|_, warned| warned.newest.deadline > now);
        }
        Some((game, warning))
    }

    /// Watches a game whose newest entry is `newest`.
    pub fn watch(self: &Arc<Self>, game: Uuid, newest: u64, watched: Watched) -> Watching {
        let mut board = self.board();
        let is_closed = || *self.closed.borrow();
        let feed = board.games.entry(game).or_insert_with(|| GameFeed::new(newest, is_closed()));
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Watching::new(Arc::clone(self), game, watched, feed.come(watched))
    }

    /// Listens to the notices of a player. Returns the position of the newest announcement.
    ///
    /// `present` names a page that the player looks at.
    pub fn listen(self: &Arc<Self>, player: PlayerKey, present: Option<String>) -> (Listening, LogPosition) {
        let mut board = self.board();
        if let Some(page) = &present {
            board.present.come(player, page);
            self.ring(|| PeerMessage::Came { player, page: page.clone() });
        }
        let channel = board.players.entry(player).or_insert_with(|| broadcast::Sender::new(BEHIND));
        let notices = Some(channel.subscribe());
        self.listeners.fetch_add(1, Ordering::Relaxed);
        let (hub, closed) = (Arc::clone(self), self.closed.subscribe());
        let listening = Listening { hub, player, present, notices, closed };
        (listening, board.place)
    }

    /// Returns whether the player looks at a page.
    pub fn is_present(&self, player: PlayerKey) -> bool {
        self.board().present.has(player)
    }

    /// Notes that the player no longer looks at this page. The page may still listen.
    pub fn look_away(&self, player: PlayerKey, page: &str) {
        self.ring(|| PeerMessage::Went { player, page: page.to_owned() });
        self.board().present.go(player, page);
    }

    /// Notes that a player starts or stops looking at a page at another server.
    pub fn hear_of(&self, player: PlayerKey, page: &str, is_here: bool) {
        let present = &mut self.board().present;
        if is_here { present.come_elsewhere(player, page) } else { present.go(player, page) }
    }

    /// Repeats the visible pages of players here to other servers, and forgets unrepeated pages of other
    /// servers.
    pub fn say_who_is_here(&self) {
        for (player, page) in self.board().present.next_round() {
            self.ring(|| PeerMessage::Came { player, page });
        }
    }

    /// Returns the number of watchers and listeners.
    pub fn listeners(&self) -> usize {
        self.listeners.load(Ordering::Relaxed)
    }

    /// Closes all feeds, for ever.
    pub fn close(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.set_closed(true);
    }

    /// Closes all feeds while no news of other servers arrives.
    pub fn set_closed(&self, closed: bool) {
        // New feeds take the same lock, so none opens in between or after `close`.
        let board = self.board();
        let closed = closed || self.is_stopping.load(Ordering::Relaxed);
        if self.closed.send_if_modified(|before| std::mem::replace(before, closed) != closed) {
            board.games.values().for_each(|feed| feed.set_closed(closed));
        }
    }
}

impl Warning {
    /// Returns the warning for a game with this deadline.
    pub fn of(live: &LiveGame, deadline: Option<u64>) -> Option<Self> {
        let ((player, quarter), deadline) = live.runs_for().zip(deadline)?;
        let at = deadline.saturating_sub(quarter);
        Some(Self { player, seq: live.game.seq(), deadline, at })
    }

    /// Returns whether both warnings are of the same deadline.
    pub fn is_as(&self, other: &Self) -> bool {
        (self.player, self.deadline) == (other.player, other.deadline)
    }
}

impl HubState {
    /// Sends notices to the players who listen here.
    fn notify(&self, notices: impl IntoIterator<Item = (PlayerKey, Notice)>) {
        for (player, notice) in notices {
            if let Some(channel) = self.players.get(&player) {
                // Without a receiver, the next listener to leave removes the channel.
                let _ = channel.send(Arc::new(Heard::Notice(notice)));
            }
        }
    }

    fn note_told(&mut self, game: Uuid, span: Span) {
        if self.announced.len() >= KNOWN && !self.announced.contains_key(&game) {
            self.announced.clear();
        }
        let announced = self.announced.entry(game).or_insert(span);
        *announced = announced.with(span);
    }

    /// Schedules the deadline warning of a game and replaces the earlier one.
    fn warn(&mut self, game: Uuid, warning: Option<Warning>) {
        let before = self.warned.get(&game);
        let (newest, sent) = before.map_or((None, None), |before| (Some(before.newest), before.sent));
        if let (Some(newest), Some(warning)) = (newest, &warning)
            && newest.is_as(warning)
        {
            return;
        }
        if let Some(newest) = newest {
            self.warned.remove(&game);
            self.warnings.remove(&(newest.at, game));
        }
        let Some(warning) = warning else { return };
        self.warned.insert(game, Warned { newest: warning, sent });
        if !sent.is_some_and(|sent| sent.is_as(&warning)) {
            self.warnings.insert((warning.at, game), warning);
        }
    }
}
