//! The ledger held to its promises.

mod disputes;
mod documents;
mod golden;
mod hosted;
mod hostile;
mod tamper;
mod vectors;
