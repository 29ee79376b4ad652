//! Around every request: its id, its limits, its log line, and a caught panic.

use std::{net::IpAddr, panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    Error, HttpResponse, ResponseError as _,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    error::InternalError,
    http::header::{self, HeaderMap, HeaderName, HeaderValue},
    middleware::Next,
    web,
};
use futures_util::FutureExt as _;
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter, clock::Clock as _};
use serde_json::json;
use uuid::Uuid;

use super::{
    accept,
    app::State,
    lang,
    problem::{INTERNAL, METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, NOT_FOUND, Problem, RATE_LIMITED, Told},
};
use crate::{config::Config, engine::Lang, logging};

/// Headers that every response has.
const HEADERS: [(&str, &str); 4] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "cross-origin"),
];
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// How many clients are remembered before those that are silent are forgotten.
const CLIENTS: usize = 50_000;

/// How much each client may ask for.
pub struct Limiter(Option<DefaultKeyedRateLimiter<IpAddr>>);

impl Limiter {
    pub fn new(config: &Config) -> Self {
        let rate = std::num::NonZeroU32::new(config.rate);
        let burst = std::num::NonZeroU32::new(config.burst).unwrap_or(std::num::NonZeroU32::MIN);
        Self(rate.map(|rate| RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst))))
    }

    /// How many seconds this client has to wait, if it has to.
    fn wait(&self, client: IpAddr) -> Option<u64> {
        let limiter = self.0.as_ref()?;
        if limiter.len() > CLIENTS {
            limiter.retain_recent();
        }
        let now = governor::clock::DefaultClock::default().now();
        limiter.check_key(&network(client)).err().map(|wait| wait.wait_time_from(now).as_secs() + 1)
    }
}

/// Whoever has one IPv6 address has a whole network of them.
fn network(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V4(_) => client,
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
    }
}

pub async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(state) = request.app_data::<web::Data<State>>().cloned() else {
        return Err(Problem::new(&INTERNAL).into());
    };
    // The request itself may not be kept beyond this: the router takes it for its own.
    let seen = Seen {
        begin: Instant::now(),
        id: Uuid::now_v7().to_string(),
        lang: lang::of(request.request()),
        method: request.method().to_string(),
    };
    let wait = request.peer_addr().and_then(|client| state.limiter.wait(client.ip()));
    let answered = match wait {
        Some(seconds) => Err(Problem::new(&RATE_LIMITED).retry_after(seconds).into()),
        None if !accepts_what_there_is(&request) => Err(Problem::new(&NOT_ACCEPTABLE).into()),
        None => AssertUnwindSafe(next.call(request))
            .catch_unwind()
            .await
            .unwrap_or_else(|_| Err(Problem::new(&INTERNAL).because("a handler panicked").into())),
    };
    match answered {
        Ok(response) => {
            let (request, response) = response.map_into_boxed_body().into_parts();
            let response = seen.finish(response);
            seen.note(&state, request.match_pattern().as_deref(), &response);
            Ok(ServiceResponse::new(request, response))
        }
        Err(error) => {
            let known = error.as_error::<Problem>().cloned();
            let problem = known.unwrap_or_else(|| foreign(error.as_response_error().status_code().as_u16()));
            let response = seen.finish(problem.in_lang(seen.lang).error_response());
            seen.note(&state, None, &response);
            Err(InternalError::from_response("", response).into())
        }
    }
}

/// A preflight is answered by the layer of CORS alone, and gets what every response has here.
pub async fn identify(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let mut response = next.call(request).await?.map_into_boxed_body();
    if !response.headers().contains_key(REQUEST_ID) {
        dress(response.headers_mut(), &Uuid::now_v7().to_string());
    }
    Ok(response)
}

/// Adds the headers that every response has.
fn dress(headers: &mut HeaderMap, id: &str) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
}

/// Whether the sender takes what the API gives on this path.
fn accepts_what_there_is(request: &ServiceRequest) -> bool {
    let path = request.path();
    let offered: &[&str] = match path {
        "/v1/me/events" => &["text/event-stream"],
        "/v1/fairlog" => &["text/markdown", "text/plain"],
        path if path.ends_with("/rules") => &["text/markdown", "text/plain"],
        path if path.ends_with("/events") => &["application/json", "text/event-stream"],
        _ => &["application/json", "application/problem+json"],
    };
    !path.starts_with("/v1/") || offered.iter().any(|kind| accept::quality(request.headers(), kind) > 0.0)
}

/// What is remembered of a request while it is carried out.
struct Seen {
    begin: Instant,
    id: String,
    lang: Lang,
    method: String,
}

impl Seen {
    /// Puts a problem in place of what the framework says, and adds the headers that every response has.
    fn finish(&self, response: HttpResponse) -> HttpResponse {
        let kind = response.headers().get(header::CONTENT_TYPE);
        let is_problem = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/problem+json"));
        let status = response.status();
        let told = response.extensions().get::<Told>().map(|told| told.0.clone());
        let mut response = if let Some(problem) = told.filter(|problem| problem.lang() != self.lang) {
            problem.in_lang(self.lang).error_response()
        } else if (status.is_client_error() || status.is_server_error()) && !is_problem {
            foreign(status.as_u16()).in_lang(self.lang).error_response()
        } else {
            response
        };
        dress(response.headers_mut(), &self.id);
        response
    }

    fn note(&self, state: &State, route: Option<&str>, response: &HttpResponse) {
        let took = self.begin.elapsed();
        // Strangers choose methods and paths; the numbers are kept for those that there are.
        let (method, route) = match route {
            Some(route) => (self.method.as_str(), route),
            None => ("none", "none"),
        };
        let status = response.status().as_u16();
        state.metrics.note(method, route, status, took);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        // The pattern is logged and not the path: ids of unlisted games are for those who were given them.
        let mut fields = json!({"request_id": self.id, "method": method, "route": route, "status": status, "micros": micros});
        if let Some(cause) =
            response.extensions().get::<Told>().and_then(|told| told.0.cause().map(str::to_owned))
        {
            fields["cause"] = cause.into();
        }
        logging::write(state.config.log_format, "request", &fields);
    }
}

/// A problem in place of what the framework would answer.
fn foreign(status: u16) -> Problem {
    match status {
        404 => Problem::new(&NOT_FOUND),
        405 => Problem::new(&METHOD_NOT_ALLOWED),
        400..500 => Problem::new(&super::problem::MALFORMED),
        _ => Problem::new(&INTERNAL),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use actix_web::{App, middleware::from_fn, test as harness};
    use clap::Parser as _;

    use super::*;
    use crate::{
        ledger::receipt::Signer,
        service::{Limits, Service, ports::System},
        store::{Settings, Store},
    };

    #[derive(clap::Parser)]
    struct Flags {
        #[command(flatten)]
        config: Config,
    }

    async fn fails() -> &'static str {
        assert_eq!(1, 2, "the cause");
        ""
    }

    /// A panic is a fault of the server: it is answered as one, says nothing of its cause, and stops nobody else.
    #[test]
    fn a_panic_is_caught_and_answered() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("games.db"), &Settings::default()).unwrap());
        let signer = Signer::new("test", &[1; 32]).unwrap();
        let service =
            Service::new(store, signer, Box::new(System), Box::new(System), Limits::default()).unwrap();
        let config = Flags::parse_from(["test", "--log-format", "off"]).config;
        let state = web::Data::new(State::new(service, config));
        actix_web::rt::System::new().block_on(async move {
            let app = App::new().app_data(state).wrap(from_fn(around)).route("/", web::get().to(fails));
            let app = harness::init_service(app).await;
            for _ in 0..2 {
                let request = harness::TestRequest::get().uri("/").to_request();
                let error = harness::try_call_service(&app, request).await.unwrap_err();
                let response = error.error_response();
                assert_eq!(response.status().as_u16(), 500);
                assert!(response.headers().contains_key(REQUEST_ID));
                let body = actix_web::body::to_bytes(response.into_body()).await.unwrap();
                let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
                assert_eq!(body["code"], "internal");
                assert!(!body.to_string().contains("the cause"));
            }
        });
    }
}
