//! Requests to a witness, and their answers (C2SP `tlog-witness`). A witness signs only extensions of the
//! last checkpoint it signed.

use super::{
    checkpoint::{self, Checkpoint},
    merkle::{Shape, is_continued},
    note::{Line, VerifierKey, WitnessKey, read_hash, read_number, to_base64},
    proof::MOST_HASHES,
};
use crate::engine::hash::Bytes32;

/// Bytes of the largest request: a proof, and a checkpoint with all its signatures.
pub const MOST_BYTES: usize = 32 << 10;

/// A checkpoint offered to a witness, with the proof of its extension since size `old`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessRequest<'r> {
    pub old: u64,
    proof: Vec<Bytes32>,
    pub checkpoint: Checkpoint<'r>,
}

/// The reason why a witness does not sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessRefusal {
    /// The request has another form.
    Malformed(&'static str),
    UnknownLog,
    /// The key of the log has not signed it.
    Unsigned(&'static str),
    /// The old size is greater than the new one.
    Backwards,
    /// The witness has signed a checkpoint of another size.
    Conflict {
        size: u64,
    },
    /// The new tree does not extend the old one.
    Inconsistent,
}

impl<'r> WitnessRequest<'r> {
    pub fn read(body: &'r str) -> Result<Self, WitnessRefusal> {
        use WitnessRefusal::Malformed;
        if body.len() > MOST_BYTES {
            return Err(Malformed("it is too long"));
        }
        let (head, note) = body.split_once("\n\n").ok_or(Malformed("it has no checkpoint"))?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| read_number(line.strip_prefix("old ")?));
        let old = old.ok_or(Malformed("its first line must be `old` and a size"))?;
        let proof: Option<Vec<Bytes32>> = lines.map(read_hash).collect();
        let proof = proof.filter(|proof| proof.len() <= MOST_HASHES);
        let proof = proof.ok_or(Malformed("its proof must be at most 63 hashes in base64, a line each"))?;
        let checkpoint = Checkpoint::read(note).map_err(Malformed)?;
        Ok(Self { old, proof, checkpoint })
    }

    /// Returns the body of a request.
    pub fn write(old: u64, proof: &[Bytes32], note: &str) -> String {
        let proof: String = proof.iter().map(|hash| to_base64(hash) + "\n").collect();
        format!("old {old}\n{proof}\n{note}")
    }

    /// Returns the log among these that signed the checkpoint.
    pub fn log<'k>(&self, logs: &'k [VerifierKey]) -> Result<&'k VerifierKey, WitnessRefusal> {
        let log =
            logs.iter().find(|log| log.name() == self.checkpoint.origin).ok_or(WitnessRefusal::UnknownLog)?;
        self.checkpoint.check_log(std::slice::from_ref(log)).map_err(WitnessRefusal::Unsigned)?;
        Ok(log)
    }

    /// Returns whether a witness may sign. `known` is the tree of the log that it signed last.
    pub fn judge(&self, known: Option<Shape>) -> Result<(), WitnessRefusal> {
        let new = self.checkpoint.shape;
        if self.old > new.size {
            return Err(WitnessRefusal::Backwards);
        }
        let known = known.unwrap_or_else(Shape::empty);
        if self.old != known.size {
            return Err(WitnessRefusal::Conflict { size: known.size });
        }
        if is_continued(known, new, &self.proof) { Ok(()) } else { Err(WitnessRefusal::Inconsistent) }
    }
}

/// Returns the first line of an answer that is the witness's signature of this text.
pub fn line_of<'a>(witness: &WitnessKey, text: &str, answer: &'a str) -> Option<&'a str> {
    answer.split_inclusive('\n').find(|line| {
        let read = line.strip_suffix('\n').and_then(|line| Line::read(line).ok());
        read.is_some_and(|read| checkpoint::cosigned(witness, text, &read).is_some())
    })
}
