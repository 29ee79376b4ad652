//! That an entry stands in the public tree.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::shelf::with_tiles;
use crate::{
    ledger::encoding::hex,
    service::{
        Service, ServiceError,
        game::Player,
        work::{self, Work},
    },
    store::{Entry, GameKey, Keeper as _, PinnedRow},
    tree::{
        checkpoint::Checkpoint,
        merkle::{Tree, root_by},
        proof,
    },
};

/// Proof that the newest published entry of a game is in the public tree, with the entries that lead to
/// it.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = PinProof))]
pub struct ProofView {
    /// Entry whose head is the leaf.
    pub seq: u64,
    /// A C2SP `tlog-proof`.
    pub proof: String,
    /// Entries after the requested one, up to this one. They connect the head of a receipt to the leaf.
    pub links: Vec<LinkItem>,
}

/// An entry of the public chain.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = PinLink))]
pub struct LinkItem {
    /// Body of the entry, exactly as it was hashed.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub body: Box<RawValue>,
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9a-f]{64}$"))]
    pub x: String,
}

impl Service {
    /// The proof for the newest pinned entry of a game, at or after `seq`.
    pub async fn proof(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        seq: u64,
    ) -> Result<ProofView, ServiceError> {
        let locked = self.visible(uuid, caller).await?;
        let (key, newest) = (locked.game()?.facts.key, locked.game()?.game.seq());
        drop(locked);
        if seq > newest {
            return Err(ServiceError::NoEntry { newest });
        }
        let (pinned, proof) = self.proof_of(key).await?.ok_or(self.not_pinned())?;
        let count = pinned.seq.checked_sub(seq).ok_or(self.not_pinned())?;
        let room = work::admitted(&self.past.room).await?;
        work::charge(Work::Read { entries: count });
        let entries = if count == 0 { Vec::new() } else { self.store.entries(key, seq + 1, count).await? };
        let links = move || {
            let _room = room;
            entries.into_iter().map(link).collect::<Result<Vec<_>, _>>()
        };
        Ok(ProofView { seq: pinned.seq, proof, links: self.aside(links).await? })
    }

    const fn not_pinned(&self) -> ServiceError {
        ServiceError::NotPinned { seconds: self.tree.seconds }
    }

    /// What is pinned of a game, and the proof of it.
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

    /// Whether the checkpoint in a proof has the signatures of all witnesses.
    pub(in crate::service) fn is_witnessed(&self, proof: &str) -> bool {
        proof.split_once("\n\n").is_some_and(|(_, note)| self.tree.missing(note) == 0)
    }
}

fn link(entry: Entry) -> Result<LinkItem, ServiceError> {
    Ok(LinkItem { body: raw(entry.body)?, x: hex(&entry.x) })
}

/// The body of an entry, as it was hashed.
pub fn raw(body: Vec<u8>) -> Result<Box<RawValue>, ServiceError> {
    let damaged = |_| ServiceError::Internal("a stored entry is not text".into());
    let text = String::from_utf8(body).map_err(|error| damaged(error.to_string()))?;
    RawValue::from_string(text).map_err(|error| damaged(error.to_string()))
}
