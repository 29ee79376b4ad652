//! The service over HTTP: actix, and nothing else.

pub mod app;
mod chores;
mod client;
mod compression;
pub mod document;
mod endpoints;
mod guide;
pub mod metrics;
mod middleware;
#[cfg(feature = "openapi")]
pub mod openapi;
mod packed;
mod places;
mod preference;
pub mod problem;
mod purse;
mod rate_limit;
pub mod request;
mod request_id;
mod response;
mod routes;
mod sse;
pub mod state;
pub mod witness;
