//! What a sender takes as an answer.

use actix_web::http::header::{self, HeaderMap};

/// How much the sender likes this media type, from 0 (not at all) to 1. The closest of its ranges counts; one who says
/// nothing takes everything.
pub fn quality(headers: &HeaderMap, kind: &str) -> f32 {
    let Some(accept) = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()) else { return 1.0 };
    let family = kind.split('/').next().unwrap_or_default();
    let mut best = (0, 0.0);
    for range in accept.split(',') {
        let mut parts = range.split(';').map(str::trim);
        let named = parts.next().unwrap_or_default().to_ascii_lowercase();
        let closeness = if named == kind {
            3
        } else if named.strip_suffix("/*") == Some(family) {
            2
        } else if named == "*/*" {
            1
        } else {
            continue;
        };
        let quality = parts.find_map(|part| part.strip_prefix("q=")).map_or(Some(1.0), |q| q.parse().ok());
        if closeness > best.0 {
            best = (closeness, quality.unwrap_or(0.0));
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn the_closest_range_counts() {
        for (accept, json, stream) in [
            ("*/*", 1.0, 1.0),
            ("application/json", 1.0, 0.0),
            ("text/event-stream", 0.0, 1.0),
            ("text/event-stream;q=0.5, application/json", 1.0, 0.5),
            ("text/*;q=0.2, */*;q=0.1", 0.1, 0.2),
            ("*/*, application/json;q=0", 0.0, 1.0),
            ("image/png", 0.0, 0.0),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
            let liked = ["application/json", "text/event-stream"].map(|kind| quality(&headers, kind));
            assert_eq!(liked.map(f32::to_bits), [json, stream].map(f32::to_bits), "{accept}");
        }
        assert!(quality(&HeaderMap::new(), "application/json") > 0.0, "nothing said is everything taken");
    }
}
