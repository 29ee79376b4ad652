//! Restore statements: an operator restored a backup. Old keys end and new keys begin, so readers can tell an
//! honest restore from a forked history.

use std::collections::BTreeSet;

use super::{
    encoding::{hex, unhex},
    receipt::{ReceiptError, check_line},
};
use crate::{
    engine::{Format, hash::Bytes32},
    tree::{
        note::{VerifierKey, read_hash, read_number, to_base64},
        signer::Signer,
    },
};

const TITLE: &str = "fairlog/3 restore";
/// Longer input is rejected unread.
const LONGEST: usize = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restore {
    /// The old and the new key of receipts.
    pub receipts: Succession,
    /// The old and the new key of the public tree.
    pub tree: Succession,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Leaves of the tree in the backup, and its root.
    pub leaves: u64,
    root: Bytes32,
    places: BTreeSet<Bytes32>,
}

/// An old key and its successor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Succession {
    pub ended: VerifierKey,
    pub begun: VerifierKey,
}

/// The signers of both keys of a succession.
#[derive(Clone, Copy)]
pub struct Signers<'s> {
    pub ended: &'s Signer,
    pub begun: &'s Signer,
}

/// The tree in the backup.
#[derive(Clone, Copy)]
pub struct BackedUp {
    pub leaves: u64,
    pub root: Bytes32,
}

impl Signers<'_> {
    fn succession(self) -> Succession {
        Succession { ended: self.ended.verifier_key(), begun: self.begun.verifier_key() }
    }
}

/// Returns a hash of a game's position in the backup. It reveals nothing without the log of the game.
pub fn place(game: &str, seq: u64, head: &Bytes32) -> Bytes32 {
    Format::Three.hash("restore", &[game.as_bytes(), &seq.to_be_bytes(), head])
}

impl Restore {
    /// The signed statement.
    pub fn sign(
        receipts: Signers,
        tree: Signers,
        at: u64,
        BackedUp { leaves, root }: BackedUp,
        places: impl IntoIterator<Item = Bytes32>,
    ) -> String {
        let places = places.into_iter().collect();
        let (of_receipts, of_tree) = (receipts.succession(), tree.succession());
        let text = Self { receipts: of_receipts, tree: of_tree, at, leaves, root, places }.text();
        let lines =
            [receipts.ended, receipts.begun, tree.ended, tree.begun].map(|signer| signer.sign_text(&text));
        format!("{text}\n{}", lines.concat())
    }

    fn keys(&self) -> [&VerifierKey; 4] {
        [&self.receipts.ended, &self.receipts.begun, &self.tree.ended, &self.tree.begun]
    }

    fn text(&self) -> String {
        let [a, b, c, d] = self.keys();
        let root = to_base64(&self.root);
        let mut text = format!("{TITLE}\n{a}\n{b}\n{c}\n{d}\n{}\n{}\n{root}\n", self.at, self.leaves);
        for place in &self.places {
            text.push_str(&hex(place));
            text.push('\n');
        }
        text
    }

    /// Reads a statement strictly, and checks the signatures of all its keys. Trust in the keys is up to the
    /// reader.
    pub fn read(statement: &str) -> Result<Self, ReceiptError> {
        use ReceiptError::NotARestore as Wrong;
        if statement.len() > LONGEST {
            return Err(Wrong("it is too long"));
        }
        let (text, signatures) = statement.split_once("\n\n").ok_or(Wrong("it has no signatures"))?;
        let mut lines = text.split('\n');
        let mut line = || lines.next().ok_or(Wrong("it ends too early"));
        if line()? != TITLE {
            return Err(Wrong("its first line must be `fairlog/3 restore`"));
        }
        let receipts = Succession { ended: line()?.parse()?, begun: line()?.parse()? };
        let tree = Succession { ended: line()?.parse()?, begun: line()?.parse()? };
        let at = read_number(line()?).ok_or(Wrong("its sixth line must be a time"))?;
        let leaves = read_number(line()?).ok_or(Wrong("its seventh line must be a number of leaves"))?;
        let root = read_hash(line()?).ok_or(Wrong("its eighth line must be a root in base64"))?;
        let places: Option<BTreeSet<Bytes32>> = lines.map(unhex).collect();
        let places = places.ok_or(Wrong("its other lines must be 64 hex digits each"))?;
        let read = Self { receipts, tree, at, leaves, root, places };
        let whole = format!("{text}\n");
        if read.text() != whole {
            return Err(Wrong("its places are not ascending, or are there twice"));
        }
        let keys = read.keys();
        let publics: BTreeSet<&Bytes32> = keys.iter().map(|key| key.public()).collect();
        if publics.len() < keys.len() || read.tree.ended.name() == read.tree.begun.name() {
            return Err(Wrong("its keys, and the names of its trees, must differ"));
        }
        let signatures: Vec<&str> = signatures.split_inclusive('\n').collect();
        if signatures.len() != keys.len() {
            return Err(Wrong("it must have four signatures"));
        }
        keys.iter().zip(signatures).try_for_each(|(key, line)| check_line(key, &whole, line))?;
        Ok(read)
    }

    /// Returns the newest entry of a history that the statement has.
    pub fn last_place(&self, game: &str, heads: &[Bytes32]) -> Option<u64> {
        let is_place = |(seq, head): &(u64, &Bytes32)| self.places.contains(&place(game, *seq, head));
        (0..).zip(heads).filter(is_place).map(|(seq, _)| seq).last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: BackedUp = BackedUp { leaves: 3, root: [9; 32] };

    fn signers() -> [Signer; 4] {
        let name = ["play.example", "play.example", "play.example/tlog", "play.example/tlog/2"];
        std::array::from_fn(|n| Signer::new(name[n], &[u8::try_from(n + 1).unwrap(); 32]).unwrap())
    }

    fn sign([a, b, c, d]: &[Signer; 4], places: impl IntoIterator<Item = Bytes32>) -> String {
        Restore::sign(Signers { ended: a, begun: b }, Signers { ended: c, begun: d }, 1_800, TREE, places)
    }

    #[test]
    fn a_statement_is_read_back_and_every_bit_of_it_counts() {
        let signers = signers();
        let heads = [[5; 32], [6; 32], [7; 32]];
        let statement = sign(&signers, [place("g", 1, &heads[1]), place("h", 9, &[8; 32])]);
        let read = Restore::read(&statement).unwrap();
        assert_eq!(read.keys().map(Clone::clone), signers.each_ref().map(Signer::verifier_key));
        assert_eq!((read.at, read.leaves), (1_800, 3));
        assert_eq!((read.last_place("g", &heads), read.last_place("other", &heads)), (Some(1), None));
        for place in 0..statement.len() * 8 {
            let mut bytes = statement.clone().into_bytes();
            bytes[place / 8] ^= 1 << (place % 8);
            let accepted = String::from_utf8(bytes).is_ok_and(|text| Restore::read(&text).is_ok());
            assert!(!accepted, "bit {place}");
        }
    }

    #[test]
    fn all_four_keys_sign_and_differ() {
        let statement = sign(&signers(), []);
        assert!(Restore::read(&statement).is_ok(), "no game was being played");
        let lines: Vec<&str> = statement.split_inclusive('\n').collect();
        assert!(
            Restore::read(&lines[..lines.len() - 1].concat()).is_err(),
            "three signatures are not enough"
        );
        let other = |place: usize, name: &str, secret: u8| {
            let mut signers = signers();
            signers[place] = Signer::new(name, &[secret; 32]).unwrap();
            Restore::read(&sign(&signers, []))
        };
        assert!(other(1, "play.example", 7).is_ok());
        assert!(other(1, "play.example", 1).is_err(), "one key is there twice");
        assert!(other(3, "play.example/tlog", 7).is_err(), "two trees have one name");
    }
}
