//! The service over HTTP, by actix.

pub mod app;
mod budget;
mod chores;
mod client;
mod compression;
pub mod document;
mod endpoint;
mod endpoints;
mod guide;
pub mod metrics;
mod middleware;
#[cfg(test)]
mod openapi;
mod preference;
pub mod problem;
mod quota;
mod rate_limit;
pub mod request;
mod request_id;
mod response;
mod routes;
mod sse;
pub mod state;
mod static_asset;
mod white_space;
pub mod witness;
