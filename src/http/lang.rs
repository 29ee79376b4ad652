//! The language of a request.

use actix_web::{HttpRequest, http::header};

use crate::engine::Lang;

/// The first language that the sender likes best and that there is; English if there is none.
pub fn of(request: &HttpRequest) -> Lang {
    let accepted = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    accepted.map_or(Lang::En, best)
}

fn best(accepted: &str) -> Lang {
    let mut best = (Lang::En, 0.0);
    for range in accepted.split(',') {
        let mut parts = range.split(';');
        let tag = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let quality =
            parts.find_map(|part| part.trim().strip_prefix("q=")).map_or(Some(1.0), |q| q.parse().ok());
        let Some(quality) = quality.filter(|quality: &f32| (0.0..=1.0).contains(quality)) else { continue };
        let lang = Lang::ALL.into_iter().find(|lang| {
            tag == "*"
                || tag == lang.tag()
                || tag.strip_prefix(lang.tag()).is_some_and(|rest| rest.starts_with('-'))
        });
        if let Some(lang) = lang.filter(|_| quality > best.1) {
            best = (lang, quality);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(best(accepted), lang, "{accepted}");
        }
    }
}
