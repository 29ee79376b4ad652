//! The public tree over all games of this server. Growth follows the log and delays no command: a checkpoint
//! covers durable entries, and is itself durable before anyone sees it.

pub(in crate::service) mod growth;
pub mod inspect;
mod name;
mod offer;
mod proof;
mod tile_cache;

use std::{
    sync::{
        Arc, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::Mutex;

use super::{Base, ServiceError, ports::Witness};
use crate::{
    store::{Change, Store, StoreError, TreeChange, TreeKey, Write},
    tree::{
        merkle::{Shape, Tree},
        note::VerifierKey,
        signer::Signer,
        tile::{TileRequest, entries},
    },
};

/// The public tree of this server.
pub struct PublicTree {
    store: Arc<Store>,
    log: Signer,
    /// Names and keys of the tree, newest first.
    keys: Vec<TreeKey>,
    witnesses: Vec<Asker>,
    /// Witnesses that have not signed the newest checkpoint.
    silent: AtomicUsize,
    /// Held while the tree grows.
    turn: Mutex<()>,
    /// When the tree was last published or found to be current.
    current_at: std::sync::Mutex<Option<Instant>>,
    /// Minimum number of seconds between checkpoints.
    pub seconds: u64,
}

/// A witness, and the size of the tree that it has signed, as far as known.
struct Asker {
    witness: Box<dyn Witness>,
    knows: AtomicU64,
}

impl PublicTree {
    /// Opens the tree: names it under a new key, and creates it if necessary.
    pub async fn open(
        Base { store, signer, limits, clock, .. }: &Base,
        public_url: Option<&str>,
        witnesses: Vec<Box<dyn Witness>>,
    ) -> Result<Self, ServiceError> {
        let mut keys = store.tree_keys().await?;
        let log = name::choose(signer, &keys, limits.origin.as_deref(), public_url)?;
        let key = log.verifier_key();
        if keys.first().is_none_or(|newest| newest.key != key.to_string()) {
            let (origin, since) = (key.name().to_owned(), clock.now());
            let named = TreeChange::Name(TreeKey { origin, key: key.to_string(), since });
            store.write(Write::of(Change::Tree(named))).await?;
            keys = store.tree_keys().await?;
        }
        if store.tree().await?.is_none() {
            growth::begin(store).await?;
        }
        let asker = |witness| Asker { witness, knows: AtomicU64::new(0) };
        let witnesses: Vec<Asker> = witnesses.into_iter().map(asker).collect();
        let silent = AtomicUsize::new(witnesses.len());
        Ok(Self {
            store: Arc::clone(store),
            log,
            keys,
            witnesses,
            silent,
            turn: Mutex::default(),
            current_at: std::sync::Mutex::default(),
            seconds: limits.checkpoint_seconds,
        })
    }

    /// Returns whether a checkpoint has the present name of the tree.
    fn names(&self, note: &str) -> bool {
        let origin = self.keys.first().map(|named| named.origin.as_str());
        note.split_once('\n').map(|(line, _)| line) == origin
    }

    /// Returns the number of witnesses that have not signed the newest checkpoint.
    pub fn silent(&self) -> usize {
        self.silent.load(Ordering::Relaxed)
    }

    /// Returns the time since the tree was last published or found to be current.
    pub fn age(&self) -> Option<Duration> {
        let at = *self.current_at.lock().unwrap_or_else(PoisonError::into_inner);
        at.map(|at| at.elapsed())
    }

    fn note_current(&self) {
        *self.current_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Returns the keys that verify proofs.
    pub fn log_keys(&self) -> Vec<VerifierKey> {
        self.keys.iter().filter_map(|named| named.key.parse().ok()).collect()
    }
}

/// Returns the size of the newest tree that a store has published.
pub async fn published_size(store: &Store) -> Result<u64, StoreError> {
    let published = store.tree().await?.and_then(|tree| tree.published);
    Ok(published.map_or(0, |(size, _)| size))
}

/// Returns the name and key that the tree gets at the next start with this signing key.
pub fn log_key(signer: &Signer, known: &[TreeKey], origin: Option<&str>) -> Result<Signer, ServiceError> {
    name::choose(signer, known, origin, None)
}

/// Returns the size and root of a stored tree.
pub async fn shape(store: &Store) -> Result<Shape, ServiceError> {
    let size = store.tree().await?.map_or(0, |tree| tree.size);
    if size == 0 {
        return Ok(Shape::empty());
    }
    tile_cache::with_tiles(store, |tiles| Tree::new(tiles, size).shape()).await
}

/// Returns whether the public tree gets its name, for ever, when a server with this key starts.
pub async fn is_unnamed(store: &Store, signer: &Signer) -> Result<bool, ServiceError> {
    let keys = store.tree_keys().await?;
    let log = name::choose(signer, &keys, None, None)?;
    Ok(keys.first().is_none_or(|newest| newest.key != log.verifier_key().to_string()))
}

impl PublicTree {
    /// Returns the names and keys of the tree, newest first.
    pub fn tree_keys(&self) -> &[TreeKey] {
        &self.keys
    }

    /// Returns the size of the newest tree that was published.
    pub async fn tree_size(&self) -> Result<u64, ServiceError> {
        Ok(published_size(&self.store).await?)
    }

    /// Returns the newest published checkpoint.
    pub async fn checkpoint(&self) -> Result<Option<String>, ServiceError> {
        Ok(self.published().await?.map(|(_, note)| note))
    }

    /// Returns a tile that the newest checkpoint covers.
    pub async fn tile(&self, asked: TileRequest) -> Result<Option<Vec<u8>>, ServiceError> {
        let (TileRequest::Hashes(tile) | TileRequest::Entries(tile)) = asked;
        if !self.published().await?.is_some_and(|(size, _)| tile.is_in(size)) {
            return Ok(None);
        }
        let rows = tile_cache::rows(&self.store, &[tile]).await?.concat();
        Ok(Some(match asked {
            TileRequest::Hashes(tile) => tile_cache::hashes(tile, rows).concat(),
            TileRequest::Entries(_) => entries(&rows),
        }))
    }

    /// Returns the size and text of the newest checkpoint under the present name.
    async fn published(&self) -> Result<Option<(u64, String)>, ServiceError> {
        let published = self.store.tree().await?.and_then(|tree| tree.published);
        Ok(published.filter(|(_, note)| self.names(note)))
    }
}
