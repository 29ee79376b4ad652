//! Writes under an idempotency key.

use actix_web::{
    HttpRequest, HttpResponse,
    body::{BoxBody, MessageBody as _},
    http::{StatusCode, header},
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{
    app::State,
    lang,
    problem::{MALFORMED, Problem},
    routes::written,
};
use crate::service::{Kept, Key, Player, ServiceError, Turn, Written};

const HEADER: &str = "Idempotency-Key";
const REPLAYED: &str = "idempotency-replayed";
const LONGEST: usize = 128;
/// What stands before a kept problem. A kept success begins with a brace.
const PROBLEM: u8 = b'!';

/// Carries a write out, once if it comes under a key, and answers with this status.
pub async fn write(
    state: &State,
    request: &HttpRequest,
    player: &Player,
    body: &[u8],
    status: StatusCode,
    act: impl AsyncFnOnce(Option<&Turn<'_>>) -> Result<Written, ServiceError>,
) -> Result<HttpResponse, Problem> {
    let Some(key) = key(request, player, body)? else {
        return Ok(written(status, act(None).await?.into_json()));
    };
    let turn = match state.service.once(player, key).await? {
        Kept::Nothing(turn) => turn,
        Kept::Answer(kept) => return Ok(again(status, kept)),
    };
    match act(Some(&turn)).await {
        Ok(done) => Ok(written(status, done.into_json())),
        Err(error) => {
            let problem = Problem::from(error).in_lang(lang::of(request));
            if problem.code().status.is_client_error() {
                let mut kept = vec![PROBLEM];
                kept.extend(problem.body().to_string().into_bytes());
                turn.keep_alone(kept).await?;
            }
            Err(problem)
        }
    }
}

/// The same for what is created: the answer names its place.
pub async fn write_at(
    state: &State,
    request: &HttpRequest,
    player: &Player,
    body: &[u8],
    act: impl AsyncFnOnce(Option<&Turn<'_>>) -> Result<Written, ServiceError>,
) -> Result<HttpResponse, Problem> {
    let response = write(state, request, player, body, StatusCode::CREATED, act).await?;
    let (mut response, body) = response.into_parts();
    let bytes = body.try_into_bytes().unwrap_or_default();
    let created: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if let Some(id) = created["id"].as_str()
        && let Ok(place) = header::HeaderValue::from_str(&format!("{}/{id}", request.path()))
    {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response.set_body(BoxBody::new(bytes)))
}

/// The key of a request, with what the request was.
fn key(request: &HttpRequest, player: &Player, body: &[u8]) -> Result<Option<Key>, Problem> {
    let mut values = request.headers().get_all(HEADER);
    let (value, more) = (values.next(), values.next());
    let Some(value) = value else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| (1..=LONGEST).contains(&text.len()) && more.is_none());
    let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic())).ok_or_else(|| {
        let detail = "the header Idempotency-Key must have 1 to 128 visible characters, once";
        Problem::new(&MALFORMED).detail(detail)
    })?;
    let mut sha = Sha256::new();
    for part in [request.method().as_str().as_bytes(), request.uri().to_string().as_bytes(), body] {
        sha.update((part.len() as u64).to_be_bytes());
        sha.update(part);
    }
    Ok(Some(Key { player: player.key, key: text.to_owned(), fingerprint: sha.finalize().into() }))
}

/// The first answer again.
fn again(status: StatusCode, kept: Vec<u8>) -> HttpResponse {
    let Some(problem) = kept.strip_prefix(&[PROBLEM]) else {
        let mut response = written(status, kept);
        let name = header::HeaderName::from_static(REPLAYED);
        response.headers_mut().insert(name, header::HeaderValue::from_static("true"));
        return response;
    };
    let value: Value = serde_json::from_slice(problem).unwrap_or_default();
    let status = value["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    let status = status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::CONFLICT);
    HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, "application/problem+json"))
        .insert_header((REPLAYED, "true"))
        .body(problem.to_vec())
}
