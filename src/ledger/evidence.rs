//! What a verification goes by.

use super::{restore::Restore, signed::SeatKey};
use crate::tree::note::{VerifierKey, WitnessKey};

/// What is to be verified, and against what. A document's own word for a key counts for nothing.
#[derive(Clone, Copy, Default)]
pub struct Evidence<'e> {
    /// The replay document, byte for byte.
    pub document: &'e [u8],
    /// Keys of receipts that the reader trusts.
    pub keys: &'e [VerifierKey],
    /// Receipts that a seat kept, beside those in the document.
    pub receipts: &'e [String],
    /// Statements of the operator that a backup was put back.
    pub restores: &'e [Restore],
    /// Keys of players that the reader knows.
    pub players: &'e [SeatKey],
    /// Keys of public trees and of their witnesses that the reader trusts, and how many of the witnesses it
    /// asks for.
    pub logs: &'e [VerifierKey],
    pub witnesses: &'e [WitnessKey],
    pub quorum: usize,
    /// The document of the game of which this is a rematch, byte for byte.
    pub previous: Option<&'e [u8]>,
}
