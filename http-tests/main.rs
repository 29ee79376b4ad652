//! The service over a real socket: one file per story, or a folder for a long one. Every answer is compared
//! with the OpenAPI document.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// Ends a story that needs another database or number of servers.
macro_rules! needs {
    // Damage, copies or the disk of a file.
    (file) => {
        if crate::support::database::shared().is_some() {
            return;
        }
    };
    // Limits, counters and event orders, which each server has separately.
    (one_server) => {
        if crate::support::database::nodes() > 1 {
            return;
        }
    };
}

mod access;
mod accounts;
mod attacks;
mod audit;
mod bots;
mod caching;
mod catalogue;
mod clocks;
mod cluster;
mod document;
mod evenness;
mod explorations;
mod games;
mod idempotency;
mod inbox;
mod languages;
mod limits;
mod links;
mod lobby;
mod mail;
mod moderation;
mod oauth;
mod operation;
mod page;
mod privacy;
mod problems;
mod restores;
mod seats;
mod secrets;
mod settings;
mod streams;
mod support;
mod tables;
mod tree;
mod watching;
mod webhooks;
