//! Proofs that a head is in a public tree (C2SP `tlog-proof`), with cosignatures.

use super::{
    checkpoint::Checkpoint,
    merkle::root_by,
    note::{VerifierKey, WitnessKey, read_hash, read_number, to_base64},
};
use crate::engine::hash::Bytes32;

const TITLE: &str = "c2sp.org/tlog-proof@v1";
/// Bytes of the longest proof.
pub const LONGEST: usize = 16_384;
/// Depth of the deepest tree.
pub const MOST_HASHES: usize = 63;

/// A parsed proof.
pub struct Proof<'p> {
    index: u64,
    hashes: Vec<Bytes32>,
    checkpoint: Checkpoint<'p>,
}

/// The result of a checked proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pinned {
    pub origin: String,
    pub index: u64,
    pub size: u64,
    /// Times at which witnesses saw the tree, in seconds since 1970, by public key.
    pub seen: Vec<(Bytes32, u64)>,
}

/// Returns the proof from a leaf to the root of a signed checkpoint.
pub fn write(index: u64, path: &[Bytes32], checkpoint: &str) -> String {
    let hashes: String = path.iter().map(|hash| to_base64(hash) + "\n").collect();
    format!("{TITLE}\nindex {index}\n{hashes}\n{checkpoint}")
}

impl<'p> Proof<'p> {
    /// Parses a proof strictly. Each proof has one form.
    pub fn read(proof: &'p str) -> Result<Self, &'static str> {
        if proof.len() > LONGEST {
            return Err("it is too long");
        }
        let rest = proof.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix("\nindex "));
        let rest = rest.ok_or("its first lines must be `c2sp.org/tlog-proof@v1` and its index")?;
        let (head, note) = rest.split_once("\n\n").ok_or("it has no checkpoint")?;
        let mut lines = head.split('\n');
        let index = read_number(lines.next().unwrap_or_default()).ok_or("its index is no plain number")?;
        let hashes: Option<Vec<Bytes32>> = lines.map(read_hash).collect();
        let hashes = hashes.ok_or("its hashes must be 32 bytes in base64 each")?;
        let checkpoint = Checkpoint::read(note)?;
        if checkpoint.is_extended {
            return Err("its checkpoint must have three lines");
        }
        if hashes.len() > MOST_HASHES {
            return Err("it is no proof of a tree");
        }
        Ok(Self { index, hashes, checkpoint })
    }

    pub const fn checkpoint(&self) -> &Checkpoint<'p> {
        &self.checkpoint
    }

    /// Fails unless one of these logs has the head, with a quorum of witnesses.
    pub fn check(
        &self,
        head: &Bytes32,
        logs: &[VerifierKey],
        witnesses: &[WitnessKey],
        quorum: usize,
    ) -> Result<Pinned, String> {
        let Self { index, hashes, checkpoint } = self;
        checkpoint.check_log(logs)?;
        let seen = checkpoint.witnessed(witnesses)?;
        let signers = distinct(&seen);
        if signers < quorum {
            return Err(format!(
                "{signers} of the given witnesses have signed it, and {quorum} are asked for"
            ));
        }
        let shape = checkpoint.shape;
        if root_by(head, *index, shape.size, hashes) != Some(shape.root) {
            return Err("its hashes do not lead from the head to the root of the tree".into());
        }
        Ok(Pinned { origin: checkpoint.origin.to_owned(), index: *index, size: shape.size, seen })
    }
}

/// Returns the number of different witnesses.
pub fn distinct(seen: &[(Bytes32, u64)]) -> usize {
    seen.iter().map(|(key, _)| key).collect::<std::collections::BTreeSet<_>>().len()
}
