//! Answers that belong to their caller.

use actix_web::{
    HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
    web,
};
use serde::Serialize;

use super::problem::Problem;
use crate::service::{ServiceError, act::Reply};

pub fn private(value: &impl Serialize) -> Result<HttpResponse, Problem> {
    Ok(written(StatusCode::OK, Reply::of(value)?.json))
}

/// An answer that may be long, so that it is written out away from the threads that serve.
pub async fn private_aside<T: Serialize + Send + 'static>(value: T) -> Result<HttpResponse, Problem> {
    let written = web::block(move || Reply::of(&value)).await.map_err(|_| ServiceError::Busy)?;
    Ok(self::written(StatusCode::OK, written?.json))
}

/// An answer that is written out already.
pub fn written(status: StatusCode, json: Vec<u8>) -> HttpResponse {
    let mut response = HttpResponse::build(status).body(json);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization"));
    response
}
