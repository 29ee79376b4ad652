//! Server-sent events: a response that goes on.

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

/// Where the frames of a stream come from.
pub trait Source: 'static {
    /// What comes next, as soon as there is anything; nothing at the end.
    async fn next(&mut self) -> Option<Frames>;

    /// Whether the caller may still listen. It is asked before anything is sent.
    async fn is_allowed(&self) -> bool;

    /// The proof by which the stream may be opened again, if a ticket opened it.
    fn proof(&self) -> Option<String>;

    /// The id of the last event before those that come.
    fn begin(&self) -> String;
}

/// Events, one after the other as they go over the wire.
#[derive(Default)]
pub struct Frames(String);

/// How much an event takes beside its data, mostly.
const AROUND: usize = 64;

impl Frames {
    /// The data must be one line, as JSON is.
    pub fn event(mut self, id: &impl std::fmt::Display, name: Option<&str>, data: &str) -> Self {
        self.0.reserve(data.len() + AROUND);
        // Nothing that is written to a text fails.
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
        // Data is one line of JSON, which begins otherwise.
        self.0.lines().map(line).collect()
    }

    /// An event that has no place among the others: whoever connects again goes on from where it was.
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

/// Whether the sender likes a stream better than a list.
pub fn is_wanted(request: &HttpRequest) -> bool {
    let liked = |kind| preference::of_type(request, kind);
    liked("text/event-stream") > liked("application/json")
}

/// Separates the id of an event from the proof by which its ticket opens the stream again.
const PROOF: char = ';';

/// Returns the proof that came back with the id of the last event.
pub fn proof(request: &HttpRequest) -> Option<&str> {
    let value = request.headers().get("Last-Event-ID")?.to_str().ok()?;
    value.split_once(PROOF).map(|(_, proof)| proof)
}

/// The id of the last event that a client saw before it connected again.
pub fn last_event_id(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else { return Ok(None) };
    let malformed = || {
        Problem::malformed(
            "the header Last-Event-ID is not the id of an event",
            "l'intestazione Last-Event-ID non è l'id di un evento",
        )
    };
    let id = value.to_str().map_err(|_| malformed())?;
    Ok(Some(id.split_once(PROOF).map_or(id, |(id, _)| id)).filter(|id| !id.is_empty()))
}

/// Answers with what the source gives, and with a comment whenever it has been silent for this long.
///
/// The client pays for each frame. A stream whose client cannot pay any more ends; the client connects again,
/// with the id of the last event, once it has waited.
pub fn respond<S: Source>(
    request: &HttpRequest,
    (purse, listener): (Rc<RequestBudget>, Listener),
    source: S,
    keep_alive: Duration,
) -> HttpResponse {
    let (payer, proof): (Rc<dyn Budget>, _) = (purse, source.proof());
    // The first lines go out at once, so that the client knows that it is heard, and has a proof if it needs one.
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
            // A caller whose token has ended is sent nothing more.
            source.is_allowed().await.then_some((Ok(bytes), (source, None)))
        }
    };
    closed_at_end(request, head().streaming(stream::unfold((source, Some(hello)), next)))
}

/// Returns the whole answer if nothing but its head is asked for.
pub fn head_alone(request: &HttpRequest) -> Option<HttpResponse> {
    (request.method() == Method::HEAD).then(|| head().finish())
}

/// Ends the stream with its connection for a client that speaks HTTP/1.0, as nginx does by default: it knows
/// no chunks.
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
        // Proxies that gather a response before they pass it on are asked not to.
        .insert_header(("X-Accel-Buffering", "no"));
    response
}
