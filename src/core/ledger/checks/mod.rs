//! The checks, one per file. `Document::read` is check 1, check 10 runs with check 9, and check 11 uses the
//! proofs of check 8.

pub mod chain;
pub mod commitment;
pub mod draws;
pub mod entropy;
pub mod log_proofs;
pub mod receipts;
pub mod rules;
pub mod signatures;
