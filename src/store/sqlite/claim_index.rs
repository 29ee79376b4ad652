//! The rows of claims, by digest.

use std::collections::HashMap;

/// Size of a generation. A full generation replaces the one before.
const GENERATION: usize = KNOWN as usize / 2;
/// Most claims in the index.
pub const KNOWN: u32 = 2_000_000;

/// The newest claims, in two generations.
#[derive(Default, Debug)]
pub struct ClaimIndex {
    newer: HashMap<[u8; 16], ClaimPosition>,
    older: HashMap<[u8; 16], ClaimPosition>,
    /// First row of each generation.
    newer_from: i64,
    older_from: i64,
}

/// Row and time of a claim, in the log or in the table of swept claims.
#[derive(Clone, Copy, Debug)]
struct ClaimPosition {
    row: i64,
    at: u64,
}

impl ClaimIndex {
    pub fn push(&mut self, digest: &[u8; 16], row: i64, at: u64) {
        if self.newer.len() == GENERATION {
            self.older = std::mem::take(&mut self.newer);
            self.older_from = self.newer_from;
        }
        if self.newer.is_empty() {
            self.newer_from = row;
        }
        // Reserves all memory at once: growing would delay a commit.
        self.newer.reserve(GENERATION - self.newer.len());
        self.newer.insert(*digest, ClaimPosition { row, at });
    }

    /// Returns the first row whose claim may be in the index.
    pub const fn first(&self) -> i64 {
        self.older_from
    }

    /// Returns the row of a claim that is not older than `fresh_since`.
    pub fn row(&self, digest: &[u8; 16], fresh_since: u64) -> Option<i64> {
        let standing = self.newer.get(digest).or_else(|| self.older.get(digest))?;
        (standing.at >= fresh_since).then_some(standing.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_the_newest_million_are_known() {
        let mut index = ClaimIndex::default();
        let digest = |number: u64| {
            let mut digest = [0; 16];
            digest[..8].copy_from_slice(&number.to_be_bytes());
            digest
        };
        let count = 5 * GENERATION as u64 / 2;
        for number in 0..count {
            index.push(&digest(number), number.cast_signed(), number);
        }
        let known = |number| index.row(&digest(number), 0) == Some(number.cast_signed());
        assert!((count - GENERATION as u64..count).all(known));
        assert!(!known(0), "and not all that there ever were");
        assert_eq!(index.row(&digest(count - 1), count), None, "what is too old counts no more");
        assert!(index.newer.len() + index.older.len() <= 2 * GENERATION);
    }
}
