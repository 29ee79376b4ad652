//! For the operator: whether the tree is whole, and is the one that was published.

use super::shelf::{hashes, stretch};
use crate::{
    engine::hash::Bytes32,
    store::{StoreError, Stretch, TreeRow, sqlite::Inspection},
    tree::{
        checkpoint::Checkpoint,
        merkle::{Shape, Tiles, Tree, over},
        tile::{Tile, WIDTH},
    },
};

struct Stored<'i>(&'i Inspection);

impl Tiles for Stored<'_> {
    type Error = StoreError;

    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, StoreError> {
        Ok(hashes(tile, self.0.stretch(stretch(tile))?))
    }
}

/// How many leaves the tree has, and what is wrong with it.
pub fn inspect_tree(inspection: &Inspection) -> Result<(u64, Vec<String>), StoreError> {
    let TreeRow { size, published, .. } = inspection.tree()?.unwrap_or_default();
    let (tiles, mut problems) = (Stored(inspection), Vec::new());
    for level in 0..8 {
        for place in 0..(size >> (8 * level)) / WIDTH {
            let hashes = tiles.tile(Tile { level, place, width: WIDTH })?;
            if inspection.stretch(Stretch { level: level + 1, first: place, count: 1 })?.first()
                != Some(&over(&hashes))
            {
                problems.push(format!("the hash over tile {place} of level {level} of the tree is wrong"));
            }
        }
    }
    if let Some((size, note)) = published {
        let shape = Checkpoint::read(&note).map(|read| read.shape);
        let root = Tree::new(&tiles, size).root(size)?;
        if shape != Ok(Shape { size, root }) {
            problems.push(format!("the tree of {size} leaves is not the one that was published"));
        }
    }
    Ok((size, problems))
}
