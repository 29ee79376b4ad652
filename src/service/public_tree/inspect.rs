//! Checks for the operator: whether the tree is whole and is the published one.

use super::tile_cache::{hashes, read, stretch, with_tiles};
use crate::{
    engine::hash::Bytes32,
    service::ServiceError,
    store::{HashRange, Store, StoreError, TreeRow, sqlite::Inspection},
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

/// Returns the number of leaves and the faults of the tree in a file.
pub fn inspect_tree(inspection: &Inspection) -> Result<(u64, Vec<String>), StoreError> {
    let TreeRow { size, published, .. } = inspection.tree()?.unwrap_or_default();
    let (tiles, mut problems) = (Stored(inspection), Vec::new());
    for (tile, over_it) in full_tiles(size) {
        problems.extend(wrong_tile(tile, &tiles.tile(tile)?, &inspection.stretch(over_it)?));
    }
    if let Some((size, note)) = published {
        problems.extend(not_published(&note, size, Tree::new(&tiles, size).root(size)?));
    }
    Ok((size, problems))
}

/// Returns the number of leaves and the faults of the tree in a shared database.
pub async fn inspect_shared_tree(store: &Store) -> Result<(u64, Vec<String>), ServiceError> {
    let TreeRow { size, published, .. } = store.tree().await?.unwrap_or_default();
    let mut problems = Vec::new();
    for (tile, over_it) in full_tiles(size) {
        let hashes = read(store, &[tile]).await?.concat();
        problems.extend(wrong_tile(tile, &hashes, &store.stretches(vec![over_it]).await?.concat()));
    }
    if let Some((size, note)) = published {
        let root = with_tiles(store, |tiles| Tree::new(tiles, size).root(size)).await?;
        problems.extend(not_published(&note, size, root));
    }
    Ok((size, problems))
}

/// Returns every full tile, and where the hash over it is stored.
fn full_tiles(size: u64) -> impl Iterator<Item = (Tile, HashRange)> {
    let places = move |level: u32| (0..(size >> (8 * level)) / WIDTH).map(move |place| (level, place));
    (0..8).flat_map(places).map(|(level, place)| {
        (Tile { level, place, width: WIDTH }, HashRange { level: level + 1, first: place, count: 1 })
    })
}

fn wrong_tile(tile: Tile, hashes: &[Bytes32], kept: &[Bytes32]) -> Option<String> {
    let Tile { level, place, .. } = tile;
    let is_right = kept.first() == Some(&over(hashes));
    (!is_right).then(|| format!("the hash over tile {place} of level {level} of the tree is wrong"))
}

fn not_published(note: &str, size: u64, root: Bytes32) -> Option<String> {
    let is_it = Checkpoint::read(note).is_ok_and(|read| read.shape == Shape { size, root });
    (!is_it).then(|| format!("the tree of {size} leaves is not the one that was published"))
}
