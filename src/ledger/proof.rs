//! Proofs that a head stands in a public tree (C2SP `tlog-proof`), and the cosignatures of witnesses under it.

use sha2::{Digest as _, Sha256};

use super::note::{Line, VerifierKey, WitnessKey, unbase64};
use crate::engine::hash::Bytes32;

const TITLE: &str = "c2sp.org/tlog-proof@v1";
/// No reader needs to take more.
const MOST_SIGNATURES: usize = 16;
/// No tree is deeper.
const MOST_HASHES: usize = 63;

/// A proof that was read.
pub struct Proof<'p> {
    index: u64,
    hashes: Vec<Bytes32>,
    /// The three lines of the checkpoint, with their line feeds.
    text: &'p str,
    origin: &'p str,
    size: u64,
    root: Bytes32,
    signatures: Vec<Line<'p>>,
}

/// What a proof shows once it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pinned {
    pub origin: String,
    pub index: u64,
    pub size: u64,
    /// When each witness says that it saw the tree, in seconds since 1970.
    pub seen: Vec<u64>,
}

impl<'p> Proof<'p> {
    /// Reads a proof strictly: there is one way to write each.
    pub fn read(proof: &'p str) -> Result<Self, &'static str> {
        let rest = proof.strip_prefix(TITLE).and_then(|rest| rest.strip_prefix("\nindex "));
        let rest = rest.ok_or("its first lines must be `c2sp.org/tlog-proof@v1` and its index")?;
        let (head, note) = rest.split_once("\n\n").ok_or("it has no checkpoint")?;
        let mut lines = head.split('\n');
        let index = plain(lines.next().unwrap_or_default()).ok_or("its index is no plain number")?;
        let hashes: Option<Vec<Bytes32>> = lines.map(hash_of).collect();
        let hashes = hashes.ok_or("its hashes must be 32 bytes in base64 each")?;
        let (text, signatures) = note.split_once("\n\n").ok_or("its checkpoint is not signed")?;
        let [origin, size, root] = text.split('\n').collect::<Vec<_>>()[..] else {
            return Err("its checkpoint must have three lines");
        };
        if hashes.len() > MOST_HASHES || origin.is_empty() {
            return Err("it is no proof of a tree");
        }
        let signatures = signatures.strip_suffix('\n').ok_or("it does not end with a line")?;
        let signatures: Result<Vec<Line>, _> = signatures.split('\n').map(Line::read).collect();
        let signatures = signatures?;
        if signatures.len() > MOST_SIGNATURES {
            return Err("it has more than 16 signatures");
        }
        Ok(Self {
            index,
            hashes,
            text: &note[..=text.len()],
            origin,
            size: plain(size).ok_or("the size of its tree is no plain number")?,
            root: hash_of(root).ok_or("its root must be 32 bytes in base64")?,
            signatures,
        })
    }

    /// Checks that the tree of one of these logs holds the head, and that so many of the witnesses have seen it.
    pub fn check(
        &self,
        head: &Bytes32,
        logs: &[VerifierKey],
        witnesses: &[WitnessKey],
        quorum: usize,
    ) -> Result<Pinned, String> {
        let of_origin = logs.iter().filter(|key| key.name() == self.origin);
        let mut is_signed = false;
        for key in of_origin {
            for line in self.signatures.iter().filter(|line| key.is_named(line.name, line.id)) {
                if !key.signed(self.text.as_bytes(), &line.signature) {
                    return Err("the log\'s signature does not fit its checkpoint".into());
                }
                is_signed = true;
            }
        }
        if !is_signed {
            return Err("its checkpoint is not signed by a given key of its log".into());
        }
        let seen = self.witnessed(witnesses)?;
        if seen.len() < quorum {
            return Err(format!(
                "{} of the given witnesses have signed it, and {quorum} are asked for",
                seen.len()
            ));
        }
        if root(head, self.index, self.size, &self.hashes) != Some(self.root) {
            return Err(
                "its hashes do not lead from the head of this game\'s end to the root of the tree".into()
            );
        }
        let Self { index, size, .. } = *self;
        Ok(Pinned {
            origin: self.origin.to_owned(),
            index,
            size,
            seen: seen.into_iter().map(|(_, at)| at).collect(),
        })
    }

    /// The given witnesses, each counted once by its public key, and when each has seen the tree.
    fn witnessed(&self, witnesses: &[WitnessKey]) -> Result<Vec<(Bytes32, u64)>, String> {
        let mut seen: Vec<(Bytes32, u64)> = Vec::new();
        for line in &self.signatures {
            let Some(witness) = witnesses.iter().find(|key| key.is_named(line.name, line.id)) else {
                continue;
            };
            let at = cosigned(witness, self.text, &line.signature);
            let at =
                at.ok_or_else(|| "the signature of a given witness does not fit its checkpoint".to_owned())?;
            let public = *witness.public();
            if !seen.iter().any(|(key, _)| *key == public) {
                seen.push((public, at));
            }
        }
        Ok(seen)
    }
}

/// When the witness saw this checkpoint, if the signature is its own.
fn cosigned(witness: &WitnessKey, text: &str, signature: &[u8]) -> Option<u64> {
    let (time, signature) = signature.split_first_chunk::<8>()?;
    let time = u64::from_be_bytes(*time);
    let message = format!("cosignature/v1\ntime {time}\n{text}");
    witness.signed(message.as_bytes(), signature).then_some(time)
}

/// A number as it is written plainly.
fn plain(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

fn hash_of(line: &str) -> Option<Bytes32> {
    unbase64(line)?.try_into().ok()
}

/// The root of the tree of this size in which the leaf stands at the index (RFC 9162, section 2.1.3.2).
fn root(leaf: &Bytes32, index: u64, size: u64, hashes: &[Bytes32]) -> Option<Bytes32> {
    if index >= size {
        return None;
    }
    let (mut place, mut last, mut node) = (index, size - 1, of_leaf(leaf));
    for hash in hashes {
        if last == 0 {
            return None;
        }
        if place & 1 == 1 || place == last {
            node = of_children(hash, &node);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            node = of_children(&node, hash);
        }
        place >>= 1;
        last >>= 1;
    }
    (last == 0).then_some(node)
}

fn of_leaf(leaf: &Bytes32) -> Bytes32 {
    let mut sha = Sha256::new();
    sha.update([0]);
    sha.update(leaf);
    sha.finalize().into()
}

fn of_children(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    let mut sha = Sha256::new();
    sha.update([1]);
    sha.update(left);
    sha.update(right);
    sha.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree built in the plain way, and the hashes from a leaf to its root.
    fn tree(leaves: &[Bytes32]) -> Bytes32 {
        if let [leaf] = leaves {
            return of_leaf(leaf);
        }
        let half = leaves.len().next_power_of_two() / 2;
        of_children(&tree(&leaves[..half]), &tree(&leaves[half..]))
    }

    fn path(leaves: &[Bytes32], index: usize) -> Vec<Bytes32> {
        if leaves.len() == 1 {
            return Vec::new();
        }
        let half = leaves.len().next_power_of_two() / 2;
        let (mut path, sibling) = if index < half {
            (path(&leaves[..half], index), tree(&leaves[half..]))
        } else {
            (path(&leaves[half..], index - half), tree(&leaves[..half]))
        };
        path.push(sibling);
        path
    }

    #[test]
    fn every_leaf_of_every_small_tree_leads_to_its_root() {
        for size in 1_u8..=33 {
            let leaves: Vec<Bytes32> = (0..size).map(|byte| [byte; 32]).collect();
            let expected = tree(&leaves);
            for index in 0..size {
                let path = path(&leaves, index.into());
                let found =
                    |leaf: u8, index: u64, hashes: &[Bytes32]| root(&[leaf; 32], index, size.into(), hashes);
                assert_eq!(found(index, index.into(), &path), Some(expected), "{index} of {size}");
                assert_ne!(found(index ^ 64, index.into(), &path), Some(expected));
                assert_ne!(found(index, u64::from(index) + 1, &path), Some(expected));
                let longer = [&path[..], &[[9; 32]]].concat();
                assert_ne!(found(index, index.into(), &longer), Some(expected));
                if let Some((_, shorter)) = path.split_last() {
                    assert_ne!(found(index, index.into(), shorter), Some(expected));
                }
            }
        }
    }
}
