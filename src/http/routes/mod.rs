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
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .body(written(value))
}

/// The JSON of an answer. There is room for a view from the start, so that it need not grow again and again.
pub(super) fn written(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(6_000);
    match serde_json::to_writer(&mut bytes, value) {
        Ok(()) => bytes,
        // No type of ours fails to be written.
        Err(_) => Vec::new(),
    }
}
