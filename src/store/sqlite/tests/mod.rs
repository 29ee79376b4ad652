//! Tests of the SQLite store.

mod damage;
mod durable;
mod fixture;
mod log;
mod rows;
mod snapshot;
