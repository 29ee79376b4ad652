//! What a verification goes by.

use super::{device::Device, restore::Restore, seat_key::SeatKey};
use crate::tree::note::{VerifierKey, WitnessKey};

/// What is to be verified, and what the reader brings. A verifier takes no key from the document.
#[derive(Clone, Copy, Default)]
pub struct Evidence<'e> {
    /// The replay document, byte for byte.
    pub document: &'e [u8],
    /// Trusted keys of receipts.
    pub keys: &'e [VerifierKey],
    /// Receipts that players kept.
    pub receipts: &'e [KeptReceipt],
    /// Restore statements of the operator.
    pub restores: &'e [Restore],
    /// Proofs of entries that players kept.
    pub proofs: &'e [KeptProof],
    /// Trusted keys of players, and statements of devices that they linked.
    pub players: &'e [SeatKey],
    pub devices: &'e [Device],
    /// Trusted keys of public trees and of witnesses, and how many of the witnesses must have cosigned.
    pub logs: &'e [VerifierKey],
    pub witnesses: &'e [WitnessKey],
    pub quorum: usize,
    /// The document of the game that this is a rematch of, byte for byte.
    pub previous: Option<&'e [u8]>,
}

/// A receipt that a player kept, with or without a proof of its head.
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
