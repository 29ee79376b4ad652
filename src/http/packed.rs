//! Answers that never change while the server runs: known by a tag, and compressed once.

use std::{
    collections::BTreeMap,
    io::Write as _,
    sync::{Mutex, PoisonError},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{
        self, AcceptEncoding, ContentEncoding, ETag, EntityTag, Header as _, HeaderValue,
        TryIntoHeaderValue as _,
    },
    web::Bytes,
};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};

use super::{
    preference,
    problem::{NOT_FOUND, Problem},
};
use crate::ledger::encoding::hex;

/// A text or a file, as it is and as it is packed.
#[derive(Clone)]
pub struct Packed {
    kind: String,
    whole: Bytes,
    gzip: Bytes,
    tag: String,
}

impl Packed {
    pub fn new(kind: &str, content: impl Into<Bytes>) -> Self {
        let whole = content.into();
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        // Nothing that is written to memory fails.
        let gzip = gzip.write_all(&whole).and_then(|()| gzip.finish()).unwrap_or_default();
        let tag = hex(&Sha256::digest(&whole)[..8]);
        Self { kind: kind.to_owned(), whole, gzip: gzip.into(), tag }
    }

    /// Answers with it, packed if the client takes that, or says that the client has it.
    pub fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let packs = !self.gzip.is_empty() && takes_gzip(request);
        let bare = EntityTag::new_strong(self.tag.clone());
        let has_it = preference::known(request).is_some_and(|known| preference::names(&known, &bare));
        // What is packed is another thing to a cache.
        let tag = if packs { EntityTag::new_strong(format!("{}-gzip", self.tag)) } else { bare };
        let mut response = if has_it {
            HttpResponse::NotModified().finish()
        } else {
            let mut response = HttpResponse::Ok();
            response.insert_header((header::CONTENT_TYPE, self.kind.as_str()));
            if packs {
                response.insert_header(ContentEncoding::Gzip).body(self.gzip.clone())
            } else {
                response.body(self.whole.clone())
            }
        };
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if let Ok(tag) = ETag(tag).try_into_value() {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

/// What was packed before under this name, or is now, if there is such a thing. There are few, and no client makes them up.
pub fn once(name: &str, make: impl FnOnce() -> Option<Packed>) -> Result<Packed, Problem> {
    static KEPT: Mutex<BTreeMap<String, Packed>> = Mutex::new(BTreeMap::new());
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(packed) = kept().get(name) {
        return Ok(packed.clone());
    }
    let packed = make().ok_or_else(|| Problem::new(&NOT_FOUND))?;
    kept().insert(name.to_owned(), packed.clone());
    Ok(packed)
}

/// Who would take gzip gets it, since that was packed before.
fn takes_gzip(request: &HttpRequest) -> bool {
    if !request.headers().contains_key(header::ACCEPT_ENCODING) {
        return false;
    }
    let accepted = AcceptEncoding::parse(request);
    let supported = [header::Encoding::gzip(), header::Encoding::identity()];
    accepted.is_ok_and(|accepted| accepted.negotiate(supported.iter()) == Some(header::Encoding::gzip()))
}
