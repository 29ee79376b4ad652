//! Static answers: tagged, and compressed once.

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

/// A static text or file, plain and compressed.
#[derive(Clone)]
pub struct StaticAsset {
    kind: String,
    whole: Bytes,
    /// `None` if compression failed; the plain form is then sent.
    gzip: Option<Bytes>,
    brotli: Option<Bytes>,
    tag: String,
    cache: &'static str,
}

/// Clients ask again each time, with the `ETag`.
const AGAIN: &str = "no-cache";

impl StaticAsset {
    pub fn new(kind: &str, content: impl Into<Bytes>) -> Self {
        let whole = content.into();
        let packed = |way| compression::packed(&whole, way, &ONCE);
        let (gzip, brotli) = (packed(ContentEncoding::Gzip), packed(ContentEncoding::Brotli));
        let tag = hex(&Sha256::digest(&whole)[..8]);
        Self { kind: kind.to_owned(), whole, gzip, brotli, tag, cache: AGAIN }
    }

    /// Allows caching for ever: the address names the content.
    pub fn for_ever(self) -> Self {
        Self { cache: "public, max-age=31536000, immutable", ..self }
    }

    /// Answers in an accepted encoding, or that the client has the current version.
    pub fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let bare = EntityTag::new_strong(self.tag.clone());
        let has_it = preference::known(request).is_some_and(|known| preference::names(&known, &bare));
        let (way, body, ending) = match (compression::wanted(request), &self.brotli, &self.gzip) {
            (Some(way @ ContentEncoding::Brotli), Some(brotli), _) => (way, brotli, "-br"),
            (Some(ContentEncoding::Gzip), _, Some(gzip)) => (ContentEncoding::Gzip, gzip, "-gzip"),
            _ => (ContentEncoding::Identity, &self.whole, ""),
        };
        // Each encoding needs its own `ETag`.
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
        // Content that never changes is not asked for again.
        if self.cache == AGAIN
            && let Ok(tag) = ETag(tag).try_into_value()
        {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

/// Returns the asset of this name, and makes it at the first use. Names do not come from clients.
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
