//! Preferences of a client: media type and language.

use actix_web::{
    HttpMessage,
    http::header::{
        ACCEPT, ACCEPT_LANGUAGE, Accept, AcceptLanguage, EntityTag, Header as _, HeaderName, IF_NONE_MATCH,
        IfNoneMatch, Preference, Quality,
    },
};

use super::compression;
use crate::engine::Lang;

/// A longer header is ignored.
const LONGEST: usize = 2_048;

/// Returns whether a client sends this header.
fn says(request: &impl HttpMessage, name: &HeaderName) -> bool {
    let length: usize = request.headers().get_all(name).map(|value| value.len() + 1).sum();
    (1..=LONGEST).contains(&length)
}

/// Returns the tags that the client has.
pub fn known(request: &impl HttpMessage) -> Option<IfNoneMatch> {
    let said = says(request, &IF_NONE_MATCH).then(|| IfNoneMatch::parse(request).ok());
    Some(match said.flatten()? {
        IfNoneMatch::Any => IfNoneMatch::Any,
        // Tags match in any encoding.
        IfNoneMatch::Items(tags) => IfNoneMatch::Items(tags.iter().map(compression::bare).collect()),
    })
}

/// Returns whether the client has the answer with this tag.
pub fn names(known: &IfNoneMatch, tag: &EntityTag) -> bool {
    match known {
        IfNoneMatch::Any => true,
        IfNoneMatch::Items(known) => known.iter().any(|known| known.weak_eq(tag)),
    }
}

/// Returns the quality of a media type for the client: that of the most specific range. Without a header,
/// every type is accepted.
pub fn of_type(request: &impl HttpMessage, kind: &str) -> Quality {
    if !says(request, &ACCEPT) {
        return Quality::MAX;
    }
    let accepted = match Accept::parse(request) {
        Ok(Accept(accepted)) if !accepted.is_empty() => accepted,
        _ => return Quality::ZERO,
    };
    let (family, subtype) = kind.split_once('/').unwrap_or((kind, ""));
    let closest = accepted.iter().filter_map(|range| {
        let closeness = match (range.item.type_().as_str(), range.item.subtype().as_str()) {
            (a, b) if a == family && b == subtype => 3,
            (a, "*") if a == family => 2,
            ("*", "*") => 1,
            _ => return None,
        };
        Some((closeness, range.quality))
    });
    // If ranges are equally specific, the first counts.
    closest.rev().max_by_key(|(closeness, _)| *closeness).map_or(Quality::ZERO, |(_, quality)| quality)
}

/// Returns the preferred language of the client, English by default.
pub fn of_language(request: &impl HttpMessage) -> Lang {
    // Most programs send no header.
    if !says(request, &ACCEPT_LANGUAGE) {
        return Lang::En;
    }
    let Ok(AcceptLanguage(accepted)) = AcceptLanguage::parse(request) else { return Lang::En };
    let mut best = (Lang::En, Quality::ZERO);
    for range in accepted {
        let lang = match &range.item {
            Preference::Any => Some(Lang::En),
            Preference::Specific(tag) => {
                Lang::ALL.into_iter().find(|lang| tag.primary_language() == lang.tag())
            }
        };
        if let Some(lang) = lang.filter(|_| range.quality > best.1) {
            best = (lang, range.quality);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn wishes_without_end_are_not_read() {
        let request = |times| TestRequest::default().insert_header((ACCEPT_LANGUAGE, "it, ".repeat(times)));
        assert_eq!(of_language(&request(500).to_srv_request()), Lang::It);
        assert_eq!(of_language(&request(600).to_srv_request()), Lang::En);
    }

    #[test]
    fn the_closest_range_counts() {
        let quality = |value: f32| Quality::try_from(value).unwrap();
        for (accept, json, stream) in [
            ("*/*", 1.0, 1.0),
            ("application/json", 1.0, 0.0),
            ("text/event-stream", 0.0, 1.0),
            ("text/event-stream;q=0.5, application/json", 1.0, 0.5),
            ("text/*;q=0.2, */*;q=0.1", 0.1, 0.2),
            ("*/*, application/json;q=0", 0.0, 1.0),
            ("image/png", 0.0, 0.0),
        ] {
            let request = TestRequest::get().insert_header(("Accept", accept)).to_http_request();
            let liked = ["application/json", "text/event-stream"].map(|kind| of_type(&request, kind));
            assert_eq!(liked, [json, stream].map(quality), "{accept}");
        }
        let silent = TestRequest::get().to_http_request();
        assert_eq!(of_type(&silent, "application/json"), Quality::MAX, "nothing said is everything taken");
    }

    #[test]
    fn the_best_liked_language_is_taken() {
        for (accepted, lang) in [
            ("it", Lang::It),
            ("it-IT,en;q=0.5", Lang::It),
            ("en;q=0.4, it;q=0.8", Lang::It),
            ("en,it", Lang::En),
            ("de, it;q=0.1", Lang::It),
            ("de", Lang::En),
            ("*", Lang::En),
            ("it;q=0", Lang::En),
            ("it;q=x", Lang::En),
            ("item", Lang::En),
            ("", Lang::En),
        ] {
            let request = TestRequest::get().insert_header(("Accept-Language", accepted)).to_http_request();
            assert_eq!(of_language(&request), lang, "{accepted}");
        }
    }
}
