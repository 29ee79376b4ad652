//! Receipts: C2SP signed notes with Ed25519 signatures.

use std::fmt::Write as _;

use super::encoding::{hex, is_id, unhex};
use crate::{
    engine::hash::Bytes32,
    tree::{
        note::{Line, NotAKey, VerifierKey, read_number},
        signer::Signer,
    },
};

/// The most bytes of a receipt.
pub const LONGEST: usize = 1024;
/// Few notes are longer.
const USUAL: usize = 320;

/// The statement of a receipt: the log of this game has this entry, with this history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    pub game: String,
    pub seq: u64,
    /// The time of the entry.
    pub at: u64,
    pub head: Bytes32,
}

/// The first line.
const TITLE: &str = "fairlog/3 receipt";

/// A receipt with its signature, read but not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub receipt: Receipt,
    signer: String,
    key_id: [u8; 4],
    signature: [u8; 64],
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReceiptError {
    #[error("not a receipt of fairlog/3: {0}")]
    NotAReceipt(&'static str),
    #[error("not a restore statement: {0}")]
    NotARestore(&'static str),
    #[error("{0}")]
    NotAKey(#[from] NotAKey),
    #[error("the signature is by `{0}`, whose key was not given")]
    UnknownSigner(String),
    #[error("the signature does not fit the text")]
    WrongSignature,
}

impl Receipt {
    fn text(&self) -> String {
        // There is room for the signature too.
        let mut text = String::with_capacity(USUAL);
        let Self { game, seq, at, head } = self;
        // Writing to a `String` never fails.
        let _ = write!(text, "{TITLE}\n{game}\n{seq}\n{at}\n{}\n", hex(head));
        text
    }
}

impl Note {
    /// Reads a note strictly. Each receipt has exactly one text.
    pub fn read(note: &str) -> Result<Self, ReceiptError> {
        use ReceiptError::NotAReceipt as Wrong;
        if note.len() > LONGEST {
            return Err(Wrong("it is too long"));
        }
        let lines: Vec<&str> = note.split('\n').collect();
        let [TITLE, game, seq, at, head, "", signature, ""] = lines[..] else {
            return Err(Wrong(
                "it must have five lines, the first `fairlog/3 receipt`, an empty one, and one signature",
            ));
        };
        if !is_id(game) {
            return Err(Wrong("its second line must be the id of a game"));
        }
        let receipt = Receipt {
            game: game.to_owned(),
            seq: read_number(seq).ok_or(Wrong("its third line must be a seq"))?,
            at: read_number(at).ok_or(Wrong("its fourth line must be a time"))?,
            head: unhex(head).ok_or(Wrong("its fifth line must be a head in hex"))?,
        };
        let Line { name, id, signature } = Line::read(signature).map_err(Wrong)?;
        let signature = signature.try_into().map_err(|_| Wrong("its signature has a wrong length"))?;
        Ok(Self { receipt, signer: name.to_owned(), key_id: id, signature })
    }

    /// Checks the signature, and returns the key that signed.
    pub fn check<'k>(&self, keys: &'k [VerifierKey]) -> Result<(&Receipt, &'k VerifierKey), ReceiptError> {
        let made_it = |key: &&VerifierKey| key.is_named(&self.signer, self.key_id);
        let key = keys
            .iter()
            .find(made_it)
            .ok_or_else(|| ReceiptError::UnknownSigner(crate::engine::malformed::clip(&self.signer)))?;
        if !key.signed(self.receipt.text().as_bytes(), &self.signature) {
            return Err(ReceiptError::WrongSignature);
        }
        Ok((&self.receipt, key))
    }
}

impl Signer {
    /// Returns the signed note. It may leave only after its entry is durable.
    ///
    /// ```
    /// use playledger_core::{ledger::receipt::{Note, Receipt}, tree::signer::Signer};
    ///
    /// let server = Signer::new("example.org", &[7; 32]).unwrap();
    /// let game = "01890a5d-ac96-774b-bcce-b302099a8057".to_owned();
    /// let receipt = Receipt { game, seq: 3, at: 1_800_000_000_000, head: [9; 32] };
    ///
    /// let note = Note::read(&server.sign(&receipt)).unwrap();
    /// let keys = [server.verifier_key()];
    /// let (checked, key) = note.check(&keys).unwrap();
    /// assert_eq!((checked, key.name()), (&receipt, "example.org"));
    /// ```
    pub fn sign(&self, receipt: &Receipt) -> String {
        let mut note = receipt.text();
        self.sign_note(&mut note);
        note
    }
}

/// Checks the signature line of a text. The line ends with a line feed.
pub fn check_line(key: &VerifierKey, text: &str, line: &str) -> Result<(), ReceiptError> {
    let line = line.strip_suffix('\n').ok_or(ReceiptError::NotARestore("a signature has no end"))?;
    let Line { name, id, signature } = Line::read(line).map_err(ReceiptError::NotARestore)?;
    if !key.is_named(name, id) {
        return Err(ReceiptError::UnknownSigner(crate::engine::malformed::clip(name)));
    }
    if key.signed(text.as_bytes(), &signature) { Ok(()) } else { Err(ReceiptError::WrongSignature) }
}

#[cfg(test)]
mod tests {
    use data_encoding::BASE64;

    use super::*;

    fn signer() -> Signer {
        Signer::new("play.example", &[5; 32]).unwrap()
    }

    fn receipt() -> Receipt {
        Receipt { game: "g-1".into(), seq: 12, at: 1_790_000_000_000, head: [0xab; 32] }
    }

    #[test]
    fn a_note_is_read_back_and_checked() {
        let note = signer().sign(&receipt());
        let read = Note::read(&note).unwrap();
        assert_eq!(read.check(&[signer().verifier_key()]), Ok((&receipt(), &signer().verifier_key())));
    }

    #[test]
    fn every_single_bit_of_a_note_counts() {
        let note = signer().sign(&receipt());
        let keys = [signer().verifier_key()];
        for place in 0..note.len() * 8 {
            let mut bytes = note.clone().into_bytes();
            bytes[place / 8] ^= 1 << (place % 8);
            let accepted = String::from_utf8(bytes)
                .is_ok_and(|text| Note::read(&text).is_ok_and(|note| note.check(&keys).is_ok()));
            assert!(!accepted, "bit {place}");
        }
    }

    #[test]
    fn another_way_to_write_a_note_is_none() {
        let note = signer().sign(&receipt());
        for other in [
            note.replace("\n12\n", "\n+12\n"),
            note.replace("\n12\n", "\n012\n"),
            note.trim_end().to_owned(),
            format!("{note}\n"),
            note.replace("— ", "- "),
            note.replace('\n', "\r\n"),
            "x".repeat(5000),
        ] {
            assert!(matches!(Note::read(&other), Err(ReceiptError::NotAReceipt(_))), "{other}");
        }
    }

    #[test]
    fn a_note_has_at_most_1024_bytes() {
        let note = |name: usize| Signer::new(&"n".repeat(name), &[5; 32]).unwrap().sign(&receipt());
        let room = LONGEST - note(1).len() + 1;
        assert!(Note::read(&note(room)).is_ok());
        assert_eq!(Note::read(&note(room + 1)), Err(ReceiptError::NotAReceipt("it is too long")));
    }

    #[test]
    fn a_name_is_one_word_without_a_plus_sign() {
        for wrong in ["", "a b", "a\u{a0}b", "a\u{7}", "a+b"] {
            assert!(Signer::new(wrong, &[5; 32]).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn another_key_does_not_do() {
        let note = Note::read(&signer().sign(&receipt())).unwrap();
        let stranger = Signer::new("play.example", &[6; 32]).unwrap().verifier_key();
        assert_eq!(note.check(&[stranger]), Err(ReceiptError::UnknownSigner("play.example".into())));
        assert!(note.check(&[]).is_err());
    }

    #[test]
    fn keys_are_written_and_read() {
        let signer = signer();
        let public = signer.verifier_key().to_string();
        assert_eq!(public.parse::<VerifierKey>(), Ok(signer.verifier_key()));
        assert!(!public.contains(&BASE64.encode(&[5; 32])));
        let kept = Signer::from_secret_text(&signer.to_secret_text()).unwrap();
        assert_eq!(kept.verifier_key(), signer.verifier_key());
        assert_eq!(format!("{kept:?}"), "Signer(play.example, secret)");
        for wrong in
            ["", "a+b", "a b+00000000+AQ==", &public.replace("play", "clay"), &public[..public.len() - 4]]
        {
            assert!(wrong.parse::<VerifierKey>().is_err(), "{wrong}");
        }
    }

    /// The example key of the C2SP signed-note specification's reference implementation.
    #[test]
    fn the_key_id_is_that_of_signed_notes() {
        let known = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
        let key: VerifierKey = known.parse().unwrap();
        assert_eq!(key.to_string(), known);
    }
}
