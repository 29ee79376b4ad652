//! Proofs that a head stands in a public tree (C2SP `tlog-proof`), and the cosignatures of witnesses under it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

use super::receipt::{VerifierKey, unbase64};
use crate::engine::hash::Bytes32;

const TITLE: &str = "c2sp.org/tlog-proof@v1";
const COSIGNATURE: u8 = 4;
/// No reader needs to take more.
const MOST_SIGNATURES: usize = 16;
/// No tree is deeper.
const MOST_HASHES: usize = 63;

/// The key of a witness: `name+hex+base64`, of the type of cosignatures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessKey {
    name: String,
    id: [u8; 4],
    key: VerifyingKey,
}

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

/// A line with which a checkpoint is signed.
struct Line<'p> {
    name: &'p str,
    id: [u8; 4],
    signature: Vec<u8>,
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

impl std::str::FromStr for WitnessKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let mut parts = text.splitn(3, '+');
        let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
            return Err("it must have three parts");
        };
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err("its name is empty, or has white space");
        }
        let bytes = unbase64(key).ok_or("its last part is not base64")?;
        let Some((&COSIGNATURE, public)) = bytes.split_first() else {
            return Err("it is not the key of a witness");
        };
        let public = Bytes32::try_from(public).map_err(|_| "its length is wrong")?;
        let key = VerifyingKey::from_bytes(&public).map_err(|_| "it is no point of the curve")?;
        let found = key_id(name, COSIGNATURE, &public);
        if super::encoding::hex(&found) != id {
            return Err("its parts do not belong together");
        }
        Ok(Self { name: name.to_owned(), id: found, key })
    }
}

fn key_id(name: &str, kind: u8, public: &Bytes32) -> [u8; 4] {
    let mut sha = Sha256::new();
    sha.update(name.as_bytes());
    sha.update([b'\n', kind]);
    sha.update(public);
    let [a, b, c, d, ..]: Bytes32 = sha.finalize().into();
    [a, b, c, d]
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
            for line in self.signatures.iter().filter(|line| line.name == key.name() && line.id == key.id()) {
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
            let Some(witness) = witnesses.iter().find(|key| key.name == line.name && key.id == line.id)
            else {
                continue;
            };
            let at = witness.cosigned(self.text, &line.signature);
            let at =
                at.ok_or_else(|| "the signature of a given witness does not fit its checkpoint".to_owned())?;
            let public = witness.key.to_bytes();
            if !seen.iter().any(|(key, _)| *key == public) {
                seen.push((public, at));
            }
        }
        Ok(seen)
    }
}

impl WitnessKey {
    /// When the witness saw this checkpoint, if the signature is its own.
    fn cosigned(&self, text: &str, signature: &[u8]) -> Option<u64> {
        let (time, signature) = signature.split_first_chunk::<8>()?;
        let signature = Signature::from_bytes(&signature.try_into().ok()?);
        let time = u64::from_be_bytes(*time);
        let message = format!("cosignature/v1\ntime {time}\n{text}");
        self.key.verify_strict(message.as_bytes(), &signature).is_ok().then_some(time)
    }
}

impl<'p> Line<'p> {
    fn read(line: &'p str) -> Result<Self, &'static str> {
        let (name, bytes) = line
            .strip_prefix("— ")
            .and_then(|rest| rest.split_once(' '))
            .ok_or("a signature must be `— name base64`")?;
        let bytes = unbase64(bytes).ok_or("a signature is not base64")?;
        let (id, signature) = bytes.split_first_chunk::<4>().ok_or("a signature is too short")?;
        Ok(Self { name, id: *id, signature: signature.to_vec() })
    }
}

/// A number as it is written plainly.
fn plain(text: &str) -> Option<u64> {
    text.parse().ok().filter(|number: &u64| number.to_string() == text)
}

fn hash_of(line: &str) -> Option<Bytes32> {
    let bytes = STANDARD.decode(line).ok().filter(|bytes| STANDARD.encode(bytes) == line)?;
    bytes.try_into().ok()
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
