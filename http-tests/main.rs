//! The service over a real socket, one file a story. Every response is held against the OpenAPI document.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod access;
mod audit;
mod caching;
mod document;
mod games;
mod idempotency;
mod languages;
mod lobby;
mod operation;
mod privacy;
mod problems;
mod secrets;
mod support;
