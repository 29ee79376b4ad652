//! Server-sent events: a response that goes on.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{Method, header},
    rt::time::timeout,
    web::Bytes,
};
use futures_util::stream;

use super::problem::{MALFORMED, Problem};

/// Where the frames of a stream come from.
pub trait Source: 'static {
    /// The next frames, as soon as there are any; nothing at the end.
    async fn next(&mut self) -> Option<Vec<Frame>>;

    /// Whether the caller may still listen. It is asked from time to time.
    fn is_allowed(&self) -> bool;
}

/// One event.
pub struct Frame(String);

impl Frame {
    /// The data must be one line, as JSON is.
    pub fn new(id: &impl std::fmt::Display, event: Option<&str>, data: &str) -> Self {
        let event = event.map_or_else(String::new, |event| format!("event: {event}\n"));
        Self(format!("id: {id}\n{event}data: {data}\n\n"))
    }

    /// One without an id, which changes nothing of where a reconnect goes on.
    pub fn aside(event: &str) -> Self {
        Self(format!("event: {event}\ndata: {{}}\n\n"))
    }
}

/// Whether the sender asks for a stream.
pub fn is_wanted(request: &HttpRequest) -> bool {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| {
        accept.split(',').any(|range| {
            range.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/event-stream"))
        })
    })
}

/// The id of the last event that a client saw before it connected again.
pub fn last_event_id(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else { return Ok(None) };
    let malformed = || Problem::new(&MALFORMED).detail("the header Last-Event-ID is not the id of an event");
    value.to_str().map(|id| Some(id).filter(|id| !id.is_empty())).map_err(|_| malformed())
}

/// Answers with what the source gives, and with a comment whenever it has been silent for this long.
pub fn respond(request: &HttpRequest, source: impl Source, keep_alive: Duration) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::CONTENT_TYPE, "text/event-stream"))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::VARY, "Authorization"))
        // Proxies that gather a response before they pass it on are asked not to.
        .insert_header(("X-Accel-Buffering", "no"));
    if request.method() == Method::HEAD {
        return response.finish();
    }
    // The first line goes out at once, so that the client knows that it is heard.
    let hello = Bytes::from_static(b": playledger\nretry: 1000\n\n");
    response.streaming(stream::unfold((source, Some(hello)), move |(mut source, hello)| async move {
        if let Some(hello) = hello {
            return Some((Ok::<_, actix_web::Error>(hello), (source, None)));
        }
        let bytes = match timeout(keep_alive, source.next()).await {
            Ok(frames) => frames?.into_iter().map(|frame| frame.0).collect::<String>().into(),
            Err(_) if source.is_allowed() => Bytes::from_static(b": keep-alive\n\n"),
            Err(_) => return None,
        };
        Some((Ok(bytes), (source, None)))
    }))
}
