//! Hashes of the tree (RFC 6962), and proofs between them.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::tile::{Tile, WIDTH};
use crate::engine::hash::Bytes32;

pub fn of_leaf(leaf: &Bytes32) -> Bytes32 {
    let mut sha = Sha256::new();
    sha.update([0]);
    sha.update(leaf);
    sha.finalize().into()
}

pub fn of_children(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    let mut sha = Sha256::new();
    sha.update([1]);
    sha.update(left);
    sha.update(right);
    sha.finalize().into()
}

/// Returns the root of a tree without leaves.
pub fn of_nothing() -> Bytes32 {
    Sha256::digest([]).into()
}

/// Returns the hash over these hashes. Their number is a power of two.
pub fn over(hashes: &[Bytes32]) -> Bytes32 {
    match hashes {
        [] => of_nothing(),
        [hash] => *hash,
        _ => {
            let (left, right) = hashes.split_at(hashes.len().next_power_of_two() / 2);
            of_children(&over(left), &over(right))
        }
    }
}

/// Returns the root of the tree of this size with the leaf at the index (RFC 9162, section 2.1.3.2).
///
/// ```
/// use playledger_core::tree::merkle::{of_children, of_leaf, root_by};
///
/// let leaves = [[1; 32], [2; 32], [3; 32]];
/// let [first, second, third] = leaves.each_ref().map(of_leaf);
/// let root = of_children(&of_children(&first, &second), &third);
///
/// // The path of leaf 1 has its neighbours from the leaf up to the root.
/// assert_eq!(root_by(&leaves[1], 1, 3, &[first, third]), Some(root));
/// assert_ne!(root_by(&leaves[1], 0, 3, &[first, third]), Some(root));
/// ```
pub fn root_by(leaf: &Bytes32, index: u64, size: u64, path: &[Bytes32]) -> Option<Bytes32> {
    if index >= size {
        return None;
    }
    let (mut place, mut last, mut node) = (index, size - 1, of_leaf(leaf));
    for hash in path {
        if last == 0 {
            return None;
        }
        if place & 1 == 1 || place == last {
            node = of_children(hash, &node);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            node = of_children(&node, hash);
        }
        place >>= 1;
        last >>= 1;
    }
    (last == 0).then_some(node)
}

/// Size and root of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    pub size: u64,
    pub root: Bytes32,
}

impl Shape {
    pub fn empty() -> Self {
        Self { size: 0, root: of_nothing() }
    }
}

/// Returns whether the proof shows that the new tree extends the old one (RFC 9162, section 2.1.4.2).
pub fn is_continued(old: Shape, new: Shape, proof: &[Bytes32]) -> bool {
    if old.size >= new.size {
        return old == new && proof.is_empty();
    }
    if old.size == 0 {
        return old == Shape::empty() && proof.is_empty();
    }
    // The root of a complete old tree is the first hash itself.
    let (first, rest) = match proof.split_first() {
        _ if old.size.is_power_of_two() => (&old.root, proof),
        Some((first, rest)) => (first, rest),
        None => return false,
    };
    let (mut place, mut last) = (old.size - 1, new.size - 1);
    while place & 1 == 1 {
        place >>= 1;
        last >>= 1;
    }
    let (mut before, mut after) = (*first, *first);
    for hash in rest {
        if last == 0 {
            return false;
        }
        if place & 1 == 1 || place == last {
            before = of_children(hash, &before);
            after = of_children(hash, &after);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            after = of_children(&after, hash);
        }
        place >>= 1;
        last >>= 1;
    }
    last == 0 && before == old.root && after == new.root
}

/// A source of tiles.
pub trait Tiles {
    type Error;

    /// Returns the hashes of a tile.
    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, Self::Error>;
}

/// A tree over its tiles. Each tile is read once.
pub struct Tree<'t, T> {
    tiles: &'t T,
    size: u64,
    read: BTreeMap<Tile, Vec<Bytes32>>,
}

impl<'t, T: Tiles> Tree<'t, T> {
    pub const fn new(tiles: &'t T, size: u64) -> Self {
        Self { tiles, size, read: BTreeMap::new() }
    }

    /// Returns the root of this tree, or of an earlier size.
    pub fn root(&mut self, size: u64) -> Result<Bytes32, T::Error> {
        if size == 0 { Ok(of_nothing()) } else { self.hash(0, size) }
    }

    pub fn shape(&mut self) -> Result<Shape, T::Error> {
        Ok(Shape { size: self.size, root: self.root(self.size)? })
    }

    /// Returns the hashes from the sibling of a leaf to the child of the root.
    pub fn path(&mut self, index: u64) -> Result<Vec<Bytes32>, T::Error> {
        let (mut path, mut from, mut upto) = (Vec::new(), 0, self.size);
        while upto - from > 1 {
            let middle = from + half(upto - from);
            if index < middle {
                path.push(self.hash(middle, upto)?);
                upto = middle;
            } else {
                path.push(self.hash(from, middle)?);
                from = middle;
            }
        }
        path.reverse();
        Ok(path)
    }

    /// Returns the proof that this tree extends the one of the old size.
    pub fn continuation(&mut self, old: u64) -> Result<Vec<Bytes32>, T::Error> {
        let (mut proof, mut from, mut upto) = (Vec::new(), 0, self.size);
        if old == 0 || old >= self.size {
            return Ok(proof);
        }
        while upto != old {
            let middle = from + half(upto - from);
            if old <= middle {
                proof.push(self.hash(middle, upto)?);
                upto = middle;
            } else {
                proof.push(self.hash(from, middle)?);
                from = middle;
            }
        }
        if from > 0 {
            proof.push(self.hash(from, upto)?);
        }
        proof.reverse();
        Ok(proof)
    }

    /// Returns the hash over a range of leaves that is a subtree.
    fn hash(&mut self, from: u64, upto: u64) -> Result<Bytes32, T::Error> {
        let count = upto - from;
        if count.is_power_of_two() {
            return self.whole(count.trailing_zeros(), from);
        }
        let middle = from + half(count);
        Ok(of_children(&self.hash(from, middle)?, &self.hash(middle, upto)?))
    }

    /// Returns the hash over two to the power of `height` leaves.
    fn whole(&mut self, height: u32, from: u64) -> Result<Bytes32, T::Error> {
        let level = height / 8;
        let (first, count) = (from >> (8 * level), 1 << (height % 8));
        let Some(tile) = Tile::holding(level, first, self.size) else { return Ok(of_nothing()) };
        if !self.read.contains_key(&tile) {
            self.read.insert(tile, self.tiles.tile(tile)?);
        }
        let hashes = self.read.get(&tile).map(Vec::as_slice).unwrap_or_default();
        let begin = usize::try_from(first % WIDTH).unwrap_or_default();
        Ok(over(hashes.get(begin..begin + count).unwrap_or_default()))
    }
}

/// Returns the size of the left subtree: the largest power of two below `count`.
const fn half(count: u64) -> u64 {
    1 << (count - 1).ilog2()
}

/// A hash over a full tile: its level, and its index on the level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub level: u32,
    pub place: u64,
    pub hash: Bytes32,
}

/// Returns the hashes over tiles that become full when these leaves are appended to a tree of this size.
pub fn grow<T: Tiles>(tiles: &T, size: u64, leaves: &[Bytes32]) -> Result<Vec<Node>, T::Error> {
    let mut nodes = Vec::new();
    let (mut level, mut count, mut new) = (0, size, leaves.iter().map(of_leaf).collect::<Vec<_>>());
    while !new.is_empty() {
        let (place, width) = (count / WIDTH, count % WIDTH);
        let mut hashes = if width == 0 { Vec::new() } else { tiles.tile(Tile { level, place, width })? };
        hashes.append(&mut new);
        level += 1;
        for (tile, place) in hashes.chunks_exact(256).zip(place..) {
            let hash = over(tile);
            nodes.push(Node { level, place, hash });
            new.push(hash);
        }
        count = place;
    }
    Ok(nodes)
}
