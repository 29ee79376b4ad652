//! What a monitor does: it reads all tiles that are new since it last looked, and holds each against those above it, up to
//! the root that was signed.

use std::{collections::BTreeMap, convert::Infallible};

use super::{
    merkle::{Shape, Tiles, Tree, of_leaf, over},
    tile::{Asked, Tile, WIDTH},
};
use crate::engine::hash::Bytes32;

/// Where a monitor reads.
pub trait Source: Tiles {
    /// The leaves of a tile of level 0.
    fn leaves(&self, tile: Tile) -> Result<Vec<Bytes32>, Self::Error>;
}

/// What is wrong with a tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault<E> {
    /// It could not be read.
    Unread(E),
    /// This is damaged: it does not lead to the hash above it.
    Damaged(Asked),
    /// The tiles at the edge do not lead to the root that was signed.
    Edge,
    /// It does not begin with the tree that was signed before.
    Fork,
}

/// Walks what is new of a tree since it had the old shape, and tells each of the new leaves with its index.
pub fn walk<S: Source>(
    source: &S,
    old: Shape,
    new: Shape,
    mut tell: impl FnMut(u64, &Bytes32),
) -> Result<(), Fault<S::Error>> {
    if new.size <= old.size {
        return if new == old { Ok(()) } else { Err(Fault::Fork) };
    }
    let edge = Edge::read(source, [old.size, new.size])?;
    if edge.root(new.size) != new.root {
        return Err(Fault::Edge);
    }
    // From the top down, so that each tile is held against one that is known to be right.
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
                return Err(Fault::Damaged(Asked::Hashes(tile)));
            }
            if level == 0 {
                tell_leaves(source, tile, &hashes, old.size, &mut tell)?;
            } else {
                here.insert(tile.place, hashes);
            }
        }
        above = here;
    }
    if edge.root(old.size) == old.root { Ok(()) } else { Err(Fault::Fork) }
}

fn tell_leaves<S: Source>(
    source: &S,
    tile: Tile,
    hashes: &[Bytes32],
    from: u64,
    tell: &mut impl FnMut(u64, &Bytes32),
) -> Result<(), Fault<S::Error>> {
    let leaves = source.leaves(tile).map_err(Fault::Unread)?;
    if !leaves.iter().map(of_leaf).eq(hashes.iter().copied()) {
        return Err(Fault::Damaged(Asked::Entries(tile)));
    }
    for (index, leaf) in (tile.first()..).zip(&leaves).filter(|(index, _)| *index >= from) {
        tell(index, leaf);
    }
    Ok(())
}

/// The tiles at the right edge of the tree as it was, and as it is. They are read once.
struct Edge {
    tiles: BTreeMap<Tile, Vec<Bytes32>>,
    size: u64,
}

impl Edge {
    fn read<S: Source>(source: &S, [old, new]: [u64; 2]) -> Result<Self, Fault<S::Error>> {
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

    fn get<S: Source>(&self, source: &S, tile: Tile) -> Result<Vec<Bytes32>, Fault<S::Error>> {
        if let Some(hashes) = self.tiles.get(&tile) {
            return Ok(hashes.clone());
        }
        let hashes = source.tile(tile).map_err(Fault::Unread)?;
        if hashes.len() as u64 == tile.width { Ok(hashes) } else { Err(Fault::Damaged(Asked::Hashes(tile))) }
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
