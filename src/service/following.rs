//! Following a game, and the inbox of a player: what happens from now on, or from where one left off.

use std::{collections::VecDeque, sync::Arc};

use uuid::Uuid;

use super::{
    Player, Service, ServiceError,
    game::Game,
    happening::Happening,
    history,
    news::{Listening, Told, Wait, Watching},
    notice::{Notice, Place, Tiding},
};
use crate::engine::Viewer;

/// How many entries are read from the log at once by whoever is behind.
const PAGE: u32 = 100;

/// Somebody who follows a game, entry by entry.
pub struct Following {
    game: Uuid,
    caller: Option<Player>,
    viewer: Viewer,
    next: u64,
    watching: Watching,
}

/// An entry that is told, as its viewer may see it.
pub struct Line {
    pub seq: u64,
    pub text: Arc<str>,
}

impl Service {
    /// Watches a game without being told what happens, only that something does.
    pub async fn watch(&self, game: Uuid, caller: Option<&Player>) -> Result<Watching, ServiceError> {
        let locked = self.visible(game, caller).await?;
        Ok(self.news.watch(game, locked.game()?.seq()))
    }

    /// Follows a game: what happens after this entry, or else from the next one on.
    pub async fn follow(
        &self,
        game: Uuid,
        caller: Option<Player>,
        after: After,
    ) -> Result<Following, ServiceError> {
        let locked = self.visible(game, caller.as_ref()).await?;
        let live = locked.game()?;
        let next = match after {
            After::Entry(seq) => seq.saturating_add(1),
            After::Nothing => 0,
            After::Newest => live.seq() + 1,
        };
        let viewer = live.viewer(caller.as_ref().map(|player| player.key));
        Ok(Following { game, caller, viewer, next, watching: self.news.watch(game, live.seq()) })
    }

    /// What happened next, as soon as it has. Nothing when the server stops; an error when the game is no longer there
    /// for this caller.
    pub async fn next(&self, following: &mut Following) -> Result<Option<Vec<Line>>, ServiceError> {
        loop {
            let newest = following.watching.newest();
            let recent = following.watching.recent(following.next);
            let lines = if !recent.is_empty() && recent.iter().all(|told| !told.seating) {
                let line =
                    |told: &Arc<Told>| told.text(following.viewer).map(|text| Line { seq: told.seq, text });
                recent.iter().filter_map(line).collect()
            } else if newest >= following.next {
                self.read_on(following).await?
            } else {
                Vec::new()
            };
            if let Some(last) = lines.last() {
                following.next = last.seq + 1;
                return Ok(Some(lines));
            }
            if following.watching.changed().await == Wait::Closed {
                return Ok(None);
            }
        }
    }

    /// Reads the log, and looks anew who the caller is at this game.
    async fn read_on(&self, following: &mut Following) -> Result<Vec<Line>, ServiceError> {
        let (viewer, happenings) =
            self.happenings(following.game, following.caller.as_ref(), following.next, PAGE).await?;
        following.viewer = viewer;
        let line = |happening: Happening| Ok(Line { seq: happening.seq, text: happening.text()? });
        happenings.into_iter().map(line).collect()
    }

    /// Listens to what a player is told, from the next notice on or from where it left off.
    pub fn inbox(&self, player: &Player, last: Option<Place>) -> Result<Inbox, ServiceError> {
        let (listening, upto) = self.news.listen(player.key);
        let mut inbox = Inbox { missed: VecDeque::new(), anew: None, listening };
        let Some(last) = last else { return Ok(inbox) };
        // An id from the future is one of a database that has been put back to an earlier state.
        match self.store.touched_since(player.key, last.row)?.filter(|_| last.row <= upto) {
            None => inbox.anew = Some(Place::last_of(upto)),
            Some(games) => {
                for game in games {
                    inbox.missed.extend(self.notices(player, game, last, upto)?);
                }
            }
        }
        inbox.missed.make_contiguous().sort_by_key(Notice::place);
        Ok(inbox)
    }

    /// What a game had to tell a player after one row of the log and up to another.
    fn notices(
        &self,
        player: &Player,
        game: Uuid,
        last: Place,
        upto: i64,
    ) -> Result<Vec<Notice>, ServiceError> {
        let Some(row) = self.store.game(game)? else { return Ok(Vec::new()) };
        let seats = self.store.seats(row.key)?;
        let mine = seats.iter().find(|seat| seat.player == player.key).map(|seat| seat.seat);
        let (rows, entries) = (self.store.rows(row.key), self.store.entries(row.key)?);
        let entries = history::read(&entries)?;
        let mut replayed = Game::begin(row, &entries)?;
        let mut notices = Vec::new();
        for entry in entries {
            let (seq, at) = (entry.seq, entry.at);
            for tiding in replayed.follow(entry)? {
                let concerns = !matches!(tiding, Tiding::Turn(seat) if Some(seat.number()) != mine);
                if let Some(row) = rows.of(seq).filter(|row| concerns && *row <= upto) {
                    let notice = Notice::new(game, seq, at, tiding).at_row(row, seq);
                    notices.extend(Some(notice).filter(|notice| notice.place() > last));
                }
            }
        }
        Ok(notices)
    }
}

/// From where a game is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    Entry(u64),
    /// From the first entry on.
    Nothing,
    /// From the next entry on.
    Newest,
}

/// A player's notices.
pub struct Inbox {
    missed: VecDeque<Notice>,
    anew: Option<Place>,
    listening: Listening,
}

impl Inbox {
    /// From where it goes on if what was missed can no longer be told: then the player had better look at its games.
    pub const fn begins_anew(&self) -> Option<Place> {
        self.anew
    }

    /// The next notice; nothing when the server stops, or the listener is too far behind.
    pub async fn next(&mut self) -> Option<Notice> {
        match self.missed.pop_front() {
            Some(notice) => Some(notice),
            None => self.listening.next().await.map(|notice| (*notice).clone()),
        }
    }
}
