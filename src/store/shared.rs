//! Questions and messages of servers on one database.

use uuid::Uuid;

use super::{Entry, GameKey, Newest};

/// Position of an entry in the log of all games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LogPosition {
    /// Row of the log.
    Row(i64),
    /// Time of the write, with several servers: an entry may become visible after later ones.
    Moment(i64),
}

impl LogPosition {
    /// Returns the position `count` entries earlier in the same commit.
    #[must_use]
    pub const fn back(self, count: i64) -> Self {
        match self {
            Self::Row(row) => Self::Row(row - count),
            // All entries of a commit have its time.
            Self::Moment(at) => Self::Moment(at),
        }
    }
}

/// The version of a game in memory.
#[derive(Clone, Copy, Debug)]
pub struct CachedVersion {
    pub game: GameKey,
    pub newest: Newest,
    /// Revision of the rows that are not in the log.
    pub beside: u64,
}

/// Whether the version in memory is current.
#[derive(Debug)]
pub enum Freshness {
    Same,
    Further(Vec<PeerNews>),
    /// Rows that are not in the log have changed too: the game must be loaded again.
    Otherwise,
    /// The newest entry in memory is not in the database: it has lost acknowledged writes, or another history
    /// took their place.
    Lost,
}

/// An entry of another server.
#[derive(Debug)]
pub struct PeerNews {
    pub at: LogPosition,
    pub entry: Entry,
}

/// News from other servers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeerEvent {
    Line(String),
    /// Messages may have been lost.
    Missed,
}

/// A game with recent entries, and their range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedGame {
    pub game: Uuid,
    pub first: u64,
    pub last: u64,
}

/// A task for one server at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaderTask {
    Start,
    Tree,
}
