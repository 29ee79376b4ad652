//! Requests with an effect, which may have an idempotency key.

use std::{ops::Deref, rc::Rc, sync::Arc};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse,
    dev::Payload,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
    web,
};
use futures_util::future::LocalBoxFuture;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{body::SentBody, caller::Authenticated, query::Query, state};
use crate::{
    engine::Lang,
    http::{
        budget::RequestBudget,
        preference,
        problem::{MEDIA_TYPE, Problem},
        response::written,
        state::State,
        white_space::without_space,
    },
    service::{
        ServiceError, Session,
        request::Request,
        tables::{Act, Answer, IdempotencyKey, KeyOwner, Reply},
    },
};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const LONGEST_KEY: usize = 128;
/// First byte of a stored problem. A stored success is JSON or empty.
const PROBLEM: u8 = b'!';

/// A request of a player with an effect. Boxed, since it moves through several functions.
pub struct Idempotent<T>(pub Box<SentAct<T>>);

pub struct SentAct<T> {
    pub value: T,
    pub session: Arc<Session>,
    pub state: web::Data<State>,
    pub lang: Lang,
    pub query: Query,
    pub payer_budget: Rc<RequestBudget>,
    key: Option<IdempotencyKey>,
}

impl<T> Deref for Idempotent<T> {
    type Target = SentAct<T>;

    fn deref(&self) -> &SentAct<T> {
        &self.0
    }
}

impl<T: Request> FromRequest for Idempotent<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let Authenticated(session) = Authenticated::from_request(&request, &mut payload).await?;
            let query = Query::read(request.query_string())?;
            let SentBody { value, bytes } = SentBody::of_caller(&request, payload).await?;
            let (key, lang) = (key(&request, &bytes)?, preference::of_language(&request));
            let (state, payer_budget) = (state(&request)?.clone(), RequestBudget::of(&request)?);
            Ok(Self(Box::new(SentAct { value, session, state, lang, query, payer_budget, key })))
        })
    }
}

impl<T> Idempotent<T> {
    /// Carries out an act, and answers a success with this status.
    pub async fn carry_out(
        self,
        status: StatusCode,
        act: impl FnOnce(T) -> Act,
    ) -> Result<HttpResponse, Problem> {
        let sent = self.0;
        sent.query.end()?;
        let act = act(sent.value);
        let refusal = |error: &_| {
            let problem = Problem::from(error).in_lang(sent.lang);
            // A temporary refusal is tried again, also under its key.
            let status = problem.code().status;
            (status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS).then(|| {
                let mut kept = vec![PROBLEM];
                kept.extend(problem.body().to_string().into_bytes());
                kept
            })
        };
        let (service, player) = (&sent.state.service, &sent.session.player);
        let answer = service.tables.carry_out(player, &act, sent.key.as_ref(), refusal).await?;
        Ok(match answer {
            Answer::Done(reply) => written(status, reply.json),
            Answer::DoneBefore(reply) => again(written(status, reply.json)),
            Answer::AnsweredBefore(kept) => again(answered(status, kept)),
        })
    }

    /// Carries out an act without an entry, and answers 204.
    pub async fn end(
        self,
        act: impl AsyncFnOnce(&State, &Session, T) -> Result<(), ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let nothing = async |state: &State, session: &Session, value, _| {
            act(state, session, value).await?;
            Ok(Reply::nothing())
        };
        self.reply_once(StatusCode::NO_CONTENT, nothing).await
    }

    /// Carries out an act without an entry, and answers a success with this status.
    pub async fn once<A: Serialize>(
        self,
        status: StatusCode,
        act: impl AsyncFnOnce(&State, &Session, T, Lang) -> Result<A, ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let act = async |state: &State, session: &Session, value, lang| {
            Reply::of(&act(state, session, value, lang).await?)
        };
        self.reply_once(status, act).await
    }

    /// Carries out an act with a secret answer, which no cache may keep.
    pub async fn secret<A: Serialize>(
        mut self,
        status: StatusCode,
        act: impl AsyncFnOnce(&State, &Session, T) -> Result<A, ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let act = async |state: &State, session: &Session, value, _: Lang| act(state, session, value).await;
        if let Some(key) = &mut self.0.key {
            // A secret is repeated only to its first token.
            let hash =
                Sha256::new().chain_update(key.fingerprint).chain_update(self.0.session.token_id).finalize();
            key.fingerprint.copy_from_slice(&hash[..16]);
        }
        self.once(status, act).await.map(unstored)
    }

    /// Carries out an act whose answer is already JSON.
    pub async fn reply_once(
        self,
        status: StatusCode,
        act: impl AsyncFnOnce(&State, &Session, T, Lang) -> Result<Reply, ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let SentAct { value, session, state, lang, query, key, .. } = *self.0;
        query.end()?;
        let owner = KeyOwner::Player(&session.player);
        let done =
            state.service.tables.do_once(owner, key.as_ref(), act(&state, &session, value, lang)).await?;
        Ok(answer(status, done))
    }
}

/// A request without a token and with an effect.
pub struct Open<T> {
    value: T,
    state: web::Data<State>,
    pub payer_budget: Rc<RequestBudget>,
    key: Option<IdempotencyKey>,
}

/// Minimum length of a key without a token. Only the key separates callers of one address.
const SHORTEST_OPEN_KEY: usize = 16;

impl<T: Request> FromRequest for Open<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            Query::read(request.query_string())?.end()?;
            let SentBody { value, bytes } = SentBody::of_caller(&request, payload).await?;
            let key = key(&request, &bytes)?;
            if key.as_ref().is_some_and(|key| key.text.len() < SHORTEST_OPEN_KEY) {
                return Err(Problem::of_header(
                    "Idempotency-Key",
                    "must have at least 16 characters in a request without a token",
                    "deve avere almeno 16 caratteri in una richiesta senza token",
                ));
            }
            Ok(Self {
                value,
                state: state(&request)?.clone(),
                payer_budget: RequestBudget::of(&request)?,
                key,
            })
        })
    }
}

impl<T> Open<T> {
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Carries out an act once under its key, and answers a success with this status. No cache may keep the
    /// answer.
    pub async fn secret<A: Serialize>(
        self,
        status: StatusCode,
        act: impl AsyncFnOnce(&State, T) -> Result<A, ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let act = async |state: &State, value| Reply::of(&act(state, value).await?);
        self.reply_once(status, act).await.map(unstored)
    }

    /// Carries out an act once under its key, and answers 204.
    pub async fn end(
        self,
        act: impl AsyncFnOnce(&State, T) -> Result<(), ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let nothing = async |state: &State, value| {
            act(state, value).await?;
            Ok(Reply::nothing())
        };
        self.reply_once(StatusCode::NO_CONTENT, nothing).await
    }

    async fn reply_once(
        self,
        status: StatusCode,
        act: impl AsyncFnOnce(&State, T) -> Result<Reply, ServiceError>,
    ) -> Result<HttpResponse, Problem> {
        let Self { value, state, payer_budget, key } = self;
        let owner = KeyOwner::Address(payer_budget.client.to_string());
        let done = state.service.tables.do_once(owner, key.as_ref(), act(&state, value)).await?;
        Ok(answer(status, done))
    }
}

/// Returns the answer to an act without an entry.
pub(super) fn answer(status: StatusCode, done: Answer) -> HttpResponse {
    let body = |json| {
        if status == StatusCode::NO_CONTENT {
            HttpResponse::NoContent().finish()
        } else {
            written(status, json)
        }
    };
    match done {
        Answer::Done(reply) | Answer::DoneBefore(reply) => body(reply.json),
        Answer::AnsweredBefore(kept) if kept.first() == Some(&PROBLEM) => again(answered(status, kept)),
        Answer::AnsweredBefore(kept) => again(body(kept)),
    }
}

pub(super) fn unstored(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn again(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

/// Returns a stored answer.
fn answered(status: StatusCode, kept: Vec<u8>) -> HttpResponse {
    let Some(problem) = kept.strip_prefix(&[PROBLEM]) else { return written(status, kept) };
    let value: Value = serde_json::from_slice(problem).unwrap_or_default();
    let status = value["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    let status = status.and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(StatusCode::CONFLICT);
    HttpResponse::build(status)
        .insert_header((header::CONTENT_TYPE, MEDIA_TYPE))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(problem.to_vec())
}

/// Returns the key of a request, with the digest of the request.
pub(super) fn key(request: &HttpRequest, body: &[u8]) -> Result<Option<IdempotencyKey>, Problem> {
    let mut values = request.headers().get_all(KEY);
    let (value, more) = (values.next(), values.next());
    let Some(value) = value else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| (1..=LONGEST_KEY).contains(&text.len()) && more.is_none());
    let text = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_graphic())).ok_or_else(|| {
        let en = "must have 1 to 128 visible characters, once";
        let it = "deve avere da 1 a 128 caratteri visibili, una sola volta";
        Problem::of_header("Idempotency-Key", en, it)
    })?;
    let mut hash = Sha256::new();
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    for part in [request.method().as_str().as_bytes(), path.as_bytes()] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let fingerprint = |body: &[u8]| {
        let mut fingerprint = [0; 16];
        let hash = hash.clone().chain_update((body.len() as u64).to_be_bytes()).chain_update(body);
        fingerprint.copy_from_slice(&hash.finalize()[..16]);
        fingerprint
    };
    Ok(Some(IdempotencyKey { text: text.to_owned(), fingerprint: fingerprint(&without_space(body)) }))
}
