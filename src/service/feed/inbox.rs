//! The inbox of a player: notices of all its games, from now on or after a known position.

use std::collections::{BTreeSet, VecDeque};

use super::{Note, Notice, NoticeKind, Position, listening::Listening};
use uuid::Uuid;

use crate::{
    service::{
        Feed, ServiceError,
        games::{Player, Session},
    },
    store::{LogPosition, Touched},
};

/// Entries that are searched for missed notices.
const MOST_MISSED: usize = 4_096;
/// Positions that are remembered to drop repeated notices. Older repetitions are dropped unseen.
const MOST_TWICE: usize = 1_024;

/// A notice from a log, or a note that is in no log.
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
    /// Last positions, where both the log and a server may announce an entry.
    told: BTreeSet<Position>,
    /// The only game of this inbox, for a token of one game.
    only: Option<Uuid>,
    reset: Option<Position>,
    begin: Position,
    listening: Listening,
}

impl Inbox {
    /// Returns the position after which the inbox begins.
    pub const fn begin(&self) -> Position {
        self.begin
    }

    /// Returns the position to continue from if missed notices are lost. The client then reads its games
    /// again.
    pub const fn reset(&self) -> Option<Position> {
        self.reset
    }

    /// Returns the next notice, or `None` when the server stops or the listener is too far behind.
    pub async fn next(&mut self) -> Option<Heard> {
        loop {
            let heard = match self.missed.pop_front() {
                Some(notice) => Heard::Notice(notice),
                None => (*self.listening.next().await?).clone(),
            };
            if let Heard::Notice(notice) = &heard
                && matches!(notice.place(), LogPosition::Moment(_))
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

impl Feed {
    /// Listens to the notices of a player, from now on or after `last`. `present` names the page that the
    /// player looks at; other channels stay silent meanwhile.
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
        // A position from the future is older than a restore of the database. On PostgreSQL, another server
        // may have announced it.
        let is_known = matches!(last.place, LogPosition::Moment(_)) || last.place <= upto;
        match self.store.touched_since(player.key, last.place).await?.filter(|_| is_known) {
            None => inbox.reset = Some(Position::last_of(upto)),
            // Too many missed notices to send one by one.
            Some(games) if games.iter().map(|game| game.places.len()).sum::<usize>() > MOST_MISSED => {
                inbox.reset = Some(Position::last_of(upto));
            }
            Some(games) => {
                for game in games {
                    let uuid = game.uuid;
                    let missed = self.notices(player, game, last, upto).await;
                    inbox.missed.extend(self.games.unless_damaged(uuid, missed)?.unwrap_or_default());
                }
            }
        }
        inbox.missed.make_contiguous().sort_by_key(Notice::position);
        Ok(inbox)
    }

    /// Notes that the player no longer looks at this page.
    pub fn look_away(&self, player: &Player, page: &str) {
        self.hub.look_away(player.key, page);
    }

    /// Returns the notices of a game after `last` and up to `upto`.
    async fn notices(
        &self,
        player: &Player,
        game: Touched,
        last: Position,
        upto: LogPosition,
    ) -> Result<Vec<Notice>, ServiceError> {
        let Touched { key, uuid, first, places } = game;
        let (player, count) = (player.id.clone(), places.len() as u64);
        let notices = self.reading.walk((uuid, key), first, count, move |step| {
            let (seq, at) = (step.entry.seq, step.entry.at);
            let place = usize::try_from(seq - first).ok().and_then(|place| places.get(place)).copied();
            let mine = step.game.seat_of(&player);
            let (Some(place), Some(mine)) = (place.filter(|place| !is_later(*place, upto)), mine) else {
                return Ok(Vec::new());
            };
            let kinds = NoticeKind::of(&step.entry.body, step.waited, step.game);
            let notices = kinds.into_iter().filter(|kind| kind.concerns(mine));
            let notices = notices.map(|kind| Notice::new(uuid, seq, at, kind).at_place(place, seq));
            Ok(notices.filter(|notice| is_behind(notice.position(), last)).collect())
        });
        Ok(notices.await?.concat())
    }
}

/// Returns whether the live channel sends this notice. On PostgreSQL, repeated notices are dropped by
/// position instead.
fn is_later(place: LogPosition, upto: LogPosition) -> bool {
    matches!(place, LogPosition::Row(_)) && place > upto
}

/// Returns whether `position` must still be sent after `last`. With several servers, entries can become
/// visible out of order, so some are sent again.
fn is_behind(position: Position, last: Position) -> bool {
    matches!(position.place, LogPosition::Moment(_)) && position != last || position > last
}
