//! For the operator: whether the tree is whole, and is the one that was published.

use super::shelf::{hashes, read, stretch, with_tiles};
use crate::{
    engine::hash::Bytes32,
    service::ServiceError,
    store::{Keeper as _, Store, StoreError, Stretch, TreeRow, sqlite::Inspection},
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
            let tile = Tile { level, place, width: WIDTH };
            let hashes = tiles.tile(tile)?;
            if inspection.stretch(Stretch { level: level + 1, first: place, count: 1 })?.first()
                != Some(&over(&hashes))
            {
                problems.push(wrong_tile(tile));
            }
        }
    }
    if let Some((size, note)) = published {
        let shape = Checkpoint::read(&note).map(|read| read.shape);
        let root = Tree::new(&tiles, size).root(size)?;
        problems.extend((shape != Ok(Shape { size, root })).then(|| not_published(size)));
    }
    Ok((size, problems))
}

/// The same for a tree in a database that servers share.
pub async fn inspect_shared_tree(store: &Store) -> Result<(u64, Vec<String>), ServiceError> {
    let TreeRow { size, published, .. } = store.tree().await?.unwrap_or_default();
    let mut problems = Vec::new();
    for level in 0..8 {
        for place in 0..(size >> (8 * level)) / WIDTH {
            let tile = Tile { level, place, width: WIDTH };
            let over_it = Stretch { level: level + 1, first: place, count: 1 };
            let (hashes, kept) =
                (read(store, &[tile]).await?.concat(), store.stretches(vec![over_it]).await?.concat());
            if kept.first() != Some(&over(&hashes)) {
                problems.push(wrong_tile(tile));
            }
        }
    }
    if let Some((size, note)) = published {
        let shape = Checkpoint::read(&note).map(|read| read.shape);
        let root = with_tiles(store, |tiles| Tree::new(tiles, size).root(size)).await?;
        problems.extend((shape != Ok(Shape { size, root })).then(|| not_published(size)));
    }
    Ok((size, problems))
}

fn wrong_tile(Tile { level, place, .. }: Tile) -> String {
    format!("the hash over tile {place} of level {level} of the tree is wrong")
}

fn not_published(size: u64) -> String {
    format!("the tree of {size} leaves is not the one that was published")
}
