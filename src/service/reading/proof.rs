//! Proofs that the entries of a game are in the public tree.

use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::Reading;
use crate::{
    ledger::encoding::hex,
    service::{
        ServiceError, aside,
        cost::{self, Work},
        games::Player,
    },
    store::Entry,
};

/// Proof that the newest published entry of a game is in the public tree, with the entries that lead to
/// it.
#[derive(Serialize)]
#[wire]
#[schema(as = PinProof)]
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
#[wire]
#[schema(as = PinLink)]
pub struct LinkItem {
    /// Body of the entry, exactly as it was hashed.
    #[schema(value_type = Object)]
    pub body: Box<RawValue>,
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub x: String,
}

impl Reading {
    /// Returns the proof of the newest published entry of a game, at or after `seq`.
    pub async fn proof(
        &self,
        uuid: Uuid,
        caller: Option<&Player>,
        seq: u64,
    ) -> Result<ProofView, ServiceError> {
        let locked = self.games.visible(uuid, caller).await?;
        let (key, newest) = (locked.game()?.facts.key, locked.game()?.game.seq());
        drop(locked);
        if seq > newest {
            return Err(ServiceError::NoEntry { newest });
        }
        let (pinned, proof) = self.tree.proof_of(key).await?.ok_or(self.not_pinned())?;
        let count = pinned.seq.checked_sub(seq).ok_or(self.not_pinned())?;
        let room = cost::admitted(&self.past.room).await?;
        cost::charge(Work::Read { entries: count });
        let entries = if count == 0 { Vec::new() } else { self.store.entries(key, seq + 1, count).await? };
        let links = move || {
            let _room = room;
            entries.into_iter().map(link).collect::<Result<Vec<_>, _>>()
        };
        Ok(ProofView { seq: pinned.seq, proof, links: aside(links).await? })
    }

    fn not_pinned(&self) -> ServiceError {
        ServiceError::NotPinned { seconds: self.tree.seconds }
    }
}

fn link(entry: Entry) -> Result<LinkItem, ServiceError> {
    Ok(LinkItem { body: raw(entry.body)?, x: hex(&entry.x) })
}

/// Returns the body of an entry, as it was hashed.
pub fn raw(body: Vec<u8>) -> Result<Box<RawValue>, ServiceError> {
    let damaged = |_| ServiceError::Internal("a stored entry is not text".into());
    let text = String::from_utf8(body).map_err(|error| damaged(error.to_string()))?;
    RawValue::from_string(text).map_err(|error| damaged(error.to_string()))
}
