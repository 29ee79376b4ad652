//! The service over HTTP: actix, and nothing else.

mod accept;
pub mod app;
mod chores;
mod guard;
mod lang;
pub mod metrics;
mod once;
pub mod openapi;
pub mod problem;
pub mod request;
mod routes;
mod sse;
