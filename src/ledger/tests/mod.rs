//! The ledger held to its promises.

mod consent;
mod disputes;
mod documents;
mod entries;
mod forged;
mod golden;
mod hosted;
mod hostile;
mod offers;
mod others;
mod pauses;
mod planned;
mod played;
mod rematch;
mod requests;
mod restored;
mod signed;
mod takebacks;
mod tamper;
mod vectors;
mod void;
