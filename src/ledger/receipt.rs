//! Receipts: C2SP signed notes with Ed25519 signatures.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use ed25519_dalek::{Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

use super::{
    encoding::{hex, unhex},
    secret_key::SecretKey,
};
use crate::engine::{Format, hash::Bytes32};

const ED25519: u8 = 1;
/// Longer input is rejected unread.
const LONGEST: usize = 1024;

/// What a receipt says: that this entry stands in this game's log, and everything before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    pub format: Format,
    pub game: String,
    pub seq: u64,
    pub head: Bytes32,
}

/// A receipt with its signature, read but not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub receipt: Receipt,
    signer: String,
    key_id: [u8; 4],
    signature: [u8; 64],
}

/// The server's own key. It is never printed.
pub struct Signer {
    name: String,
    id: [u8; 4],
    key: SecretKey,
}

/// The public half of a signer, for checking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifierKey {
    name: String,
    id: [u8; 4],
    key: VerifyingKey,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReceiptError {
    #[error("not a receipt of fairlog/1 or fairlog/2: {0}")]
    NotAReceipt(&'static str),
    #[error("not the statement of a restore: {0}")]
    NotARestore(&'static str),
    #[error("not a verifier key of the form name+hex+base64: {0}")]
    NotAKey(&'static str),
    #[error("the signature is by `{0}`, whose key was not given")]
    UnknownSigner(String),
    #[error("the signature does not fit the text")]
    WrongSignature,
}

impl Receipt {
    fn text(&self) -> String {
        format!("{} receipt\n{}\n{}\n{}\n", self.format.name(), self.game, self.seq, hex(&self.head))
    }
}

impl Note {
    /// Reads a note strictly: there is one way to write each.
    pub fn read(note: &str) -> Result<Self, ReceiptError> {
        use ReceiptError::NotAReceipt as Wrong;
        if note.len() > LONGEST {
            return Err(Wrong("it is too long"));
        }
        let lines: Vec<&str> = note.split('\n').collect();
        let [title, game, seq, head, "", signature, ""] = lines[..] else {
            return Err(Wrong("it must have four lines, an empty one, and one signature"));
        };
        let format = title.strip_suffix(" receipt").and_then(Format::named);
        let format =
            format.ok_or(Wrong("its first line must be `fairlog/1 receipt` or `fairlog/2 receipt`"))?;
        let number: u64 = seq.parse().map_err(|_| Wrong("its third line must be a seq"))?;
        let receipt = Receipt {
            format,
            game: game.to_owned(),
            seq: number,
            head: unhex(head).ok_or(Wrong("its fourth line must be a head in hex"))?,
        };
        let Signed { signer, key_id, signature } = Signed::read(signature).map_err(Wrong)?;
        if receipt.text() != format!("{title}\n{game}\n{seq}\n{head}\n") {
            return Err(Wrong("its seq is not written plainly"));
        }
        Ok(Self { receipt, signer: signer.to_owned(), key_id, signature })
    }

    /// Checks the signature against the key among these that made it, and says which.
    pub fn check<'k>(&self, keys: &'k [VerifierKey]) -> Result<(&Receipt, &'k VerifierKey), ReceiptError> {
        let made_it = |key: &&VerifierKey| key.id == self.key_id && key.name == self.signer;
        let key = keys
            .iter()
            .find(made_it)
            .ok_or_else(|| ReceiptError::UnknownSigner(crate::engine::fields::clip(&self.signer)))?;
        let signature = Signature::from_bytes(&self.signature);
        key.key
            .verify_strict(self.receipt.text().as_bytes(), &signature)
            .map_err(|_| ReceiptError::WrongSignature)?;
        Ok((&self.receipt, key))
    }
}

/// The line with which a text is signed.
struct Signed<'l> {
    signer: &'l str,
    key_id: [u8; 4],
    signature: [u8; 64],
}

impl<'l> Signed<'l> {
    fn read(line: &'l str) -> Result<Self, &'static str> {
        let (signer, bytes) = line
            .strip_prefix("— ")
            .and_then(|rest| rest.split_once(' '))
            .ok_or("its signature must be `— name base64`")?;
        let decoded = unbase64(bytes).ok_or("its signature is not base64")?;
        let parts = decoded.split_first_chunk::<4>();
        let (key_id, signature) = parts
            .and_then(|(id, rest)| Some((*id, <[u8; 64]>::try_from(rest).ok()?)))
            .ok_or("its signature has a wrong length")?;
        Ok(Self { signer, key_id, signature })
    }
}

impl Signer {
    /// `None` if the name is none of a key: empty, or with white space or a plus sign.
    pub fn new(name: &str, secret: &Bytes32) -> Option<Self> {
        let key = SecretKey::new(secret);
        let id = VerifierKey::new(name, key.public()).id;
        is_name(name).then(|| Self { name: name.to_owned(), id, key })
    }

    /// The signed note for a receipt. It may be given out only once its entry is durable.
    pub fn sign(&self, receipt: &Receipt) -> String {
        let mut note = receipt.text();
        let signature = self.sign_text(&note);
        note.push('\n');
        note.push_str(&signature);
        note
    }

    /// The line with which a text is signed.
    pub fn sign_text(&self, text: &str) -> String {
        let mut bytes = self.id.to_vec();
        bytes.extend(self.key.sign(text.as_bytes()));
        ["— ", &self.name, " ", &STANDARD.encode(bytes), "\n"].concat()
    }

    pub fn verifier_key(&self) -> VerifierKey {
        VerifierKey::new(&self.name, self.key.public())
    }

    /// The text that keeps the key on disk, in the form that is usual for signed notes.
    pub fn to_secret_text(&self) -> String {
        let key = self.verifier_key();
        let mut bytes = vec![ED25519];
        bytes.extend(self.key.as_bytes());
        format!("PRIVATE+KEY+{}+{}+{}\n", key.name, hex(&key.id), STANDARD.encode(bytes))
    }

    pub fn from_secret_text(text: &str) -> Result<Self, ReceiptError> {
        use ReceiptError::NotAKey as Wrong;
        let rest =
            text.trim_end().strip_prefix("PRIVATE+KEY+").ok_or(Wrong("it must begin with PRIVATE+KEY+"))?;
        let (name, id, bytes) = split_key(rest)?;
        let secret = Bytes32::try_from(bytes).map_err(|_| Wrong("its length is wrong"))?;
        let signer =
            Self::new(name, &secret).ok_or(Wrong("its name is empty, or has white space or a plus sign"))?;
        if hex(&signer.verifier_key().id) != id {
            return Err(Wrong("its parts do not belong together"));
        }
        Ok(signer)
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({}, secret)", self.name)
    }
}

impl VerifierKey {
    fn new(name: &str, key: VerifyingKey) -> Self {
        let mut sha = Sha256::new();
        sha.update(name.as_bytes());
        sha.update([b'\n', ED25519]);
        sha.update(key.as_bytes());
        let digest: Bytes32 = sha.finalize().into();
        let [a, b, c, d, ..] = digest;
        Self { name: name.to_owned(), id: [a, b, c, d], key }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub const fn id(&self) -> [u8; 4] {
        self.id
    }

    /// Whether these bytes are a signature of the key under a text.
    pub fn signed(&self, text: &[u8], signature: &[u8]) -> bool {
        let signature = signature.try_into().ok().map(Signature::from_bytes);
        signature.is_some_and(|signature| self.key.verify_strict(text, &signature).is_ok())
    }

    /// Checks the line, with its line feed, with which a text is signed.
    pub fn check_text(&self, text: &str, line: &str) -> Result<(), ReceiptError> {
        let line = line.strip_suffix('\n').ok_or(ReceiptError::NotARestore("a signature has no end"))?;
        let Signed { signer, key_id, signature } = Signed::read(line).map_err(ReceiptError::NotARestore)?;
        if signer != self.name || key_id != self.id {
            return Err(ReceiptError::UnknownSigner(crate::engine::fields::clip(signer)));
        }
        let signature = Signature::from_bytes(&signature);
        self.key.verify_strict(text.as_bytes(), &signature).map_err(|_| ReceiptError::WrongSignature)
    }
}

impl std::str::FromStr for VerifierKey {
    type Err = ReceiptError;

    fn from_str(text: &str) -> Result<Self, ReceiptError> {
        use ReceiptError::NotAKey as Wrong;
        let (name, id, bytes) = split_key(text)?;
        let public = Bytes32::try_from(bytes).map_err(|_| Wrong("its length is wrong"))?;
        let key = VerifyingKey::from_bytes(&public).map_err(|_| Wrong("it is no point of the curve"))?;
        let key = Self::new(name, key);
        if hex(&key.id) != id {
            return Err(Wrong("its parts do not belong together"));
        }
        Ok(key)
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = vec![ED25519];
        bytes.extend(self.key.as_bytes());
        write!(f, "{}+{}+{}", self.name, hex(&self.id), STANDARD.encode(bytes))
    }
}

/// The name, the id and the key bytes of `name+hex+base64`.
fn split_key(text: &str) -> Result<(&str, &str, Vec<u8>), ReceiptError> {
    use ReceiptError::NotAKey as Wrong;
    let mut parts = text.splitn(3, '+');
    let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(Wrong("it must have three parts"));
    };
    if !is_name(name) {
        return Err(Wrong("its name is empty, or has white space or a plus sign"));
    }
    let bytes = unbase64(key).ok_or(Wrong("its last part is not base64"))?;
    match bytes.split_first() {
        Some((&ED25519, key)) => Ok((name, id, key.to_vec())),
        _ => Err(Wrong("it is not an Ed25519 key")),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

/// Base64 that encodes to itself again.
pub(super) fn unbase64(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok().filter(|bytes| STANDARD.encode(bytes) == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signer() -> Signer {
        Signer::new("play.example", &[5; 32]).unwrap()
    }

    fn receipt() -> Receipt {
        Receipt { format: Format::Two, game: "g-1".into(), seq: 12, head: [0xab; 32] }
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
        assert!(!public.contains(&STANDARD.encode([5; 32])));
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
