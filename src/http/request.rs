//! What is taken from a request, checked.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header,
    rt::time::timeout,
    web::{self, Bytes},
};
use futures_util::{StreamExt as _, future::LocalBoxFuture};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use super::{
    app::State,
    problem::{
        BUSY, MALFORMED, NOT_FOUND, PAYLOAD_TOO_LARGE, Problem, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE,
    },
};
use crate::{
    engine::json,
    service::{Player, ServiceError},
};

/// Who sends the request: the player of its token, or nobody in particular.
///
/// The token is looked up only when the caller is asked for, so that the form of a request is checked first.
pub struct Caller {
    token: Result<Option<String>, Problem>,
    state: web::Data<State>,
}

impl Caller {
    /// The player, or a spectator without a token. A token that is not valid is never taken for none.
    pub fn anyone(&self) -> Result<Option<Player>, Problem> {
        match self.token.clone()? {
            None => Ok(None),
            Some(token) => Ok(Some(self.state.service.player_of(&token)?)),
        }
    }

    pub fn player(&self) -> Result<Player, Problem> {
        self.anyone()?.ok_or_else(|| ServiceError::NoToken.into())
    }
}

impl FromRequest for Caller {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let token = match request.headers().get(header::AUTHORIZATION) {
            None => Ok(None),
            Some(value) => {
                let bearer = value.to_str().ok().and_then(|value| value.split_once(' '));
                let token = bearer
                    .filter(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && !token.is_empty());
                token.map(|(_, token)| Some(token.to_owned())).ok_or_else(|| ServiceError::BadToken.into())
            }
        };
        std::future::ready(state(request).map(|state| Self { token, state }))
    }
}

fn state(request: &HttpRequest) -> Result<web::Data<State>, Problem> {
    request
        .app_data::<web::Data<State>>()
        .cloned()
        .ok_or_else(|| ServiceError::Internal("no state".into()).into())
}

/// The body of a request, as bytes and as strict JSON.
pub struct Json {
    pub bytes: Bytes,
    pub value: Value,
}

impl FromRequest for Json {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let most = state(&request)?.config.most_body;
            let bytes = read(&request, payload, most).await?;
            let value = json::parse(&bytes).map_err(|error| Problem::from(ServiceError::from(error)))?;
            Ok(Self { bytes, value })
        })
    }
}

/// The body of an upload, which is JSON of a size of its own.
pub struct Upload {
    pub bytes: Bytes,
    /// Its room, which is free again when the upload is dropped.
    _room: OwnedSemaphorePermit,
}

impl FromRequest for Upload {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let state = state(&request)?;
            let room = Arc::clone(&state.uploads).try_acquire_owned().map_err(|_| {
                let detail = "as many uploads are under way as this server takes at once";
                Problem::new(&BUSY).detail(detail).retry_after(5)
            })?;
            let bytes = read(&request, payload, state.config.most_upload).await?;
            Ok(Self { bytes, _room: room })
        })
    }
}

/// A body that must be empty or an empty object.
pub struct NoBody;

impl FromRequest for NoBody {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let most = state(&request)?.config.most_body;
            let bytes = collect(&request, payload, most).await?;
            match json::parse(&bytes) {
                _ if bytes.is_empty() => Ok(Self),
                Ok(Value::Object(fields)) if fields.is_empty() => Ok(Self),
                _ => Err(Problem::new(&MALFORMED).detail("this request has no body")),
            }
        })
    }
}

/// Reads a JSON body of at most so many bytes.
async fn read(request: &HttpRequest, payload: Payload, most: usize) -> Result<Bytes, Problem> {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE));
    }
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE).detail("send the body without compression"));
    }
    collect(request, payload, most).await
}

async fn collect(request: &HttpRequest, mut payload: Payload, most: usize) -> Result<Bytes, Problem> {
    // What is sent with a body says everything in it.
    Query::read(request.query_string())?.end()?;
    let too_large = || {
        let detail = format!("the body has more than {most} bytes");
        Problem::new(&PAYLOAD_TOO_LARGE).detail(detail)
    };
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    if announced.and_then(|length| length.parse().ok()).is_some_and(|length: u64| length > most as u64) {
        return Err(too_large());
    }
    // However slowly it comes, a body has one deadline, so that nobody holds a connection for nothing.
    let deadline = Instant::now() + Duration::from_secs(state(request)?.config.body_seconds);
    let mut bytes = web::BytesMut::new();
    loop {
        let next = timeout(deadline.saturating_duration_since(Instant::now()), payload.next()).await;
        let Some(chunk) = next.map_err(|_| Problem::new(&REQUEST_TIMEOUT))? else { break };
        let chunk = chunk.map_err(|_| Problem::new(&MALFORMED).detail("the body breaks off"))?;
        if bytes.len() + chunk.len() > most {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

/// The game that a path names. An id that is none names nothing.
pub struct GameId(pub Uuid);

impl FromRequest for GameId {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.match_info().get("id").unwrap_or_default();
        let hyphenated = Uuid::try_parse(id)
            .ok()
            .filter(|uuid| uuid.as_hyphenated().to_string() == id.to_ascii_lowercase());
        std::future::ready(hyphenated.map(Self).ok_or_else(|| Problem::new(&NOT_FOUND)))
    }
}

/// The query of a request, each parameter of which must be read.
pub struct Query(BTreeMap<String, String>);

impl FromRequest for Query {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(Self::read(request.query_string()))
    }
}

impl Query {
    pub fn read(text: &str) -> Result<Self, Problem> {
        let malformed = |detail: String| Problem::new(&MALFORMED).detail(detail);
        let pairs: Vec<(String, String)> = web::Query::<Vec<(String, String)>>::from_query(text)
            .map_err(|_| malformed("the query is not of the form a=b&c=d".into()))?
            .into_inner();
        let mut query = BTreeMap::new();
        for (name, value) in pairs {
            if query.insert(name.clone(), value).is_some() {
                return Err(malformed(format!(
                    "query: `{}` stands twice",
                    crate::engine::fields::clip(&name)
                )));
            }
        }
        Ok(Self(query))
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// A whole number within bounds.
    pub fn whole(&mut self, name: &str, least: i64, most: i64) -> Result<Option<i64>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        let plain = text.strip_prefix('-').unwrap_or(&text);
        let number = text.parse().ok().filter(|_| plain.bytes().all(|byte| byte.is_ascii_digit()));
        match number.filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(Problem::new(&MALFORMED)
                .detail(format!("query: `{name}` must be a whole number from {least} to {most}"))),
        }
    }

    /// A page size: 1 to 100, by default 25.
    pub fn limit(&mut self) -> Result<u32, Problem> {
        let limit = self.whole("limit", 1, 100)?.unwrap_or(25);
        Ok(u32::try_from(limit).unwrap_or(25))
    }

    /// The seq after which a page begins; -1 for the beginning.
    pub fn after(&mut self) -> Result<Option<u64>, Problem> {
        let after = self.whole("after", -1, (1 << 53) - 1)?;
        Ok(after.and_then(|after| u64::try_from(after).ok()))
    }

    /// One of these words.
    pub fn word<T>(&mut self, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        read(&text).map(Some).ok_or_else(|| {
            Problem::new(&MALFORMED).detail(format!("query: `{name}` has not one of its values"))
        })
    }

    /// Ends the reading: a parameter that nobody asked for is an error.
    pub fn end(self) -> Result<(), Problem> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(unknown) => Err(Problem::new(&MALFORMED).detail(format!(
                "query: `{}` is not a parameter here",
                crate::engine::fields::clip(unknown)
            ))),
        }
    }
}
