//! Checkpoints: the size and root of a tree, signed by its log and its witnesses.

use super::{
    merkle::Shape,
    note::{Line, VerifierKey, WitnessKey, read_hash, read_number, to_base64},
    signer::{Signer, cosigned_message},
};
use crate::engine::hash::Bytes32;

/// Signatures that a reader must accept.
pub const MOST_SIGNATURES: usize = 16;
/// Leaves of the largest tree.
const MOST_LEAVES: u64 = i64::MAX.cast_unsigned();

/// Returns the text of a checkpoint: exactly three lines.
pub fn text(origin: &str, Shape { size, root }: Shape) -> String {
    format!("{origin}\n{size}\n{}\n", to_base64(&root))
}

/// Returns a checkpoint with the signature of its log.
pub fn sign(log: &Signer, shape: Shape) -> String {
    let mut note = text(log.verifier_key().name(), shape);
    log.sign_note(&mut note);
    note
}

/// A parsed checkpoint with its signature lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint<'n> {
    /// The signed text, with its line feeds.
    pub text: &'n str,
    pub origin: &'n str,
    pub shape: Shape,
    /// Whether extension lines follow.
    pub is_extended: bool,
    signatures: Vec<Line<'n>>,
}

impl<'n> Checkpoint<'n> {
    /// Parses a checkpoint strictly. Each checkpoint has one form.
    pub fn read(note: &'n str) -> Result<Self, &'static str> {
        let (text, signatures) = note.split_once("\n\n").ok_or("its checkpoint is not signed")?;
        let mut lines = text.split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next()) else {
            return Err("its checkpoint must have three lines");
        };
        if origin.is_empty() {
            return Err("its checkpoint has no origin");
        }
        let size = read_number(size).filter(|size| *size <= MOST_LEAVES);
        let size = size.ok_or("the size of its tree is no plain number below 2^63")?;
        let root = read_hash(root).ok_or("its root must be 32 bytes in base64")?;
        let signatures = signatures.strip_suffix('\n').ok_or("it does not end with a line")?;
        let signatures: Vec<Line> = signatures.split('\n').map(Line::read).collect::<Result<_, _>>()?;
        if signatures.len() > MOST_SIGNATURES {
            return Err("it has more than 16 signatures");
        }
        let is_extended = lines.next().is_some();
        Ok(Self { text: &note[..=text.len()], origin, shape: Shape { size, root }, is_extended, signatures })
    }

    /// Returns the checkpoint with only the signature of this key.
    pub fn signed_by(&self, key: &VerifierKey) -> String {
        let own = self.signatures.iter().find(|line| key.is_named(line.name, line.id));
        let line = own.map(|line| Line::write(line.name, line.id, &line.signature)).unwrap_or_default();
        format!("{}\n{line}", self.text)
    }

    /// Fails unless one of these keys signed as its log. A wrong signature by such a key is an error.
    pub fn check_log(&self, keys: &[VerifierKey]) -> Result<(), &'static str> {
        let mut is_signed = false;
        for key in keys {
            for line in self.signatures.iter().filter(|line| key.is_named(line.name, line.id)) {
                if !key.signed(self.text.as_bytes(), &line.signature) {
                    return Err("the log's signature does not fit its checkpoint");
                }
                is_signed |= key.name() == self.origin;
            }
        }
        if is_signed { Ok(()) } else { Err("its checkpoint is not signed by a given key of its log") }
    }

    /// Returns the cosignatures of given witnesses: public key, and time of the signature.
    pub fn witnessed(&self, witnesses: &[WitnessKey]) -> Result<Vec<(Bytes32, u64)>, &'static str> {
        let mut seen = Vec::new();
        for line in &self.signatures {
            let Some(witness) = witnesses.iter().find(|key| key.is_named(line.name, line.id)) else {
                continue;
            };
            let at = cosigned(witness, self.text, line)
                .ok_or("the signature of a given witness does not fit its checkpoint")?;
            seen.push((*witness.public(), at));
        }
        Ok(seen)
    }
}

/// Latest time of a cosignature, in seconds since 1970 (`tlog-cosignature`).
const LATEST: u64 = i64::MAX as u64;

/// Returns when the witness saw the checkpoint, if the line is its signature.
pub fn cosigned(witness: &WitnessKey, text: &str, line: &Line) -> Option<u64> {
    let (time, signature) = line.signature.split_first_chunk::<8>()?;
    let time = u64::from_be_bytes(*time);
    let is_its_own = witness.is_named(line.name, line.id)
        && time <= LATEST
        && witness.signed(cosigned_message(text, time).as_bytes(), signature);
    is_its_own.then_some(time)
}
