//! The input of a verification.

use super::{device::Device, restore::Restore, seat_key::SeatKey};
use crate::tree::note::{VerifierKey, WitnessKey};

/// A document to verify, and the reader's own evidence. A verifier takes no key from the document.
#[derive(Clone, Copy, Default)]
pub struct Evidence<'e> {
    /// The replay document, byte for byte.
    pub document: &'e [u8],
    /// Trusted keys of receipts.
    pub keys: &'e [VerifierKey],
    /// Receipts of players.
    pub receipts: &'e [KeptReceipt],
    /// Restore statements of the operator.
    pub restores: &'e [Restore],
    /// Proofs of entries, kept by players.
    pub proofs: &'e [KeptProof],
    /// Trusted keys of players, and their device statements.
    pub players: &'e [SeatKey],
    pub devices: &'e [Device],
    /// Trusted keys of public trees and of witnesses, and how many of the witnesses must have cosigned.
    pub logs: &'e [VerifierKey],
    pub witnesses: &'e [WitnessKey],
    pub quorum: usize,
    /// The exact document of the previous game, if this game is a rematch.
    pub previous: Option<&'e [u8]>,
}

/// A receipt of a player, with or without a proof of its head.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptReceipt {
    pub receipt: String,
    pub proof: Option<String>,
}

/// A proof of an entry of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptProof {
    pub seq: u64,
    pub proof: String,
}

impl From<String> for KeptReceipt {
    fn from(receipt: String) -> Self {
        Self { receipt, proof: None }
    }
}
