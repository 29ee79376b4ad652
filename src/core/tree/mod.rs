//! Signed notes and the public tree: checkpoints, tiles, proofs and witnesses by C2SP (`signed-note`,
//! `tlog-checkpoint`, `tlog-tiles`, `tlog-cosignature`, `tlog-witness`, `tlog-proof`).

pub mod checkpoint;
pub mod merkle;
pub mod note;
pub mod proof;
pub mod secret_key;
pub mod signer;
pub mod tile;
pub mod walk;
pub mod witness;

#[cfg(test)]
mod tests;
