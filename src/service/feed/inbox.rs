//! The inbox of a player: what concerns it in all its games, from now on or from where it left off.

use std::collections::{BTreeSet, VecDeque};

use super::{Note, Notice, Position, Tiding, listening::Listening};
use uuid::Uuid;

use crate::{
    service::{
        Service, ServiceError,
        game::{Player, Session},
    },
    store::{Keeper as _, Place, Touched},
};

/// How many entries are looked through for what a listener missed.
const MOST_MISSED: usize = 4_096;
/// How many notices may come a second time. What lies farther back is told no more.
const MOST_TWICE: usize = 1_024;

/// What a player is told: what stands in a log, or what is only said now.
#[derive(Clone, Debug)]
pub enum Heard {
    Notice(Notice),
    Note(Note),
}

impl Heard {
    const fn game(&self) -> Uuid {
        match self {
            Self::Notice(notice) => notice.game,
            Self::Note(note) => note.game,
        }
    }
}

pub struct Inbox {
    missed: VecDeque<Notice>,
    /// What was told last, where it may be told from a log and as it happens.
    told: BTreeSet<Position>,
    /// The one game that it tells of, if it is for one.
    only: Option<Uuid>,
    reset: Option<Position>,
    begin: Position,
    listening: Listening,
}

impl Inbox {
    /// Returns the position after which it tells.
    pub const fn begin(&self) -> Position {
        self.begin
    }

    /// From where it goes on if what was missed can no longer be told: then the player had better look at its
    /// games.
    pub const fn reset(&self) -> Option<Position> {
        self.reset
    }

    /// The next notice; nothing when the server stops, or the listener is too far behind.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            let heard = match self.missed.pop_front() {
                Some(notice) => Heard::Notice(notice),
                None => (*self.listening.next().await?).clone(),
            };
            if let Heard::Notice(notice) = &heard
                && matches!(notice.place(), Place::Moment(_))
                && !self.is_first(notice.position())
            {
                continue;
            }
            if self.only.is_none_or(|only| only == heard.game()) {
                return Some(heard);
            }
        }
    }

    fn is_first(&mut self, position: Position) -> bool {
        let is_first = self.told.insert(position);
        if self.told.len() > MOST_TWICE {
            self.told.pop_first();
        }
        is_first
    }
}

impl Service {
    /// Listens to what a player is told, from the next notice on or from where it left off. `present` is how
    /// a page calls itself that somebody has before the eyes, who is told by no other way meanwhile.
    pub async fn inbox(
        &self,
        session: &Session,
        last: Option<Position>,
        present: Option<String>,
    ) -> Result<Inbox, ServiceError> {
        let player = &session.player;
        let (listening, upto) = self.hub.listen(player.key, present);
        let mut inbox = Inbox {
            missed: VecDeque::new(),
            told: BTreeSet::new(),
            only: session.game,
            reset: None,
            begin: last.unwrap_or_else(|| Position::last_of(upto)),
            listening,
        };
        self.note_warnings(session).await?;
        let Some(last) = last else { return Ok(inbox) };
        // An id from the future is one of a database that has been put back to an earlier state. Where several servers write,
        // this one may not have heard yet of what another has told.
        let is_known = matches!(last.place, Place::Moment(_)) || last.place <= upto;
        match self.store.touched_since(player.key, last.place).await?.filter(|_| is_known) {
            None => inbox.reset = Some(Position::last_of(upto)),
            // What is more than a reader would read is not told piece by piece.
            Some(games) if games.iter().map(|game| game.places.len()).sum::<usize>() > MOST_MISSED => {
                inbox.reset = Some(Position::last_of(upto));
            }
            Some(games) => {
                for game in games {
                    let uuid = game.uuid;
                    let missed = self.notices(player, game, last, upto).await;
                    inbox.missed.extend(self.unless_damaged(uuid, missed)?.unwrap_or_default());
                }
            }
        }
        inbox.missed.make_contiguous().sort_by_key(Notice::position);
        Ok(inbox)
    }

    /// Nobody looks at this page any more.
    pub fn look_away(&self, player: &Player, page: &str) {
        self.hub.look_away(player.key, page);
    }

    /// What a game had to tell a player behind one position in the log and up to another.
    async fn notices(
        &self,
        player: &Player,
        game: Touched,
        last: Position,
        upto: Place,
    ) -> Result<Vec<Notice>, ServiceError> {
        let Touched { key, uuid, first, places } = game;
        let (player, count) = (player.id.clone(), places.len() as u64);
        let notices = self.walk((uuid, key), first, count, move |step| {
            let (seq, at) = (step.entry.seq, step.entry.at);
            let place = usize::try_from(seq - first).ok().and_then(|place| places.get(place)).copied();
            let mine = step.game.seat_of(&player);
            let (Some(place), Some(mine)) = (place.filter(|place| !is_later(*place, upto)), mine) else {
                return Ok(Vec::new());
            };
            let tidings = Tiding::of(&step.entry.body, step.waited, step.game);
            let notices = tidings.into_iter().filter(|tiding| tiding.concerns(mine));
            let notices = notices.map(|tiding| Notice::new(uuid, seq, at, tiding).at_place(place, seq));
            Ok(notices.filter(|notice| is_behind(notice.position(), last)).collect())
        });
        Ok(notices.await?.concat())
    }
}

/// Whether it is told as it happens. Where several servers write, what comes twice is told once.
fn is_later(place: Place, upto: Place) -> bool {
    matches!(place, Place::Row(_)) && place > upto
}

/// Whether a listener who was told this was not told that. Where several servers write it may have been, and
/// is told again: what was written a little earlier may have come to be seen a little later.
fn is_behind(position: Position, last: Position) -> bool {
    matches!(position.place, Place::Moment(_)) && position != last || position > last
}
