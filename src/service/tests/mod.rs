//! The use cases, on a store and with a still clock.

mod accounts;
mod apply;
mod bots;
mod damage;
mod feed;
mod fixture;
mod idempotency;
mod leaving;
mod lobby;
mod notify;
mod outage;
mod reading;
mod talk;
mod tree;
mod versions;
