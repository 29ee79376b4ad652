//! Tiles of the tree, fetched as the computation needs them.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    engine::hash::Bytes32,
    service::ServiceError,
    store::{HashRange, Store},
    tree::{
        merkle::{Tiles, of_leaf},
        tile::Tile,
    },
};

/// Fetched tiles. A missing tile fails the computation with its name.
#[derive(Default)]
pub struct TileCache {
    tiles: BTreeMap<Tile, Vec<Bytes32>>,
    /// During a dry run: the tiles that were asked for.
    asked: Option<RefCell<BTreeSet<Tile>>>,
}

impl Tiles for TileCache {
    type Error = Tile;

    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, Tile> {
        if let Some(asked) = &self.asked {
            asked.borrow_mut().insert(tile);
            return Ok(Vec::new());
        }
        self.tiles.get(&tile).cloned().ok_or(tile)
    }
}

/// Computes over tiles. A dry run finds the tiles that are needed, which rarely depend on their content; then
/// all are fetched at once. If one more is needed, the computation starts again with it.
pub async fn with_tiles<T>(
    store: &Store,
    work: impl Fn(&TileCache) -> Result<T, Tile>,
) -> Result<T, ServiceError> {
    let trial = TileCache { asked: Some(RefCell::default()), ..TileCache::default() };
    let _ = work(&trial);
    let mut missing: Vec<Tile> = trial.asked.unwrap_or_default().into_inner().into_iter().collect();
    let mut shelf = TileCache::default();
    loop {
        let fetched = read(store, &missing).await?;
        shelf.tiles.extend(missing.into_iter().zip(fetched));
        match work(&shelf) {
            Ok(done) => return Ok(done),
            Err(tile) => missing = vec![tile],
        }
    }
}

/// Returns the hashes of whole tiles.
pub async fn read(store: &Store, tiles: &[Tile]) -> Result<Vec<Vec<Bytes32>>, ServiceError> {
    let rows = rows(store, tiles).await?;
    Ok(tiles.iter().zip(rows).map(|(tile, rows)| hashes(*tile, rows)).collect())
}

/// Returns the stored rows of tiles: leaves for level 0. An incomplete tile would lead to another root.
pub async fn rows(store: &Store, tiles: &[Tile]) -> Result<Vec<Vec<Bytes32>>, ServiceError> {
    if tiles.is_empty() {
        return Ok(Vec::new());
    }
    let rows = store.stretches(tiles.iter().map(|tile| stretch(*tile)).collect()).await?;
    let mut both = tiles.iter().zip(&rows);
    match both.find(|(tile, rows)| rows.len() as u64 != tile.width) {
        None => Ok(rows),
        Some((tile, _)) => {
            Err(ServiceError::Internal(format!("the public tree is damaged: {tile:?} is not whole")))
        }
    }
}

/// Returns where a tile is stored.
pub const fn stretch(tile: Tile) -> HashRange {
    HashRange { level: tile.level, first: tile.first(), count: tile.width }
}

/// Returns the hashes of a tile from its stored rows.
pub fn hashes(tile: Tile, rows: Vec<Bytes32>) -> Vec<Bytes32> {
    if tile.level == 0 { rows.iter().map(of_leaf).collect() } else { rows }
}
