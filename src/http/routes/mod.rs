//! The handlers, one file a resource. Each is three moves: extract, call, wrap. `#[endpoint]` declares
//! path, token and answers.
#![cfg_attr(not(test), allow(unused_imports, reason = "the document alone names what some answer with"))]

pub mod account;
pub mod apps;
pub mod audit;
pub mod bots;
pub mod explorations;
pub mod games;
pub mod guide;
pub mod home;
pub mod moderation;
pub mod notifications;
pub mod oauth;
pub mod operation;
pub mod page;
mod page_head;
pub mod pictures;
pub mod play;
pub mod players;
pub mod problems;
pub mod rulesets;
pub mod safety;
pub mod seats;
pub mod talk;
pub mod tlog;
pub mod webhooks;
