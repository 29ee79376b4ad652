//! The monitor: reads all tiles since the last walk, and compares each with the hash above, up to the signed
//! root.

use std::{collections::BTreeMap, convert::Infallible};

use super::{
    merkle::{Shape, Tiles, Tree, of_leaf, over},
    tile::{Tile, TileRequest, WIDTH},
};
use crate::engine::hash::Bytes32;

/// The source of a monitor.
pub trait Source: Tiles {
    /// Returns the leaves of a tile of level 0.
    fn leaves(&self, tile: Tile) -> Result<Vec<Bytes32>, Self::Error>;
}

/// A fault of a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TreeFault<E> {
    /// A tile could not be read.
    Unread(E),
    /// A tile does not lead to the hash above it.
    Damaged(TileRequest),
    /// The tiles at the edge do not lead to the signed root.
    Edge,
    /// The tree does not extend the tree signed before.
    Fork,
}

/// Walks the part of a tree that is new since the old shape, and visits each new leaf with its index.
pub fn walk<S: Source>(
    source: &S,
    old: Shape,
    new: Shape,
    mut tell: impl FnMut(u64, &Bytes32),
) -> Result<(), TreeFault<S::Error>> {
    if new.size <= old.size {
        return if new == old { Ok(()) } else { Err(TreeFault::Fork) };
    }
    let edge = Edge::read(source, [old.size, new.size])?;
    if edge.root(new.size) != new.root {
        return Err(TreeFault::Edge);
    }
    // From the top down: each tile is compared with a verified one.
    let mut above = BTreeMap::new();
    for level in (0..8).rev() {
        let mut here = BTreeMap::new();
        let places = (old.size >> (8 * level)) / WIDTH..;
        let tiles = places.map_while(|place| Tile::holding(level, place.checked_mul(WIDTH)?, new.size));
        for tile in tiles {
            let hashes = edge.get(source, tile)?;
            let hash_above = above.get(&(tile.place / WIDTH)).and_then(|hashes: &Vec<Bytes32>| {
                hashes.get(usize::try_from(tile.place % WIDTH).unwrap_or_default())
            });
            if tile.is_full() && hash_above != Some(&over(&hashes)) {
                return Err(TreeFault::Damaged(TileRequest::Hashes(tile)));
            }
            if level == 0 {
                tell_leaves(source, tile, &hashes, old.size, &mut tell)?;
            } else {
                here.insert(tile.place, hashes);
            }
        }
        above = here;
    }
    if edge.root(old.size) == old.root { Ok(()) } else { Err(TreeFault::Fork) }
}

fn tell_leaves<S: Source>(
    source: &S,
    tile: Tile,
    hashes: &[Bytes32],
    from: u64,
    tell: &mut impl FnMut(u64, &Bytes32),
) -> Result<(), TreeFault<S::Error>> {
    let leaves = source.leaves(tile).map_err(TreeFault::Unread)?;
    if !leaves.iter().map(of_leaf).eq(hashes.iter().copied()) {
        return Err(TreeFault::Damaged(TileRequest::Entries(tile)));
    }
    for (index, leaf) in (tile.first()..).zip(&leaves).filter(|(index, _)| *index >= from) {
        tell(index, leaf);
    }
    Ok(())
}

/// The tiles at the right edge of the old and the new tree, read once.
struct Edge {
    tiles: BTreeMap<Tile, Vec<Bytes32>>,
    size: u64,
}

impl Edge {
    fn read<S: Source>(source: &S, [old, new]: [u64; 2]) -> Result<Self, TreeFault<S::Error>> {
        let mut edge = Self { tiles: BTreeMap::new(), size: new };
        for level in 0..8 {
            for last in [old, new].map(|size| (size >> (8 * level)).checked_sub(1)) {
                if let Some(tile) = last.and_then(|last| Tile::holding(level, last, new)) {
                    let hashes = edge.get(source, tile)?;
                    edge.tiles.insert(tile, hashes);
                }
            }
        }
        Ok(edge)
    }

    fn get<S: Source>(&self, source: &S, tile: Tile) -> Result<Vec<Bytes32>, TreeFault<S::Error>> {
        if let Some(hashes) = self.tiles.get(&tile) {
            return Ok(hashes.clone());
        }
        let hashes = source.tile(tile).map_err(TreeFault::Unread)?;
        if hashes.len() as u64 == tile.width {
            Ok(hashes)
        } else {
            Err(TreeFault::Damaged(TileRequest::Hashes(tile)))
        }
    }

    fn root(&self, size: u64) -> Bytes32 {
        let Ok(root) = Tree::new(self, self.size).root(size);
        root
    }
}

impl Tiles for Edge {
    type Error = Infallible;

    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, Infallible> {
        Ok(self.tiles.get(&tile).cloned().unwrap_or_default())
    }
}
