//! The hub between those who write and those who wait.
//!
//! A game that somebody watches has a feed: the seq of its newest entry, and its last few entries as each viewer may
//! see them, written out once for all who watch. A watcher that is further behind reads the log. A player who listens
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
    Bell, Heard, Note, Notice, Span, Told,
    game_feed::GameFeed,
    listening::{Listening, Lobby, Watching},
    presence::Presence,
};
use crate::{
    service::game::LiveGame,
    store::{Place, PlayerKey},
};

/// How many notices a listener may be behind before it is cut off.
const BEHIND: usize = 256;

/// Of how many games is known up to where they were told. Of the others some may be told again.
const KNOWN: usize = 20_000;

/// Rings for other servers, where there are any.
pub type Ring = Box<dyn Fn(String) + Send + Sync>;

pub struct Hub {
    board: Mutex<Board>,
    ring: Option<Ring>,
    pub(super) listeners: AtomicUsize,
    /// How often a table was opened, joined, left, begun or ended.
    lobby: watch::Sender<u64>,
    closed: watch::Sender<bool>,
    is_stopping: AtomicBool,
}

pub(super) struct Board {
    pub(super) games: HashMap<Uuid, GameFeed>,
    pub(super) players: HashMap<PlayerKey, broadcast::Sender<Arc<Heard>>>,
    pub(super) present: Presence,
    /// Who is to be told, and when, that a quarter of the time is left; one for each game with a clock.
    warnings: BTreeMap<(u64, Uuid), Warning>,
    /// The newest warning of each game, and the last one that was told: of one deadline a player is warned
    /// once.
    warned: HashMap<Uuid, Warned>,
    /// The place of the last entry that was told.
    place: Place,
    /// Which entries of games were told last, where other servers move as well.
    told: HashMap<Uuid, Span>,
}

/// That a quarter of the time of a decision is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Warning {
    pub player: PlayerKey,
    pub seq: u64,
    pub deadline: u64,
    pub at: u64,
}

struct Warned {
    newest: Warning,
    told: Option<Warning>,
}

/// What was said at a game, and who is to hear it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Said {
    pub text: String,
    /// Players, not seats: a seat may be handed on before its stream has heard of it.
    pub heard_by: Vec<PlayerKey>,
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
    /// The first entry that it tells of, and the last.
    pub first: u64,
    pub seq: u64,
    pub told: Vec<Told>,
    pub notices: Vec<(PlayerKey, Notice)>,
    /// Of a game with a clock.
    pub warning: Option<Warning>,
    /// Whether lists show the game otherwise, apart from its moves.
    pub changes_lobby: bool,
}

impl Hub {
    /// Nothing is told yet of what stands in the log up to this place.
    pub fn after(place: Place, ring: Option<Ring>) -> Self {
        Self {
            board: Mutex::new(Board {
                games: HashMap::new(),
                players: HashMap::new(),
                present: Presence::default(),
                warnings: BTreeMap::new(),
                warned: HashMap::new(),
                place,
                told: HashMap::new(),
            }),
            ring,
            listeners: AtomicUsize::new(0),
            lobby: watch::Sender::default(),
            closed: watch::Sender::default(),
            is_stopping: AtomicBool::new(false),
        }
    }

    pub(super) fn ring(&self, bell: impl FnOnce() -> Bell) {
        if let Some(ring) = &self.ring {
            ring(bell().write());
        }
    }

    pub(super) fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How a game is watched, if anybody does.
    pub fn watched(&self, game: Uuid) -> Option<Watched> {
        self.board().games.get(&game).map(GameFeed::watched)
    }

    /// Tells what has been committed here, to all who wait anywhere. `place` is that of the last entry.
    pub fn tell(&self, bulletin: Bulletin, place: Place) {
        let Bulletin { game, first, seq: last, changes_lobby, .. } = bulletin;
        if first <= last {
            self.ring(|| Bell::Moved { game, first, last, changes_lobby });
        }
        let seq = bulletin.seq;
        let at_place = |(player, notice): (PlayerKey, Notice)| (player, notice.at_place(place, seq));
        let notices = bulletin.notices.into_iter().map(at_place).collect();
        self.hear_bulletin(Bulletin { notices, ..bulletin }, place);
    }

    /// Tells those who wait here what has been committed somewhere. The notices have their places.
    pub fn hear_bulletin(&self, bulletin: Bulletin, place: Place) {
        let mut board = self.board();
        board.place = board.place.max(place);
        let Bulletin { game, first, seq, told, notices, warning, changes_lobby } = bulletin;
        if let Some(feed) = board.games.get_mut(&game) {
            feed.tell(told, seq);
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

    /// Tells that a game has moved, and what that meant: those who watch it read the log.
    pub fn catch_up(&self, game: Uuid, span: Span, notices: impl IntoIterator<Item = (PlayerKey, Notice)>) {
        let mut board = self.board();
        if let Some(feed) = board.games.get(&game) {
            feed.catch_up(span.last);
        }
        board.note_told(game, span);
        board.notify(notices);
    }

    /// What of these entries was not told, as far as is known.
    pub fn untold(&self, game: Uuid, span: Span) -> Vec<Span> {
        match self.board().told.get(&game) {
            Some(told) => span.without(*told),
            None => vec![span],
        }
    }

    /// Whether anybody here may want to hear of a game.
    pub fn cares_for(&self, game: Uuid) -> bool {
        let board = self.board();
        !board.players.is_empty() || board.games.contains_key(&game)
    }

    /// Lists show other tables than before.
    pub fn lobby_changed(&self) {
        self.lobby.send_modify(|count| *count += 1);
    }

    /// Watches for changes of tables.
    pub fn watch_lobby(self: &Arc<Self>) -> Lobby {
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Lobby { hub: Arc::clone(self), changes: self.lobby.subscribe(), closed: self.closed.subscribe() }
    }

    /// Tells a player something that stands in no log, if it listens anywhere.
    pub fn note(&self, player: PlayerKey, note: &Note) {
        self.ring(|| Bell::note(player, note));
        self.hear_note(player, note.clone());
    }

    pub fn hear_note(&self, player: PlayerKey, note: Note) {
        if let Some(channel) = self.board().players.get(&player) {
            let _ = channel.send(Arc::new(Heard::Note(note)));
        }
    }

    /// Tells those who watch a game what was said there.
    pub fn say(&self, game: Uuid, said: Said) {
        self.ring(|| Bell::Said { game, said: said.clone() });
        self.hear_said(game, said);
    }

    pub fn hear_said(&self, game: Uuid, said: Said) {
        if let Some(feed) = self.board().games.get_mut(&game) {
            feed.say(Arc::new(said));
        }
    }

    /// Notes when somebody who listens here must be warned of a deadline, in place of what was noted of this
    /// game before.
    pub fn note_warning(&self, game: Uuid, warning: Option<Warning>) {
        self.board().warn(game, warning);
    }

    /// Whether a player listens here.
    pub fn is_heard_by(&self, player: PlayerKey) -> bool {
        self.board().players.contains_key(&player)
    }

    /// The next of those of whose time a quarter is left, if it is. It is not given again.
    pub fn take_warning(&self, now: u64) -> Option<(Uuid, Warning)> {
        let mut guard = self.board();
        let board = &mut *guard;
        let due = board.warnings.first_entry().filter(|first| first.key().0 <= now)?;
        let ((_, game), warning) = due.remove_entry();
        if let Some(warned) = board.warned.get_mut(&game) {
            warned.told = Some(warning);
        }
        if board.warned.len() >= 2 * board.warnings.len() + KNOWN {
            board.warned.retain(|_, warned| warned.newest.deadline > now);
        }
        Some((game, warning))
    }

    /// Watches a game whose newest entry is this one.
    pub fn watch(self: &Arc<Self>, game: Uuid, newest: u64, watched: Watched) -> Watching {
        let mut board = self.board();
        let is_closed = || *self.closed.borrow();
        let feed = board.games.entry(game).or_insert_with(|| GameFeed::new(newest, is_closed()));
        self.listeners.fetch_add(1, Ordering::Relaxed);
        Watching::new(Arc::clone(self), game, watched, feed.come(watched))
    }

    /// Listens to what a player is told from now on, and says up to which place everything has been told.
    ///
    /// `present` is how the page calls itself, if somebody has it before the eyes.
    pub fn listen(self: &Arc<Self>, player: PlayerKey, present: Option<String>) -> (Listening, Place) {
        let mut board = self.board();
        if let Some(page) = &present {
            board.present.come(player, page);
            self.ring(|| Bell::Came { player, page: page.clone() });
        }
        let channel = board.players.entry(player).or_insert_with(|| broadcast::Sender::new(BEHIND));
        let notices = Some(channel.subscribe());
        self.listeners.fetch_add(1, Ordering::Relaxed);
        let (hub, closed) = (Arc::clone(self), self.closed.subscribe());
        let listening = Listening { hub, player, present, notices, closed };
        (listening, board.place)
    }

    /// Whether the player has a page before its eyes.
    pub fn is_present(&self, player: PlayerKey) -> bool {
        self.board().present.has(player)
    }

    /// This page is looked at no more, though it may listen for a while.
    pub fn look_away(&self, player: PlayerKey, page: &str) {
        self.ring(|| Bell::Went { player, page: page.to_owned() });
        self.board().present.go(player, page);
    }

    /// A page that somebody has before the eyes comes or goes at another server.
    pub fn hear_of(&self, player: PlayerKey, page: &str, is_here: bool) {
        let present = &mut self.board().present;
        if is_here { present.come_elsewhere(player, page) } else { present.go(player, page) }
    }

    /// Says to other servers again which pages are before somebody's eyes here, and forgets those of which
    /// none has said so.
    pub fn say_who_is_here(&self) {
        for (player, page) in self.board().present.next_round() {
            self.ring(|| Bell::Came { player, page });
        }
    }

    /// How many watch or listen.
    pub fn listeners(&self) -> usize {
        self.listeners.load(Ordering::Relaxed)
    }

    /// Sends everybody away, now and from now on.
    pub fn close(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.set_closed(true);
    }

    /// Sends everybody away as long as nothing can be heard.
    pub fn set_closed(&self, closed: bool) {
        // Feeds begin under the same lock: none begins in between, and nobody else opens what is stopping.
        let board = self.board();
        let closed = closed || self.is_stopping.load(Ordering::Relaxed);
        if self.closed.send_if_modified(|before| std::mem::replace(before, closed) != closed) {
            board.games.values().for_each(|feed| feed.set_closed(closed));
        }
    }
}

impl Warning {
    /// The one that is due for a game with this deadline.
    pub fn of(live: &LiveGame, deadline: Option<u64>) -> Option<Self> {
        let ((player, quarter), deadline) = live.runs_for().zip(deadline)?;
        let at = deadline.saturating_sub(quarter);
        Some(Self { player, seq: live.game.seq(), deadline, at })
    }

    /// Whether it is of the same deadline, though something else may have been written since.
    pub fn is_as(&self, other: &Self) -> bool {
        (self.player, self.deadline) == (other.player, other.deadline)
    }
}

impl Board {
    /// Tells those whom notices are for, as far as they listen.
    fn notify(&self, notices: impl IntoIterator<Item = (PlayerKey, Notice)>) {
        for (player, notice) in notices {
            if let Some(channel) = self.players.get(&player) {
                // Nobody listens any more: the next one who leaves takes the channel down.
                let _ = channel.send(Arc::new(Heard::Notice(notice)));
            }
        }
    }

    fn note_told(&mut self, game: Uuid, span: Span) {
        if self.told.len() >= KNOWN && !self.told.contains_key(&game) {
            self.told.clear();
        }
        let told = self.told.entry(game).or_insert(span);
        *told = told.with(span);
    }

    /// Notes when somebody must be warned of a deadline, in place of what was noted of this game before.
    fn warn(&mut self, game: Uuid, warning: Option<Warning>) {
        let before = self.warned.get(&game);
        let (newest, told) = before.map_or((None, None), |before| (Some(before.newest), before.told));
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
        self.warned.insert(game, Warned { newest: warning, told });
        if !told.is_some_and(|told| told.is_as(&warning)) {
            self.warnings.insert((warning.at, game), warning);
        }
    }
}
