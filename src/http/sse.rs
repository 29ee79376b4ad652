//! Server-sent events: a response that goes on.

use std::{fmt::Write as _, rc::Rc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{Method, Version, header},
    rt::time::timeout,
    web::Bytes,
};
use futures_util::stream;

use super::{places::Place, preference, problem::Problem, purse::Purse};
use crate::service::work::{self, Payer};

/// Where the frames of a stream come from.
pub trait Source: 'static {
    /// What comes next, as soon as there is anything; nothing at the end.
    async fn next(&mut self) -> Option<Frames>;

    /// Whether the caller may still listen. It is asked before anything is sent.
    async fn is_allowed(&self) -> bool;
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

/// The id of the last event that a client saw before it connected again.
pub fn last_event_id(request: &HttpRequest) -> Result<Option<&str>, Problem> {
    let Some(value) = request.headers().get("Last-Event-ID") else { return Ok(None) };
    let malformed = || {
        Problem::malformed(
            "the header Last-Event-ID is not the id of an event",
            "l'intestazione Last-Event-ID non è l'id di un evento",
        )
    };
    value.to_str().map(Some).map_err(|_| malformed())
}

/// Answers with what the source gives, and with a comment whenever it has been silent for this long.
pub fn respond<S: Source>(
    purse: Rc<Purse>,
    place: Option<Place>,
    source: S,
    keep_alive: Duration,
) -> HttpResponse {
    let payer: Rc<dyn Payer> = purse;
    // The first line goes out at once, so that the client knows that it is heard.
    let hello = Bytes::from_static(b": playledger\nretry: 1000\n\n");
    let next = move |(mut source, hello): (S, Option<Bytes>)| {
        let (payer, _) = (Rc::clone(&payer), &place);
        async move {
            if let Some(hello) = hello {
                return Some((Ok::<_, actix_web::Error>(hello), (source, None)));
            }
            let bytes = match timeout(keep_alive, work::paid_by(payer, source.next())).await {
                Ok(frames) => frames?.0.into(),
                Err(_) => Bytes::from_static(b": keep-alive\n\n"),
            };
            // A caller whose token has ended is sent nothing more.
            source.is_allowed().await.then_some((Ok(bytes), (source, None)))
        }
    };
    head().streaming(stream::unfold((source, Some(hello)), next))
}

/// The whole answer, if nothing but its head is asked for.
pub fn head_alone(request: &HttpRequest) -> Result<Option<HttpResponse>, Problem> {
    if request.version() < Version::HTTP_11 {
        return Err(Problem::malformed("a stream needs HTTP/1.1", "un flusso richiede HTTP/1.1"));
    }
    Ok((request.method() == Method::HEAD).then(|| head().finish()))
}

/// What a stream begins with.
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
