//! The store held to what it promises.

mod damage;
mod durable;
mod fixture;
mod log;
mod rows;
mod snapshot;
