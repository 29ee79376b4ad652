//! Tiles, fetched as the mathematics ask for them.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    engine::hash::Bytes32,
    service::ServiceError,
    store::{Keeper as _, Store, Stretch},
    tree::{
        merkle::{Tiles, of_leaf},
        tile::Tile,
    },
};

/// The tiles that were fetched. It asks for one that is missing by failing with it.
#[derive(Default)]
pub struct Shelf {
    tiles: BTreeMap<Tile, Vec<Bytes32>>,
    /// While it is only found out which are needed: those that were asked for.
    asked: Option<RefCell<BTreeSet<Tile>>>,
}

impl Tiles for Shelf {
    type Error = Tile;

    fn tile(&self, tile: Tile) -> Result<Vec<Bytes32>, Tile> {
        if let Some(asked) = &self.asked {
            asked.borrow_mut().insert(tile);
            return Ok(Vec::new());
        }
        self.tiles.get(&tile).cloned().ok_or(tile)
    }
}

/// Works something out over tiles. What is needed hardly ever depends on what is in them: so it is found out
/// first, with none, and all are fetched at once. Should it need one more, it is begun again with that.
pub async fn with_tiles<T>(
    store: &Store,
    work: impl Fn(&Shelf) -> Result<T, Tile>,
) -> Result<T, ServiceError> {
    let trial = Shelf { asked: Some(RefCell::default()), ..Shelf::default() };
    let _ = work(&trial);
    let mut missing: Vec<Tile> = trial.asked.unwrap_or_default().into_inner().into_iter().collect();
    let mut shelf = Shelf::default();
    loop {
        let fetched = read(store, &missing).await?;
        shelf.tiles.extend(missing.into_iter().zip(fetched));
        match work(&shelf) {
            Ok(done) => return Ok(done),
            Err(tile) => missing = vec![tile],
        }
    }
}

/// The hashes of these tiles, all of them.
pub async fn read(store: &Store, tiles: &[Tile]) -> Result<Vec<Vec<Bytes32>>, ServiceError> {
    let rows = rows(store, tiles).await?;
    Ok(tiles.iter().zip(rows).map(|(tile, rows)| hashes(*tile, rows)).collect())
}

/// What is stored of these tiles: of level 0 their leaves. What is not whole would lead to another root.
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

/// Where a tile is stored.
pub const fn stretch(tile: Tile) -> Stretch {
    Stretch { level: tile.level, first: tile.first(), count: tile.width }
}

/// The hashes of a tile, from what is stored of it.
pub fn hashes(tile: Tile, rows: Vec<Bytes32>) -> Vec<Bytes32> {
    if tile.level == 0 { rows.iter().map(of_leaf).collect() } else { rows }
}
