//! The public tree over all games, as it is kept: its leaves are heads of the log.

use super::GameKey;

/// A head that is to be a leaf, or is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeafRow {
    pub game: GameKey,
    pub seq: u64,
    pub head: [u8; 32],
}

/// A leaf of the public tree, and the entry whose head it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub place: u64,
    pub seq: u64,
    pub head: [u8; 32],
}

/// Where the tree stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeRow {
    /// How many leaves it has.
    pub size: u64,
    /// Up to which place in the log of all games they were taken.
    pub upto: i64,
    /// The newest checkpoint that may be seen, with the size of the tree in it.
    pub published: Option<(u64, String)>,
    /// How many leaves stand for their games.
    pub pinned: u64,
}

/// What is to be pinned, in the order of the commits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unpinned {
    /// Each with its place in the log of all games.
    pub heads: Vec<(i64, LeafRow)>,
    /// Up to which place all has been looked at.
    pub upto: i64,
}

/// Hashes that stand side by side: of level 0 the heads that are leaves, of another those over 256 to its
/// power of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    pub level: u32,
    pub first: u64,
    pub count: u64,
}

/// A hash over 256 to the power of `level` leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeRow {
    pub level: u32,
    pub place: u64,
    pub hash: [u8; 32],
}

/// A name under which the tree has been published, and its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeKey {
    pub origin: String,
    pub key: String,
    pub since: u64,
}

/// The newest entry of a game that a published checkpoint covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinnedRow {
    pub seq: u64,
    /// Where in the tree its head stands.
    pub leaf: u64,
    pub head: [u8; 32],
}

pub enum TreeChange {
    /// From here on the tree is published under this name.
    Name(TreeKey),
    /// Refused unless the tree has just this size, and was taken from the log up to `after`.
    Grow {
        size: u64,
        leaves: Vec<LeafRow>,
        nodes: Vec<NodeRow>,
        /// After which place in the log of all games they were taken, and up to which.
        after: i64,
        upto: i64,
    },
    /// The leaves before this one stand for their games, if they are the newest of theirs.
    Pin { upto: u64 },
    /// The checkpoint of this size may be seen.
    Publish { size: u64, note: String },
}
