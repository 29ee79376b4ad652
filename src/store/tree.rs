//! Rows of the public tree. Its leaves are heads of the log.

use super::GameKey;

/// A present or future leaf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeafRow {
    pub game: GameKey,
    pub seq: u64,
    pub head: [u8; 32],
}

/// A leaf, and its entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub place: u64,
    pub seq: u64,
    pub head: [u8; 32],
}

/// The state of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TreeRow {
    /// Number of leaves.
    pub size: u64,
    /// Position in the log up to which heads were taken.
    pub upto: i64,
    /// The newest published checkpoint, and the size of its tree.
    pub published: Option<(u64, String)>,
    /// Number of leaves that are noted as published.
    pub pinned: u64,
}

/// New heads, in the order of their commits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unpinned {
    /// Each with its position in the log.
    pub heads: Vec<(i64, LeafRow)>,
    /// Position up to which the log was read.
    pub upto: i64,
}

/// Consecutive hashes: leaves for level 0, for level `n` hashes over 256 to the power of `n` leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashRange {
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

/// A name of the tree, and its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeKey {
    pub origin: String,
    pub key: String,
    pub since: u64,
}

/// The newest published entry of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PinnedRow {
    pub seq: u64,
    /// Index of its leaf.
    pub leaf: u64,
    pub head: [u8; 32],
}

pub enum TreeChange {
    /// Publishes the tree under this name from now on.
    Name(TreeKey),
    /// Fails unless the tree has this size and was read from the log up to `after`.
    Grow {
        size: u64,
        leaves: Vec<LeafRow>,
        nodes: Vec<NodeRow>,
        /// Positions in the log between which the leaves were taken.
        after: i64,
        upto: i64,
    },
    /// Records all earlier leaves as published.
    Pin { upto: u64 },
    /// Publishes the checkpoint of this size.
    Publish { size: u64, note: String },
}
