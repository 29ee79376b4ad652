//! The checks, one file each. `canonical` is the reading of the document itself, and `clock` goes along with `rules`.

pub mod chain;
pub mod commitment;
pub mod draws;
pub mod entropy;
pub mod log_proofs;
pub mod receipts;
pub mod rules;
pub mod signatures;
