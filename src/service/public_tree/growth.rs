//! Growth of the public tree: new heads become leaves, then a checkpoint is signed, witnessed and published.
//! Each step is durable before the next begins and depends only on stored data, so a stop at any point loses
//! nothing.

use std::sync::atomic::Ordering;

use super::{offer::Offered, tile_cache::with_tiles};
use crate::{
    service::{PublicTree, ServiceError},
    store::{Change, LeaderTask, LeafRow, NodeRow, Store, TreeChange, TreeRow, Unpinned, Write},
    tree::{
        checkpoint::{self, Checkpoint},
        merkle::{Node, Shape, Tree, grow},
    },
};

/// Leaves of one commit. A larger commit would delay commands.
const MOST_AT_ONCE: usize = 1_024;

/// Creates the tree with the heads of all games. One commit, since no request is served yet: a stop leaves no
/// tree or a whole one.
pub async fn begin(store: &Store) -> Result<(), ServiceError> {
    let Unpinned { heads, upto } = store.unpinned().await?;
    let leaves = heads.into_iter().map(|(_, leaf)| leaf).collect();
    add(store, 0, leaves, [0, upto]).await
}

/// Appends leaves to the tree.
pub(in crate::service) async fn add(
    store: &Store,
    size: u64,
    leaves: Vec<LeafRow>,
    [after, upto]: [i64; 2],
) -> Result<(), ServiceError> {
    let heads: Vec<_> = leaves.iter().map(|leaf| leaf.head).collect();
    let nodes = with_tiles(store, |tiles| grow(tiles, size, &heads)).await?;
    let row = |Node { level, place, hash }| NodeRow { level, place, hash };
    let nodes = nodes.into_iter().map(row).collect();
    let growth = TreeChange::Grow { size, leaves, nodes, after, upto };
    Ok(store.write(Write::of(Change::Tree(growth))).await?)
}

impl PublicTree {
    /// Publishes the new heads, if there are any.
    pub async fn pin(&self) -> Result<(), ServiceError> {
        let _turn = self.turn.lock().await;
        // One server grows the tree; the stored tree says how far the last one came.
        let _leads = match self.store.peers() {
            Some(peers) => match peers.try_to_lead(LeaderTask::Tree).await? {
                Some(guard) => Some(guard),
                None => return Ok(()),
            },
            None => None,
        };
        self.grow_tree().await?;
        self.publish_tree().await?;
        self.note_current();
        Ok(())
    }

    /// Appends the new heads to the tree.
    pub(in crate::service) async fn grow_tree(&self) -> Result<(), ServiceError> {
        let TreeRow { mut size, upto: mut after, .. } = self.store.tree().await?.unwrap_or_default();
        let Unpinned { heads, upto } = self.store.unpinned().await?;
        let mut batches = heads.chunks(MOST_AT_ONCE).peekable();
        while let Some(batch) = batches.next() {
            // After a stop here, log rows after the last leaf of the batch are read again.
            let last = batch.last().map_or(upto, |(place, _)| *place);
            let upto = if batches.peek().is_none() { upto } else { last };
            let leaves: Vec<LeafRow> = batch.iter().map(|(_, leaf)| leaf.clone()).collect();
            let count = leaves.len() as u64;
            add(&self.store, size, leaves, [after, upto]).await?;
            (size, after) = (size + count, upto);
        }
        Ok(())
    }

    /// Signs the tree, asks the witnesses, and publishes the checkpoint. A witness that missed a checkpoint
    /// is asked again, and its signature is then published.
    pub(in crate::service) async fn publish_tree(&self) -> Result<(), ServiceError> {
        let TreeRow { size, published, pinned, .. } = self.store.tree().await?.unwrap_or_default();
        let before = published.as_ref().map(|(_, note)| note.as_str());
        let known = published.as_ref().filter(|(known, note)| *known == size && self.names(note));
        let missing = known.map(|(_, note)| self.missing(note));
        if missing == Some(0) {
            self.silent.store(0, Ordering::Relaxed);
            return self.note_pinned(pinned, size).await;
        }
        let shape = self.shape_after(size, before).await?;
        let signed = match known {
            Some((_, note)) => self.own_lines(note)?,
            None => checkpoint::sign(&self.log, shape),
        };
        let Offered { note, warning } = self.offer(&self.store, &signed, shape).await?;
        if known.is_none_or(|(_, known)| *known != note) {
            let publish = TreeChange::Publish { size, note: note.clone() };
            self.store.write(Write::of(Change::Tree(publish))).await?;
        }
        self.silent.store(self.missing(&note), Ordering::Relaxed);
        self.note_pinned(pinned, size).await?;
        warning.map_or(Ok(()), |warning| Err(ServiceError::Internal(warning)))
    }

    /// Notes the newest published entry of each game.
    async fn note_pinned(&self, mut pinned: u64, published: u64) -> Result<(), ServiceError> {
        while pinned < published {
            let upto = published.min(pinned + MOST_AT_ONCE as u64);
            self.store.write(Write::of(Change::Tree(TreeChange::Pin { upto }))).await?;
            pinned = upto;
        }
        Ok(())
    }

    /// Returns the tree of this size. Fails unless it extends the published one: nothing else is ever signed.
    async fn shape_after(&self, size: u64, published: Option<&str>) -> Result<Shape, ServiceError> {
        let damaged = |why| ServiceError::Internal(format!("the published checkpoint is damaged: {why}"));
        let before = published.map(|note| Checkpoint::read(note).map_err(damaged)).transpose()?;
        let before = before.map_or_else(Shape::empty, |read| read.shape);
        let (shape, root) = with_tiles(&self.store, |tiles| {
            let mut tree = Tree::new(tiles, size);
            Ok((tree.shape()?, tree.root(before.size)?))
        })
        .await?;
        if root == before.root {
            return Ok(shape);
        }
        Err(ServiceError::Internal(
            "the public tree is damaged: it does not extend the published checkpoint, so nothing more is signed".into(),
        ))
    }
}
