//! Private answers.

use actix_web::{
    HttpRequest, HttpResponse,
    body::{BoxBody, MessageBody as _},
    http::{
        Method, StatusCode,
        header::{self, ETag, EntityTag, HeaderValue},
    },
    web,
};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{preference, problem::Problem};
use crate::{
    engine::Lang,
    ledger::encoding::hex,
    service::{ServiceError, tables::Reply},
};

static JSON: HeaderValue = HeaderValue::from_static("application/json");
static PRIVATE: HeaderValue = HeaderValue::from_static("private, no-cache");
static BY_TOKEN: HeaderValue = HeaderValue::from_static("Authorization");
static BY_BOTH: HeaderValue = HeaderValue::from_static("Authorization, Accept-Language");

pub fn private(value: &impl Serialize) -> Result<HttpResponse, Problem> {
    Ok(written(StatusCode::OK, Reply::of(value)?.json))
}

/// Serializes a long answer outside the serving threads.
pub async fn private_aside<T: Serialize + Send + 'static>(value: T) -> Result<HttpResponse, Problem> {
    let written = web::block(move || {
        let json = Reply::of(&value)?.json;
        let digest = Digest::of(&json);
        Ok::<_, ServiceError>((json, digest))
    });
    let (json, digest) = written.await.map_err(|_| ServiceError::Busy)??;
    let mut answer = self::written(StatusCode::OK, json);
    answer.extensions_mut().insert(digest);
    Ok(answer)
}

/// Returns an answer that is already serialized.
pub fn written(status: StatusCode, json: Vec<u8>) -> HttpResponse {
    let mut response = HttpResponse::build(status).body(json);
    response.headers_mut().insert(header::CONTENT_TYPE, JSON.clone());
    for_caller(response)
}

/// Answers that the client has the current version.
pub fn not_modified(tag: EntityTag) -> HttpResponse {
    tagged(for_caller(HttpResponse::NotModified().finish()), tag)
}

/// Keeps shared caches from storing an answer.
fn for_caller(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(header::CACHE_CONTROL, PRIVATE.clone());
    response.headers_mut().insert(header::VARY, BY_TOKEN.clone());
    response
}

/// Sets the language of an answer that has texts.
pub fn in_words(mut response: HttpResponse, words: Option<Lang>) -> HttpResponse {
    if let Some(lang) = words {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(lang.tag()));
        headers.insert(header::VARY, BY_BOTH.clone());
    }
    response
}

/// Adds an `ETag` to a JSON answer without one, made from its content.
pub fn known_by_content(request: &HttpRequest, answer: HttpResponse) -> HttpResponse {
    let is_json = || answer.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == JSON);
    let is_read =
        matches!(*request.method(), Method::GET | Method::HEAD) && request.path().starts_with("/v1/");
    if !is_read
        || answer.status() != StatusCode::OK
        || answer.headers().contains_key(header::ETAG)
        || !is_json()
    {
        return answer;
    }
    let (answer, body) = answer.into_parts();
    match body.try_into_bytes() {
        Ok(body) => {
            let known = answer.extensions().get::<Digest>().map(|digest| digest.0.clone());
            let tag = EntityTag::new_strong(known.unwrap_or_else(|| Digest::of(&body).0));
            let has_it = preference::known(request).is_some_and(|known| preference::names(&known, &tag));
            let mut answer = tagged(answer.set_body(BoxBody::new(body)), tag);
            if has_it {
                // Keeps the caching headers.
                *answer.status_mut() = StatusCode::NOT_MODIFIED;
                answer.headers_mut().remove(header::CONTENT_TYPE);
                return answer.set_body(BoxBody::new(()));
            }
            answer
        }
        Err(body) => answer.set_body(body),
    }
}

/// Returns the `ETag` of an answer's content.
pub fn tag_of(answer: &HttpResponse) -> EntityTag {
    EntityTag::new_strong(
        answer.extensions().get::<Digest>().map(|digest| digest.0.clone()).unwrap_or_default(),
    )
}

/// First digits of the SHA-256 of a body.
struct Digest(String);

impl Digest {
    fn of(body: &[u8]) -> Self {
        Self(hex(&Sha256::digest(body)[..12]))
    }
}

/// Adds an `ETag`.
pub fn tagged(mut response: HttpResponse, tag: EntityTag) -> HttpResponse {
    if let Ok(tag) = header::TryIntoHeaderValue::try_into_value(ETag(tag)) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Adds the address of what was created. `{/pointer}` in `path` stands for a value of the answer.
pub fn located(response: HttpResponse, path: &str) -> HttpResponse {
    let fill = |body: &[u8]| {
        let Some((start, rest)) = path.split_once('{') else { return Some(path.to_owned()) };
        let (pointer, end) = rest.split_once('}')?;
        let answer: Value = serde_json::from_slice(body).ok()?;
        let value = answer.pointer(pointer)?;
        Some(format!("{start}{}{end}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
    };
    located_by(response, fill)
}

/// Adds the address of what was created, made from the body of the answer.
pub fn located_by(response: HttpResponse, path: impl FnOnce(&[u8]) -> Option<String>) -> HttpResponse {
    if response.status() != StatusCode::CREATED {
        return response;
    }
    let (mut response, body) = response.into_parts();
    match body.try_into_bytes() {
        Ok(body) => {
            if let Some(path) = path(&body).and_then(|path| HeaderValue::try_from(path).ok()) {
                response.headers_mut().insert(header::LOCATION, path);
            }
            response.set_body(BoxBody::new(body))
        }
        Err(body) => response.set_body(body),
    }
}
