//! The handlers, one file a resource. Each is four moves: extract, authorise, call, wrap.

pub mod audit;
pub mod games;
pub mod home;
pub mod operation;
pub mod play;
pub mod players;
pub mod rulesets;

use actix_web::{HttpResponse, http::header};
use serde::Serialize;

/// A JSON answer that belongs to its caller.
fn private(value: &impl Serialize) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .json(value)
}
