//! The hash chain. The `head` of an entry covers its body, its secret and all earlier entries.

use super::{
    encoding::canonical,
    entry::{Body, write_secret},
    seed::ServerSeed,
};
use crate::engine::{Draw, Format, Malformed, hash::Bytes32};

/// A linked entry: the hashed bytes, and the hashes.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    pub seq: u64,
    pub at: u64,
    pub body: Vec<u8>,
    pub secret: Option<Vec<u8>>,
    /// Stands for the secret in the public chain.
    pub x: Bytes32,
    pub head: Bytes32,
    /// Whether the head always goes into the public tree.
    pub is_landmark: bool,
}

/// Returns whether the head of the entry is always in the public tree. The join that fills the table is too,
/// but its body alone does not show that.
const fn is_landmark(body: &Body) -> bool {
    matches!(body, Body::Genesis(_) | Body::Start | Body::End(_))
}

/// The end of a log, for linking the next entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    format: Format,
    next: u64,
    at: u64,
    head: Bytes32,
}

impl Link {
    /// Returns the parts of the entry in a replay document: body and secret.
    pub fn parts(&self) -> (&[u8], Option<&[u8]>) {
        (&self.body, self.secret.as_deref())
    }
}

impl Chain {
    /// The end of a log without entries.
    pub const fn new(format: Format) -> Self {
        Self { format, next: 0, at: 0, head: [0; 32] }
    }

    /// Returns the end of a log with this newest entry.
    pub const fn after(format: Format, seq: u64, at: u64, head: Bytes32) -> Self {
        Self { format, next: seq + 1, at, head }
    }

    pub const fn format(&self) -> Format {
        self.format
    }

    /// The seq of the next entry: how many there are.
    pub const fn next_seq(&self) -> u64 {
        self.next
    }

    /// The time of the newest entry.
    pub const fn at(&self) -> u64 {
        self.at
    }

    pub const fn head(&self) -> &Bytes32 {
        &self.head
    }

    /// Writes the next entry. Time never goes back within a game, even if the clock does.
    pub fn append(
        &mut self,
        seed: &ServerSeed,
        now: u64,
        body: &Body,
        draws: &[Draw],
    ) -> Result<Link, Malformed> {
        let (seq, at) = (self.next, now.max(self.at));
        let secret = write_secret(draws, body.plan()).as_ref().map(canonical).transpose()?;
        let bytes = body.write(self.format, seq, at)?;
        let x = seed.blind(seq, secret.as_deref());
        let head = self.follow(&bytes, &x);
        self.at = at;
        Ok(Link { seq, at, body: bytes, secret, x, head, is_landmark: is_landmark(body) })
    }

    /// Takes an entry into the chain and gives its head.
    pub fn follow(&mut self, body: &[u8], x: &Bytes32) -> Bytes32 {
        let leaf = self.format.hash("leaf", &[body, x]);
        self.head = self.format.hash("head", &[&self.head, &leaf]);
        self.next += 1;
        self.head
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_goes_on_from_where_its_log_ends() {
        let seed = ServerSeed::new([1; 32]);
        let mut whole = Chain::new(Format::Three);
        let first = whole.append(&seed, 20, &Body::void(), &[]).unwrap();
        let mut resumed = Chain::after(Format::Three, first.seq, first.at, first.head);
        assert_eq!((resumed.next_seq(), &resumed), (1, &whole));
        let next = |chain: &mut Chain| chain.append(&seed, 10, &Body::Start, &[]).unwrap();
        let (next, again) = (next(&mut whole), next(&mut resumed));
        assert_eq!((next.seq, next.at, next.head), (again.seq, again.at, again.head));
        assert_eq!((next.seq, next.at), (1, 20), "time does not go back");
    }
}
