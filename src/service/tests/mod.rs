//! The use cases, on a store of their own and with a clock that stands still.

mod apply;
mod damage;
mod fixture;
mod idempotency;
mod leaving;
mod lobby;
mod outage;
mod room;
mod tree;
