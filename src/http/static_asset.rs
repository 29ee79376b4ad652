//! Answers that never change while the server runs: known by a tag, and compressed once.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, ContentEncoding, ETag, EntityTag, HeaderValue, TryIntoHeaderValue as _},
    web::Bytes,
};
use sha2::{Digest as _, Sha256};

use super::{
    compression::{self, ONCE},
    preference,
    problem::{NOT_FOUND, Problem},
};
use crate::ledger::encoding::hex;

/// A text or a file, as it is and as it is packed.
#[derive(Clone)]
pub struct StaticAsset {
    kind: String,
    whole: Bytes,
    /// Nothing where it could not be packed: then it is given as it is.
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
    tag: String,
    cache: &'static str,
}

/// What is asked for again each time, by its tag.
const AGAIN: &str = "no-cache";

impl StaticAsset {
    pub fn new(kind: &str, content: impl Into<Bytes>) -> Self {
        let whole = content.into();
        let packed = |way| compression::packed(&whole, way, &ONCE);
        let (gzip, brotli) = (packed(ContentEncoding::Gzip), packed(ContentEncoding::Brotli));
        let tag = hex(&Sha256::digest(&whole)[..8]);
        Self { kind: kind.to_owned(), whole, gzip, brotli, tag, cache: AGAIN }
    }

    /// What stands under its address never changes, in no later build either.
    pub fn for_ever(self) -> Self {
        Self { cache: "public, max-age=31536000, immutable", ..self }
    }

    /// Answers with it, packed if the client takes that, or says that the client has it.
    pub fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let bare = EntityTag::new_strong(self.tag.clone());
        let has_it = preference::known(request).is_some_and(|known| preference::names(&known, &bare));
        let (way, body, ending) = match (compression::wanted(request), &self.brotli, &self.gzip) {
            (Some(way @ ContentEncoding::Brotli), Some(brotli), _) => (way, brotli, "-br"),
            (Some(ContentEncoding::Gzip), _, Some(gzip)) => (ContentEncoding::Gzip, gzip, "-gzip"),
            _ => (ContentEncoding::Identity, &self.whole, ""),
        };
        // What is packed is another thing to a cache.
        let tag = EntityTag::new_strong(format!("{}{ending}", self.tag));
        let mut response = if has_it {
            HttpResponse::NotModified().finish()
        } else {
            let mut response = HttpResponse::Ok();
            response.insert_header((header::CONTENT_TYPE, self.kind.as_str()));
            if way != ContentEncoding::Identity {
                response.insert_header(way);
            }
            response.body(body.clone())
        };
        let headers = response.headers_mut();
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache));
        // What never changes is never asked for again.
        if self.cache == AGAIN
            && let Ok(tag) = ETag(tag).try_into_value()
        {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

/// What was packed before under this name, or is now, if there is such a thing. There are few, and no client
/// makes them up.
pub fn once(name: &str, make: impl FnOnce() -> Option<StaticAsset>) -> Result<StaticAsset, Problem> {
    static KEPT: Mutex<BTreeMap<String, StaticAsset>> = Mutex::new(BTreeMap::new());
    let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(packed) = kept().get(name) {
        return Ok(packed.clone());
    }
    let packed = make().ok_or_else(|| Problem::new(&NOT_FOUND))?;
    kept().insert(name.to_owned(), packed.clone());
    Ok(packed)
}
