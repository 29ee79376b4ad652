//! Bodies of requests: JSON within a size and a time.

use std::{
    future::poll_fn,
    pin::{Pin, pin},
    task::Poll,
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

use super::{caller::Caller, query::Query, state};
use crate::{
    engine::{Malformed, Text, json},
    http::{
        budget::RequestBudget,
        client::Client,
        problem::{BUSY, PAYLOAD_TOO_LARGE, Problem, REQUEST_TIMEOUT, UNSUPPORTED_MEDIA_TYPE},
        quota::QuotaGuard,
    },
    service::{
        cost::{self, Work},
        request::Request,
    },
};

/// The body of a request.
pub struct SentBody<T> {
    pub value: T,
    /// The bytes of the body.
    pub bytes: Bytes,
}

/// A body that takes longer is late.
const LATE: Duration = Duration::from_millis(20);

impl<T: Request> SentBody<T> {
    /// Reads the body of a request with a token of a player, or without a token.
    pub async fn of_caller(request: &HttpRequest, payload: Payload) -> Result<Self, Problem> {
        Self::read(request, payload, async || Caller::of(request)?.still_holds().await).await
    }

    /// Reads a body. After a late one, checks again what was checked before.
    pub async fn read(
        request: &HttpRequest,
        payload: Payload,
        check: impl AsyncFnOnce() -> Result<(), Problem>,
    ) -> Result<Self, Problem> {
        let begin = Instant::now();
        let max = state(request)?.config.max_body;
        let is_json = !T::IS_OPTIONAL || request.headers().contains_key(header::CONTENT_TYPE);
        let bytes = if T::IS_EMPTY || !is_json {
            collect(request, payload, max).await?
        } else {
            json_bytes(request, payload, max).await?
        };
        if !T::IS_EMPTY && !is_json && !bytes.is_empty() {
            return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE));
        }
        let value = match json::parse_request(&bytes) {
            _ if T::IS_OPTIONAL && bytes.is_empty() => Value::Object(serde_json::Map::new()),
            Err(_) if T::IS_EMPTY => return Err(no_body()),
            parsed => parsed?,
        };
        let read = T::read(&value)
            .map_err(|malformed: Malformed| if T::IS_EMPTY { no_body() } else { malformed.into() });
        let body = Self { value: read?, bytes };
        if begin.elapsed() > LATE {
            check().await?;
        }
        Ok(body)
    }
}

fn no_body() -> Problem {
    Problem::malformed("this request takes no body", "questa richiesta non prevede un corpo")
}

/// A request with an effect has no query.
fn refuse_query(request: &HttpRequest) -> Result<(), Problem> {
    Query::read(request.query_string())?.end()
}

/// The body of an upload: JSON with its own size limit.
pub struct Upload {
    pub bytes: Bytes,
    /// The permit of the upload, until it is dropped.
    pub room: QuotaGuard<Client>,
}

impl FromRequest for Upload {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let state = state(&request)?;
            let room = state.uploads.take(Some(RequestBudget::of(&request)?.client)).ok_or_else(|| {
                let en = "this server is already handling its maximum number of uploads";
                let it = "sono già in corso tutti gli invii che questo server accetta insieme";
                Problem::new(&BUSY).detail(Text::new(en, it)).retry_after(5)
            })?;
            refuse_query(&request)?;
            let bytes = json_bytes(&request, payload, state.config.max_upload).await?;
            Ok(Self { bytes, room })
        })
    }
}

/// Reads a JSON body of at most `max` bytes.
async fn json_bytes(request: &HttpRequest, payload: Payload, max: usize) -> Result<Bytes, Problem> {
    let kind =
        request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE));
    }
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Problem::new(&UNSUPPORTED_MEDIA_TYPE)
            .detail(Text::new("send the body without compression", "invia il corpo senza compressione")));
    }
    collect(request, payload, max).await
}

async fn collect(request: &HttpRequest, mut payload: Payload, max: usize) -> Result<Bytes, Problem> {
    let too_large = || {
        let (en, it) =
            (format!("the body has more than {max} bytes"), format!("il corpo ha più di {max} byte"));
        Problem::new(&PAYLOAD_TOO_LARGE).detail(Text::new(en, it))
    };
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let announced = announced.and_then(|length| length.parse().ok()).unwrap_or_default();
    if announced > max {
        return Err(too_large());
    }
    let whole = async {
        let (mut first, mut bytes) = (Bytes::new(), web::BytesMut::new());
        while let Some(chunk) = payload.next().await {
            let chunk =
                chunk.map_err(|_| Problem::malformed("the body is incomplete", "il corpo è incompleto"))?;
            if first.len().max(bytes.len()) + chunk.len() > max {
                return Err(too_large());
            }
            if first.is_empty() {
                // Usually the only chunk.
                first = chunk;
                continue;
            }
            if bytes.is_empty() {
                // Allocates everything at once: growing copies a large body several times.
                bytes.reserve(announced);
                bytes.extend_from_slice(&first);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(if bytes.is_empty() { first } else { bytes.freeze() })
    };
    let mut whole = pin!(whole);
    let bytes = if let Some(bytes) = within_two_looks(whole.as_mut()).await {
        bytes?
    } else {
        // One deadline for the whole body, so that a slow client holds no connection.
        let patience = Duration::from_secs(state(request)?.config.body_seconds);
        timeout(patience, whole).await.map_err(|_| Problem::new(&REQUEST_TIMEOUT))??
    };
    if bytes.len() >= 1_024 {
        cost::charge(Work::Transfer { bytes: bytes.len() as u64 });
    }
    Ok(bytes)
}

/// Polls a future twice before a timer is set up: usually it is ready by then.
async fn within_two_looks<F: Future>(mut awaited: Pin<&mut F>) -> Option<F::Output> {
    let mut is_first = true;
    poll_fn(|context| match awaited.as_mut().poll(context) {
        Poll::Ready(done) => Poll::Ready(Some(done)),
        Poll::Pending if std::mem::take(&mut is_first) => {
            context.waker().wake_by_ref();
            Poll::Pending
        }
        Poll::Pending => Poll::Ready(None),
    })
    .await
}
