//! Compressed answers.

use std::io::Write as _;

use actix_web::{
    HttpMessage, HttpResponse,
    body::{BodySize, BoxBody, MessageBody as _},
    http::header::{
        self, AcceptEncoding, ContentEncoding, ETag, Encoding, EntityTag, Header as _, HeaderMap,
        HeaderValue, TryIntoHeaderValue as _,
    },
    web::{self, Bytes},
};
use brotli::{CompressorWriter, enc::BrotliEncoderParams};
use flate2::{Compression, write::GzEncoder};

/// Shorter answers are not compressed.
const LEAST: u64 = 1_024;
/// Longer answers are compressed outside the serving threads.
const LONG: usize = 16 * 1_024;
/// Level of brotli, of 11: about as fast as gzip, and smaller.
const EFFORT: i32 = 4;

/// Encodings, with their name in the header and their suffix in the `ETag`.
const WAYS: [(ContentEncoding, &str, &str); 2] =
    [(ContentEncoding::Brotli, "br", "-br"), (ContentEncoding::Gzip, "gzip", "-gzip")];

/// Returns whether the client names encodings. Most programs do not.
pub fn may_be(asked: &HeaderMap) -> bool {
    asked.contains_key(header::ACCEPT_ENCODING)
}

/// Returns the preferred encoding of the client.
pub fn wanted(request: &impl HttpMessage) -> Option<ContentEncoding> {
    let accepted = AcceptEncoding::parse(request).ok()?;
    let supported = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
    match accepted.negotiate(supported.iter())? {
        liked if liked == Encoding::brotli() => Some(ContentEncoding::Brotli),
        liked if liked == Encoding::gzip() => Some(ContentEncoding::Gzip),
        _ => None,
    }
}

/// Returns an `ETag` without the suffix of an encoding.
pub fn bare(tag: &EntityTag) -> EntityTag {
    let ending = WAYS.iter().find_map(|(.., ending)| tag.tag().strip_suffix(ending));
    let bare = ending.unwrap_or(tag.tag()).to_owned();
    if tag.weak { EntityTag::new_weak(bare) } else { EntityTag::new_strong(bare) }
}

/// Compresses a long text. Answers that no cache may keep are left alone: the length could reveal a secret
/// next to what the client sent.
pub async fn pack(response: HttpResponse, way: ContentEncoding) -> HttpResponse {
    let BodySize::Sized(LEAST..) = response.body().size() else { return response };
    let says = |name, text: &str| {
        response
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.contains(text))
    };
    let is_text = says(header::CONTENT_TYPE, "json") || says(header::CONTENT_TYPE, "text/");
    let is_packed = response.headers().contains_key(header::CONTENT_ENCODING);
    if !is_text || is_packed || says(header::CACHE_CONTROL, "no-store") {
        return response;
    }
    let (head, body) = response.into_parts();
    let bytes = match body.try_into_bytes() {
        Ok(bytes) => bytes,
        Err(body) => return head.set_body(body),
    };
    let mut response = head.set_body(BoxBody::new(()));
    let packed = if bytes.len() > LONG {
        let long = bytes.clone();
        web::block(move || packed(&long, way, &QUICK)).await.unwrap_or(None)
    } else {
        packed(&bytes, way, &QUICK)
    };
    match packed {
        None => response.set_body(BoxBody::new(bytes)),
        Some(packed) => {
            name_way(&mut response, way);
            response.set_body(BoxBody::new(packed))
        }
    }
}

/// Sets the encoding of an answer. Each encoding needs its own `ETag`.
fn name_way(response: &mut HttpResponse, way: ContentEncoding) {
    let Some((_, name, ending)) = WAYS.iter().find(|(known, ..)| *known == way) else { return };
    let tag =
        response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok()?.parse::<EntityTag>().ok());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    let varies =
        headers.get(header::VARY).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    if !varies.contains("Accept-Encoding") {
        let varies = if varies.is_empty() {
            "Accept-Encoding".to_owned()
        } else {
            format!("{varies}, Accept-Encoding")
        };
        if let Ok(value) = HeaderValue::from_str(&varies) {
            headers.insert(header::VARY, value);
        }
    }
    if let Some(tag) = tag.filter(|tag| !tag.weak)
        && let Ok(value) = ETag(EntityTag::new_strong(format!("{}{ending}", tag.tag()))).try_into_value()
    {
        headers.insert(header::ETAG, value);
    }
}

/// The levels of gzip and brotli.
pub struct Effort {
    gzip: Compression,
    brotli: i32,
}

/// For an answer that a client waits for.
const QUICK: Effort = Effort { gzip: Compression::fast(), brotli: EFFORT };
/// For an answer that is compressed once. The next level takes twice the memory, 32 MB, and saves a
/// thousandth of the page.
pub const ONCE: Effort = Effort { gzip: Compression::best(), brotli: 8 };

/// Compresses bytes. Writing to memory cannot fail.
pub fn packed(bytes: &[u8], way: ContentEncoding, effort: &Effort) -> Option<Bytes> {
    if way == ContentEncoding::Gzip {
        let mut gzip = GzEncoder::new(Vec::new(), effort.gzip);
        gzip.write_all(bytes).ok()?;
        return gzip.finish().ok().map(Into::into);
    }
    let params = BrotliEncoderParams {
        quality: effort.brotli,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut brotli = CompressorWriter::with_params(Vec::new(), 4_096, &params);
    brotli.write_all(bytes).ok()?;
    Some(brotli.into_inner().into())
}
