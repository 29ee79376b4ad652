//! The checks, one file each. `signatures` and `log_proofs` are reserved, and `canonical` is the reading
//! of the document itself.

pub mod chain;
pub mod commitment;
pub mod draws;
pub mod entropy;
pub mod receipts;
pub mod rules;
