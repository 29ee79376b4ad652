//! The layers around every request: id, limits, log line, and caught panics.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Instant,
};

use actix_web::{
    Error, HttpResponse, ResponseError as _,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    error::InternalError,
    http::{
        Method,
        header::{self, HeaderMap, HeaderName, HeaderValue, Quality},
    },
    middleware::Next,
    rt, web,
};
use futures_util::{FutureExt as _, future::LocalBoxFuture};
use serde_json::json;
use uuid::Uuid;

use super::{
    budget::RequestBudget,
    client::Client,
    compression, endpoints,
    metrics::Answered,
    preference,
    problem::{
        Attached, INTERNAL, MEDIA_TYPE, METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, NOT_FOUND, OtherForm, Problem,
    },
    request_id,
    response::known_by_content,
    state::State,
};
use crate::{
    engine::Lang,
    logging,
    service::{
        ServiceError,
        cost::{self, Budget, Work},
    },
};

/// Headers of every response.
static HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin")),
];
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub async fn around(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(state) = request.app_data::<web::Data<State>>().cloned() else {
        return Err(Problem::new(&INTERNAL).into());
    };
    // The router takes the request, so keep what is needed later.
    let seen = RequestRecord {
        begin: Instant::now(),
        id: request_id::next(),
        lang: preference::of_language(&request),
        method: known(request.method()),
        may_be_packed: compression::may_be(request.headers()),
        is_poll: request.query_string().contains("wait="),
    };
    // Readiness is answered to every client, over budget or not.
    let is_free = matches!(request.path(), "/health/ready" | "/metrics");
    let payer_budget = RequestBudget::open(&request, &state);
    let told = payer_budget.as_ref().ok().cloned();
    let entered = payer_budget.and_then(|payer_budget| {
        if is_free { Ok(payer_budget) } else { payer_budget.enter().map(|()| payer_budget) }
    });
    let mut paid_by = None;
    let answered = match entered {
        Err(problem) => Err(problem.into()),
        Ok(payer_budget) if is_banned(&request, &state, payer_budget.client) => {
            Err(Problem::from(ServiceError::AddressBanned).into())
        }
        Ok(_) if !accepts_what_there_is(&request) => Err(Problem::new(&NOT_ACCEPTABLE).into()),
        Ok(payer_budget) => {
            let payer: Rc<dyn Budget> = Rc::clone(paid_by.insert(payer_budget)) as _;
            let may_be_dropped = request.method().is_safe() || is_computation(request.path());
            let carried_out = cost::paid_by(payer, AssertUnwindSafe(next.call(request)).catch_unwind());
            let carried_out = if may_be_dropped {
                carried_out.await
            } else {
                CarriedThrough(Some(Box::pin(carried_out))).await
            };
            carried_out.unwrap_or_else(|_| Err(Problem::new(&INTERNAL).because("a handler panicked").into()))
        }
    };
    match answered {
        Ok(response) => {
            let (request, response) = response.map_into_boxed_body().into_parts();
            let mut response = seen.finish(known_by_content(&request, response));
            if seen.may_be_packed
                && let Some(way) = compression::wanted(&request)
            {
                // Boxed: keeps the future of each request small.
                response = Box::pin(compression::pack(response, way)).await;
            }
            if let Some(payer_budget) = &told {
                payer_budget.tell(response.headers_mut());
            }
            if let (BodySize::Sized(bytes @ 1_024..), Some(payer_budget)) =
                (response.body().size(), paid_by.filter(|_| !is_free))
            {
                payer_budget.charge(Work::Transfer { bytes });
            }
            let client = told.map(|payer_budget| payer_budget.client);
            seen.note(&state, request.match_pattern().as_deref(), client, &response);
            Ok(ServiceResponse::new(request, response))
        }
        Err(error) => {
            let known = error.as_error::<Problem>().cloned();
            let problem = known.unwrap_or_else(|| foreign(error.as_response_error().status_code().as_u16()));
            let mut response = seen.finish(problem.in_lang(seen.lang).error_response());
            if let Some(payer_budget) = &told {
                payer_budget.tell(response.headers_mut());
            }
            let client = told.map(|payer_budget| payer_budget.client);
            seen.note(&state, None, client, &response);
            Err(InternalError::from_response("", response).into())
        }
    }
}

/// The CORS layer answers a preflight; this layer adds the usual headers.
pub async fn identify(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let (lang, is_preflight) = (preference::of_language(&request), request.method() == Method::OPTIONS);
    let is_local = request.match_info().as_str() == "/metrics";
    let mut response = next.call(request).await?.map_into_boxed_body();
    if is_local {
        // A browser on the server's machine is no local program for the pages that it shows.
        response.headers_mut().remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    }
    if is_preflight && response.status().is_client_error() && !response.headers().contains_key(REQUEST_ID) {
        let problem = Problem::malformed(
            "this origin may not call the API, or not with this method",
            "questa origine non può usare l'API, o non con questo metodo",
        );
        response = response.into_response(problem.in_lang(lang).error_response());
    }
    if !response.headers().contains_key(REQUEST_ID) {
        dress(response.headers_mut(), request_id::next());
    }
    Ok(response)
}

/// Adds the headers of every response.
fn dress(headers: &mut HeaderMap, id: Uuid) {
    for (name, value) in &HEADERS {
        headers.insert(name.clone(), value.clone());
    }
    if let Ok(id) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
        headers.insert(REQUEST_ID, id);
    }
}

/// A request with an effect, which runs to its end even if its client disconnects.
struct CarriedThrough<T: 'static>(Option<LocalBoxFuture<'static, T>>);

impl<T> Future for CarriedThrough<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<T> {
        let Some(future) = &mut self.0 else { return Poll::Pending };
        let done = future.as_mut().poll(context);
        if done.is_ready() {
            self.0 = None;
        }
        done
    }
}

impl<T> Drop for CarriedThrough<T> {
    fn drop(&mut self) {
        // At a stop there is no runtime to spawn on.
        if let Some(future) = self.0.take()
            && rt::System::try_current().is_some()
        {
            rt::spawn(future);
        }
    }
}

/// Returns whether the operator has banned the client. It may still read pages, and whom to ask.
fn is_banned(request: &ServiceRequest, state: &State, client: Client) -> bool {
    state.service.instance.bans(client.address()) && {
        // The path as the router reads it, with `%76` as `v`.
        let path = request.match_info().as_str();
        let is_picture =
            path.starts_with("/games/") && [".png", ".svg"].iter().any(|end| path.ends_with(end));
        let is_api = path.starts_with("/v1/") || path.starts_with("/oauth/") || is_picture;
        // An operator who banned its own address must be able to end that.
        let is_open = matches!(path, "/v1/server" | "/v1/operator-log") || path.starts_with("/v1/admin/");
        is_api && !is_open
    }
}

/// Returns whether a request only lets bots think, and is useless when its client has gone.
fn is_computation(path: &str) -> bool {
    path.contains("/explorations")
}

/// Returns whether the client accepts a media type of the endpoint.
fn accepts_what_there_is(request: &ServiceRequest) -> bool {
    // Most clients accept everything; only for others the endpoint is looked up.
    let accept = request.headers().get(header::ACCEPT);
    if accept.is_none_or(|accept| accept == "*/*") || !request.path().starts_with("/v1/") {
        return true;
    }
    let pattern = request.match_pattern();
    let offers = pattern.and_then(|pattern| endpoints::offers(&pattern, request.method()));
    let takes = |kind: &&str| preference::of_type(request, kind) > Quality::ZERO;
    // An answer without content has no type.
    offers.is_none_or(|offers| offers.is_empty() || offers.iter().any(takes))
}

/// Returns the name of a known method.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// Data of a request, kept while it is handled.
struct RequestRecord {
    begin: Instant,
    id: Uuid,
    lang: Lang,
    method: &'static str,
    /// Whether the answer may be compressed.
    may_be_packed: bool,
    /// Whether the request waits for others.
    is_poll: bool,
}

impl RequestRecord {
    /// Replaces the framework's errors by problems, and adds the headers of every response.
    fn finish(&self, response: HttpResponse) -> HttpResponse {
        let kind = response.headers().get(header::CONTENT_TYPE);
        let is_problem = kind.is_some_and(|kind| kind.as_bytes().starts_with(MEDIA_TYPE.as_bytes()))
            || response.extensions().contains::<OtherForm>();
        let status = response.status();
        let told = response.extensions().get::<Attached>().map(|told| told.0.clone());
        let mut response = if let Some(problem) = told.filter(|problem| problem.lang() != self.lang) {
            problem.in_lang(self.lang).error_response()
        } else if (status.is_client_error() || status.is_server_error()) && !is_problem {
            foreign(status.as_u16()).in_lang(self.lang).error_response()
        } else {
            response
        };
        dress(response.headers_mut(), self.id);
        response
    }

    fn note(&self, state: &State, route: Option<&str>, client: Option<Client>, response: &HttpResponse) {
        let took = self.begin.elapsed();
        // Count known routes and methods only, so that clients cannot create metric labels.
        let (method, route) = match route {
            Some(route) => (self.method, route),
            None => ("none", "none"),
        };
        let status = response.status().as_u16();
        let is_stream =
            response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
        let took_alone = (!is_stream && !self.is_poll).then_some(took);
        state.counts.note(&Answered { method, route, status, took: took_alone });
        if !state.config.log_requests.has(route, status) {
            return;
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        // Logs the pattern, not the path: ids of unlisted games are private.
        let fields = || {
            let mut fields = json!({"request_id": self.id, "method": method, "route": route, "status": status, "micros": micros});
            if let Some(client) = client.filter(|_| state.config.log_clients) {
                fields["client"] = client.to_string().into();
            }
            if let Some(cause) = response.extensions().get::<Attached>().and_then(|told| told.0.cause()) {
                fields["cause"] = cause.into();
            }
            fields
        };
        logging::write(state.config.log_format, "request", fields);
    }
}

/// Returns the problem for an error of the framework.
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
        config::Config,
        http::state::Shared,
        service::{
            Limits, Service,
            ports::{Outside, System, SystemClock},
        },
        store::{Store, sqlite::Settings},
        tree::signer::Signer,
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

    /// A panic is answered as a fault of the server, without its cause, and stops no other request.
    #[test]
    fn a_panic_is_caught_and_answered() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("games.db"), &Settings::default()).unwrap());
        let signer = Signer::new("test", &[1; 32]).unwrap();
        let config = Flags::parse_from(["test", "--log-format", "off"]).config;
        rt::System::new().block_on(async move {
            let outside = Outside {
                clock: Arc::new(SystemClock::default()),
                entropy: Arc::new(System),
                courier: Box::new(config.courier().unwrap()),
                public_url: None,
                witnesses: Vec::new(),
            };
            let service = Service::new(store, signer, outside, Limits::default()).await.unwrap();
            let state = State::of_thread(&Arc::new(Shared::new(service, config)));
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
