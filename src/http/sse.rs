//! Server-sent events: a response without an end.

use std::{fmt::Write as _, rc::Rc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{ConnectionType, Method, Version, header},
    rt::time::timeout,
    web::Bytes,
};
use futures_util::stream;

use super::{
    budget::{Listener, RequestBudget},
    preference,
    problem::Problem,
};
use crate::service::cost::{self, Budget, Work};

/// The source of a stream's frames.
pub trait FrameSource: 'static {
    /// Waits for the next frames. Returns `None` at the end.
    async fn next(&mut self) -> Option<Frames>;

    /// Returns whether the caller may still listen, before frames are sent.
    async fn is_allowed(&self) -> bool;

    /// Returns the proof that reopens the stream, if a ticket opened it.
    fn proof(&self) -> Option<String>;

    /// Returns the id of the event before the first one.
    fn begin(&self) -> String;
}

/// Serialized events.
#[derive(Default)]
pub struct Frames(String);

/// Usual size of an event without its data.
const AROUND: usize = 64;

impl Frames {
    /// Adds an event. The data must be one line, as JSON is.
    pub fn event(mut self, id: &impl std::fmt::Display, name: Option<&str>, data: &str) -> Self {
        self.0.reserve(data.len() + AROUND);
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "id: {id}");
        self.told(name, data)
    }

    /// Adds a proof to each id.
    fn with_proof(self, proof: Option<&str>) -> String {
        let Some(proof) = proof else { return self.0 };
        let line = |line: &str| match line.strip_prefix("id: ") {
            Some(id) => format!("id: {id}{PROOF}{proof}\n"),
            None => format!("{line}\n"),
        };
        // Data is one line of JSON, which begins differently.
        self.0.lines().map(line).collect()
    }

    /// Adds an event without an id: after a reconnect the stream continues from the id before.
    pub fn passing(self, name: &str, data: &str) -> Self {
        self.told(Some(name), data)
    }

    fn told(mut self, name: Option<&str>, data: &str) -> Self {
        if let Some(name) = name {
            self.0.extend(["event: ", name, "\n"]);
        }
        self.0.extend(["data: ", data, "\n\n"]);
        self
    }
}

/// Returns whether the client prefers a stream to a list.
pub fn is_wanted(request: &HttpRequest) -> bool {
    let liked = |kind| preference::of_type(request, kind);
    liked("text/event-stream") > liked("application/json")
}

/// Separates the id of an event from the proof of its ticket.
const PROOF: char = ';';

/// Returns the proof that came back with the last event id.
pub fn proof(request: &HttpRequest) -> Option<&str> {
    let value = request.headers().get("Last-Event-ID")?.to_str().ok()?;
    value.split_once(PROOF).map(|(_, proof)| proof)
}

/// Returns the last event id that a client saw before a reconnect.
pub fn last_event_id(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else { return Ok(None) };
    let malformed =
        || Problem::of_header("Last-Event-ID", "is not the id of an event", "non è l'id di un evento");
    let id = value.to_str().map_err(|_| malformed())?;
    Ok(Some(id.split_once(PROOF).map_or(id, |(id, _)| id)).filter(|id| !id.is_empty()))
}

/// Answers with the frames of a source, and with a comment after each silence.
///
/// The client pays for each frame. The stream of a client over budget ends; the client reconnects with its
/// last event id after the time to wait.
pub fn respond<S: FrameSource>(
    request: &HttpRequest,
    (payer_budget, listener): (Rc<RequestBudget>, Listener),
    source: S,
    keep_alive: Duration,
) -> HttpResponse {
    let (payer, proof): (Rc<dyn Budget>, _) = (payer_budget, source.proof());
    // The first lines leave at once, so that the client knows of the connection and has its proof.
    let begin =
        proof.as_ref().map_or_else(String::new, |proof| format!("id: {}{PROOF}{proof}\n", source.begin()));
    let hello = Bytes::from(format!(": playledger\nretry: 1000\n{begin}\n"));
    let next = move |(mut source, hello): (S, Option<Bytes>)| {
        let (payer, proof, _) = (Rc::clone(&payer), proof.clone(), &listener);
        async move {
            if let Some(hello) = hello {
                return Some((Ok::<_, actix_web::Error>(hello), (source, None)));
            }
            let bytes: Bytes =
                match timeout(keep_alive, cost::paid_by(Rc::clone(&payer), source.next())).await {
                    Ok(frames) => frames?.with_proof(proof.as_deref()).into(),
                    Err(_) => Bytes::from_static(b": keep-alive\n\n"),
                };
            if !payer.overdraft().is_zero() {
                return None;
            }
            payer.charge(Work::Frame { bytes: bytes.len() as u64 });
            // After the end of its token, a caller gets nothing.
            source.is_allowed().await.then_some((Ok(bytes), (source, None)))
        }
    };
    closed_at_end(request, head().streaming(stream::unfold((source, Some(hello)), next)))
}

/// Returns the answer to a HEAD request.
pub fn head_alone(request: &HttpRequest) -> Option<HttpResponse> {
    (request.method() == Method::HEAD).then(|| head().finish())
}

/// Closes the connection at the end for HTTP/1.0, the default of nginx, which has no chunks.
fn closed_at_end(request: &HttpRequest, mut response: HttpResponse) -> HttpResponse {
    if request.version() < Version::HTTP_11 {
        response.head_mut().no_chunking(true);
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
    response
}

fn head() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "text/event-stream"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::VARY, "Authorization"))
        // Asks proxies not to buffer.
        .insert_header(("X-Accel-Buffering", "no"));
    response
}
