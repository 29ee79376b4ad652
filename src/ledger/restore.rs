//! The statement of an operator who puts a backup back: where each game that was being played stood in it. It is signed by
//! the key that ends with it and by the one that goes on, so that a history that was lost can be told from a second one.

use std::collections::BTreeSet;

use super::{
    encoding::{hex, unhex},
    receipt::{ReceiptError, check_line},
};
use crate::{
    engine::{Format, hash::Bytes32},
    tree::{note::VerifierKey, signer::Signer},
};

const TITLE: &str = "fairlog restore";
/// Longer input is rejected unread.
const LONGEST: usize = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restore {
    /// The key that signs nothing any more, and the one that does from then on.
    pub ended: VerifierKey,
    pub next: VerifierKey,
    /// Milliseconds since 1970.
    pub at: u64,
    places: BTreeSet<Bytes32>,
}

/// Where a game stood. It tells nobody which game it is who does not have its log. One statement is about
/// games of all formats, and has the tag that it had in the first.
pub fn place(game: &str, seq: u64, head: &Bytes32) -> Bytes32 {
    Format::One.hash("restore", &[game.as_bytes(), &seq.to_be_bytes(), head])
}

impl Restore {
    /// The signed statement.
    pub fn sign(ended: &Signer, next: &Signer, at: u64, places: impl IntoIterator<Item = Bytes32>) -> String {
        let places = places.into_iter().collect();
        let text = Self { ended: ended.verifier_key(), next: next.verifier_key(), at, places }.text();
        format!("{text}\n{}{}", ended.sign_text(&text), next.sign_text(&text))
    }

    fn text(&self) -> String {
        let mut text = format!("{TITLE}\n{}\n{}\n{}\n", self.ended, self.next, self.at);
        for place in &self.places {
            text.push_str(&hex(place));
            text.push('\n');
        }
        text
    }

    /// Reads a statement strictly, and checks that both of its keys signed it. Whether they are to be trusted
    /// is for the reader to say.
    pub fn read(statement: &str) -> Result<Self, ReceiptError> {
        use ReceiptError::NotARestore as Wrong;
        if statement.len() > LONGEST {
            return Err(Wrong("it is too long"));
        }
        let (text, signatures) = statement.split_once("\n\n").ok_or(Wrong("it has no signatures"))?;
        let mut lines = text.split('\n');
        let mut line = || lines.next().ok_or(Wrong("it ends too early"));
        if line()? != TITLE {
            return Err(Wrong("its first line must be `fairlog restore`"));
        }
        let (ended, next) = (line()?.parse()?, line()?.parse()?);
        let at = line()?.parse().map_err(|_| Wrong("its fourth line must be a time"))?;
        let places: Option<BTreeSet<Bytes32>> = lines.map(unhex).collect();
        let places = places.ok_or(Wrong("its other lines must be 64 hex digits each"))?;
        let read = Self { ended, next, at, places };
        let whole = format!("{text}\n");
        if read.text() != whole {
            return Err(Wrong("it is not written plainly, or not in order"));
        }
        let signatures: Vec<&str> = signatures.split_inclusive('\n').collect();
        let [by_ended, by_next] = signatures[..] else { return Err(Wrong("it must have two signatures")) };
        check_line(&read.ended, &whole, by_ended)?;
        check_line(&read.next, &whole, by_next)?;
        Ok(read)
    }

    /// The last entry of a game that was in the backup, if the game was being played then.
    pub fn end_of(&self, game: &str, heads: &[Bytes32]) -> Option<u64> {
        let listed = |(seq, head): &(u64, &Bytes32)| self.places.contains(&place(game, *seq, head));
        (0..).zip(heads).filter(listed).map(|(seq, _)| seq).last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signers() -> (Signer, Signer) {
        (Signer::new("play.example", &[1; 32]).unwrap(), Signer::new("play.example", &[2; 32]).unwrap())
    }

    #[test]
    fn a_statement_is_read_back_and_every_bit_of_it_counts() {
        let (old, new) = signers();
        let heads = [[5; 32], [6; 32], [7; 32]];
        let statement = Restore::sign(&old, &new, 1_800, [place("g", 1, &heads[1]), place("h", 9, &[8; 32])]);
        let read = Restore::read(&statement).unwrap();
        assert_eq!(
            (read.ended.clone(), read.next.clone(), read.at),
            (old.verifier_key(), new.verifier_key(), 1_800)
        );
        assert_eq!((read.end_of("g", &heads), read.end_of("other", &heads)), (Some(1), None));
        for place in 0..statement.len() * 8 {
            let mut bytes = statement.clone().into_bytes();
            bytes[place / 8] ^= 1 << (place % 8);
            let accepted = String::from_utf8(bytes).is_ok_and(|text| Restore::read(&text).is_ok());
            assert!(!accepted, "bit {place}");
        }
    }

    #[test]
    fn nobody_ends_the_key_of_another() {
        let (old, new) = signers();
        let statement = Restore::sign(&old, &new, 1, []);
        let alone = Restore::sign(&new, &new, 1, []);
        let forged = alone.replacen(&new.verifier_key().to_string(), &old.verifier_key().to_string(), 1);
        assert!(Restore::read(&forged).is_err());
        let lines: Vec<&str> = statement.split_inclusive('\n').collect();
        assert!(Restore::read(&lines[..lines.len() - 1].concat()).is_err(), "one signature is not enough");
        assert!(Restore::read(&Restore::sign(&old, &new, 1, [])).is_ok(), "no game was being played");
    }
}
