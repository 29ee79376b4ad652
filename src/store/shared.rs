//! What several servers that share one database must ask and tell each other.

use uuid::Uuid;

use super::{Entry, GameKey, Newest, postgres};

/// Where an entry stands among those of all games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Its number in the one log of all games.
    Row(i64),
    /// When it was written, where several write: an entry may come to be seen after others that were written
    /// later.
    Moment(i64),
}

impl Place {
    /// The place of the entry that stands so many before this one, in one commit.
    #[must_use]
    pub const fn back(self, count: i64) -> Self {
        match self {
            Self::Row(row) => Self::Row(row - count),
            // All of them were written at the same time.
            Self::Moment(at) => Self::Moment(at),
        }
    }
}

/// What a server has of a game in memory.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub game: GameKey,
    pub newest: Newest,
    /// How often something beside its log had changed.
    pub beside: u64,
}

/// What is new since.
#[derive(Debug)]
pub enum Seen {
    Same,
    Further(Vec<News>),
    /// Something beside its log has changed, too: all of it must be read anew.
    Otherwise,
    /// The entry that is known as the newest is not there: the database has lost what it had acknowledged, or
    /// another history took its place.
    Lost,
}

/// An entry that another server has written.
#[derive(Debug)]
pub struct News {
    pub at: Place,
    pub entry: Entry,
}

/// What was heard of other servers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rung {
    Line(String),
    /// Some of it may not have been heard.
    Missed,
}

/// A game that moved of late: from which entry to which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    pub game: Uuid,
    pub first: u64,
    pub last: u64,
}

/// What one server at a time does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    Start,
    Tree,
}

/// That it is this server's turn, as long as this is held.
pub enum Held {
    /// There is no other.
    File,
    Server(postgres::Held),
}
