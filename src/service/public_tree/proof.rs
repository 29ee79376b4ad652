//! Proofs that an entry is in the public tree.

use super::{PublicTree, tile_cache::with_tiles};
use crate::{
    service::ServiceError,
    store::{GameKey, PinnedRow},
    tree::{
        checkpoint::Checkpoint,
        merkle::{Tree, root_by},
        proof,
    },
};

impl PublicTree {
    /// Returns the newest published entry of a game, with its proof.
    pub(in crate::service) async fn proof_of(
        &self,
        game: GameKey,
    ) -> Result<Option<(PinnedRow, String)>, ServiceError> {
        let Some(pinned) = self.store.pinned(game).await? else { return Ok(None) };
        let Some((size, note)) = self.published().await? else { return Ok(None) };
        let path = with_tiles(&self.store, |tiles| Tree::new(tiles, size).path(pinned.leaf)).await?;
        let root = root_by(&pinned.head, pinned.leaf, size, &path);
        if root.is_none() || root != Checkpoint::read(&note).ok().map(|read| read.shape.root) {
            return Err(ServiceError::Internal(format!(
                "the public tree is damaged near leaf {}",
                pinned.leaf
            )));
        }
        Ok(Some((pinned, proof::write(pinned.leaf, &path, &note))))
    }

    /// Returns whether the checkpoint of a proof has the signatures of all witnesses.
    pub(in crate::service) fn is_witnessed(&self, proof: &str) -> bool {
        proof.split_once("\n\n").is_some_and(|(_, note)| self.missing(note) == 0)
    }
}
