//! The public tree over all games, as this server grows and publishes it. It follows behind the log and
//! stands in nobody's way: what is to be pinned is read from what is on disk, is on disk in its order before
//! it is signed, and is signed and on disk before anybody sees it.

pub(in crate::service) mod growth;
pub mod inspect;
mod name;
mod offer;
mod proof;
mod shelf;

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use tokio::sync::Mutex;

pub use proof::{LinkItem, ProofView, raw};

use super::{
    Limits, Service, ServiceError,
    ports::{Outside, Witness},
};
use crate::{
    store::{Change, Keeper as _, Store, StoreError, TreeChange, TreeKey, Write},
    tree::{
        merkle::{Shape, Tree},
        note::VerifierKey,
        signer::Signer,
        tile::{Asked, entries},
    },
};

/// What the service has of the tree beside what is stored.
pub struct PublicTree {
    log: Signer,
    /// The names and keys under which it was published, this one first.
    keys: Vec<TreeKey>,
    witnesses: Vec<Asker>,
    /// How many witnesses have not signed the newest checkpoint.
    silent: AtomicUsize,
    /// One at a time lets the tree grow.
    turn: Mutex<()>,
    /// At most one checkpoint is made in so many seconds.
    pub seconds: u64,
}

/// A witness, and the size of the tree that it has signed as far as is known.
struct Asker {
    witness: Box<dyn Witness>,
    knows: AtomicU64,
}

impl PublicTree {
    /// Names the tree if it has no name under this key, and lets it begin if it has not.
    pub async fn open(
        store: &Arc<Store>,
        signer: &Signer,
        outside: &mut Outside,
        limits: &Limits,
    ) -> Result<Self, ServiceError> {
        let mut keys = store.tree_keys().await?;
        let (asked, public_url) = (limits.origin.as_deref(), outside.public_url.as_deref());
        let log = name::choose(signer, &keys, asked, public_url)?;
        let key = log.verifier_key();
        if keys.first().is_none_or(|newest| newest.key != key.to_string()) {
            let (origin, since) = (key.name().to_owned(), outside.clock.now());
            let named = TreeChange::Name(TreeKey { origin, key: key.to_string(), since });
            store.write(Write::of(Change::Tree(named))).await?;
            keys = store.tree_keys().await?;
        }
        if store.tree().await?.is_none() {
            growth::begin(store).await?;
        }
        let asker = |witness| Asker { witness, knows: AtomicU64::new(0) };
        let witnesses: Vec<Asker> = outside.witnesses.drain(..).map(asker).collect();
        let silent = AtomicUsize::new(witnesses.len());
        Ok(Self { log, keys, witnesses, silent, turn: Mutex::default(), seconds: limits.checkpoint_seconds })
    }

    /// Whether a checkpoint is of the tree under its name of now.
    fn names(&self, note: &str) -> bool {
        let origin = self.keys.first().map(|named| named.origin.as_str());
        note.split_once('\n').map(|(line, _)| line) == origin
    }

    /// How many witnesses have not signed the newest checkpoint.
    pub fn silent(&self) -> usize {
        self.silent.load(Ordering::Relaxed)
    }

    /// The keys that proofs are checked against.
    pub fn log_keys(&self) -> Vec<VerifierKey> {
        self.keys.iter().filter_map(|named| named.key.parse().ok()).collect()
    }
}

/// Returns the size of the newest tree that a store has published.
pub async fn published_size(store: &Store) -> Result<u64, StoreError> {
    let published = store.tree().await?.and_then(|tree| tree.published);
    Ok(published.map_or(0, |(size, _)| size))
}

/// The key and name of the tree under a signing key, as the next start would choose them.
pub fn log_key(signer: &Signer, known: &[TreeKey], origin: Option<&str>) -> Result<Signer, ServiceError> {
    name::choose(signer, known, origin, None)
}

/// How large a stored tree is, and its root.
pub async fn shape(store: &Store) -> Result<Shape, ServiceError> {
    let size = store.tree().await?.map_or(0, |tree| tree.size);
    if size == 0 {
        return Ok(Shape::empty());
    }
    shelf::with_tiles(store, |tiles| Tree::new(tiles, size).shape()).await
}

/// Returns whether the public tree gets its name, for ever, when a server with this key starts.
pub async fn is_unnamed(store: &Store, signer: &Signer) -> Result<bool, ServiceError> {
    let keys = store.tree_keys().await?;
    let log = name::choose(signer, &keys, None, None)?;
    Ok(keys.first().is_none_or(|newest| newest.key != log.verifier_key().to_string()))
}

impl Service {
    /// The names and keys under which the tree was published, the one of now first.
    pub fn tree_keys(&self) -> &[TreeKey] {
        &self.tree.keys
    }

    /// Returns the size of the newest tree that was published.
    pub async fn tree_size(&self) -> Result<u64, ServiceError> {
        Ok(published_size(&self.store).await?)
    }

    /// The newest checkpoint that may be seen.
    pub async fn checkpoint(&self) -> Result<Option<String>, ServiceError> {
        Ok(self.published().await?.map(|(_, note)| note))
    }

    /// A tile that the newest checkpoint covers.
    pub async fn tile(&self, asked: Asked) -> Result<Option<Vec<u8>>, ServiceError> {
        let (Asked::Hashes(tile) | Asked::Entries(tile)) = asked;
        if !self.published().await?.is_some_and(|(size, _)| tile.is_in(size)) {
            return Ok(None);
        }
        let rows = shelf::rows(&self.store, &[tile]).await?.concat();
        Ok(Some(match asked {
            Asked::Hashes(tile) => shelf::hashes(tile, rows).concat(),
            Asked::Entries(_) => entries(&rows),
        }))
    }

    /// The newest checkpoint of the tree under its name of now, with its size.
    async fn published(&self) -> Result<Option<(u64, String)>, ServiceError> {
        let published = self.store.tree().await?.and_then(|tree| tree.published);
        Ok(published.filter(|(_, note)| self.tree.names(note)))
    }
}
