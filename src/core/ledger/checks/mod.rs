//! The checks, one file each. Check 1 is the reading of the document, check 10 runs beside check 9, and check
//! 11 follows from the proofs of check 8.

pub mod chain;
pub mod commitment;
pub mod draws;
pub mod entropy;
pub mod log_proofs;
pub mod receipts;
pub mod rules;
pub mod signatures;
