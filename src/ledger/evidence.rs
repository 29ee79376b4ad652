//! What a verification goes by.

use super::{receipt::VerifierKey, restore::Restore};

/// What is to be verified, and against what.
pub struct Evidence<'e> {
    /// The replay document, byte for byte.
    pub document: &'e [u8],
    /// Keys that the reader trusts. A document's own word for a key counts for nothing.
    pub keys: &'e [VerifierKey],
    /// Receipts that a seat kept, beside those in the document.
    pub receipts: &'e [String],
    /// Statements of the operator that a backup was put back.
    pub restores: &'e [Restore],
}
