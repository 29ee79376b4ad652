//! The service over HTTP: actix, and nothing else.

mod accept;
pub mod app;
mod chores;
mod idempotency;
mod lang;
pub mod metrics;
mod middleware;
pub mod openapi;
pub mod problem;
pub mod request;
mod routes;
mod sse;
