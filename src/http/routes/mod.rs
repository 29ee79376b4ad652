//! The handlers, one file a resource. Each is four moves: extract, authorise, call, wrap.

pub mod audit;
pub mod games;
pub mod home;
pub mod operation;
pub mod play;
pub mod players;
pub mod rulesets;

use actix_web::{
    HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
};
use serde::Serialize;

use super::problem::Problem;
use crate::service::Written;

/// A JSON answer that belongs to its caller.
fn private(value: &impl Serialize) -> Result<HttpResponse, Problem> {
    Ok(written(StatusCode::OK, Written::of(value)?.into_json()))
}

/// The same, of JSON that is written already.
pub(super) fn written(status: StatusCode, json: Vec<u8>) -> HttpResponse {
    let mut response = HttpResponse::build(status).body(json);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
    response
}
