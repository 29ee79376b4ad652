//! A request that does something, and that may come under an idempotency key.

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    http::{
        Method, StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
    web,
};
use futures_util::future::LocalBoxFuture;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{body::Body, caller::Caller, state};
use crate::{
    engine::Lang,
    http::{
        preference,
        problem::{MALFORMED, Problem},
        response::written,
        state::State,
    },
    service::{
        Player,
        act::{Act, Answer, IdempotencyKey},
        request::Request,
    },
};

const KEY: &str = "idempotency-key";
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 128;
/// What stands before a problem that is kept. A success that an earlier version kept begins with a brace.
const PROBLEM: u8 = b'!';

/// What a player sent in order to do something.
pub struct Sent<T> {
    pub value: T,
    pub player: Player,
    pub state: web::Data<State>,
    key: Option<IdempotencyKey>,
    lang: Lang,
}

/// An act that was carried out, now or before.
pub struct Done {
    pub response: HttpResponse,
    /// The game that it was about, where the path does not name it.
    pub game: Option<Uuid>,
}

impl<T: Request> FromRequest for Sent<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let caller = Caller::from_request(&request, &mut payload).await?;
            let Body { value, bytes } = Body::read(&request, payload).await?;
            let player = caller.player().await?;
            let key = if request.method() == Method::DELETE { None } else { key(&request, &bytes)? };
            let lang = preference::of_language(&request);
            Ok(Self { value, player, state: state(&request)?, key, lang })
        })
    }
}

impl<T> Sent<T> {
    /// Carries out what was sent, and answers a success with this status.
    pub async fn carry_out(self, status: StatusCode, act: impl FnOnce(T) -> Act) -> Result<Done, Problem> {
        let Self { value, player, state, key, lang } = self;
        let refusal = |error: &_| {
            let problem = Problem::from(error).in_lang(lang);
            problem.code().status.is_client_error().then(|| {
                let mut kept = vec![PROBLEM];
                kept.extend(problem.body().to_string().into_bytes());
                kept
            })
        };
        let answer = state.service.carry_out(&player, &act(value), key.as_ref(), refusal).await?;
        Ok(match answer {
            Answer::Done(reply) => Done { response: written(status, reply.json), game: reply.game },
            Answer::DoneBefore(reply) => {
                Done { response: again(written(status, reply.json)), game: reply.game }
            }
            Answer::AnsweredBefore(kept) => {
                let game = created(&kept);
                Done { response: again(answered(status, kept)), game }
            }
        })
    }
}

fn again(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

/// The game that an answer is about which an earlier version kept whole.
fn created(kept: &[u8]) -> Option<Uuid> {
    let kept: Value = serde_json::from_slice(kept).ok()?;
    kept["id"].as_str()?.parse().ok()
}

/// An answer that was kept whole.
fn answered(status: StatusCode, kept: Vec<u8>) -> HttpResponse {
    let Some(problem) = kept.strip_prefix(&[PROBLEM]) else { return written(status, kept) };
    let value: Value = serde_json::from_slice(problem).unwrap_or_default();
    let status = value["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    let status = status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::CONFLICT);
    HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, "application/problem+json"))
        .body(problem.to_vec())
}

/// The key of a request, with what the request was.
fn key(request: &HttpRequest, body: &[u8]) -> Result<Option<IdempotencyKey>, Problem> {
    let mut values = request.headers().get_all(KEY);
    let (value, more) = (values.next(), values.next());
    let Some(value) = value else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| (1..=LONGEST_KEY).contains(&text.len()) && more.is_none());
    let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic())).ok_or_else(|| {
        let detail = "the header Idempotency-Key must have 1 to 128 visible characters, once";
        Problem::new(&MALFORMED).detail(detail)
    })?;
    let mut hash = Sha256::new();
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    for part in [request.method().as_str().as_bytes(), path.as_bytes(), body] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let mut fingerprint = [0; 16];
    fingerprint.copy_from_slice(&hash.finalize()[..16]);
    Ok(Some(IdempotencyKey { text: text.to_owned(), fingerprint }))
}
