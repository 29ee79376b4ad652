//! Queries of requests, and ids in paths.

use std::collections::BTreeMap;

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use uuid::Uuid;

use crate::{
    engine::{
        Lang, Text,
        fields::MAX_WHOLE,
        malformed::{clip, one_of},
    },
    http::problem::{NOT_FOUND, Problem},
    rulesets::RulesetId,
    service::reading::{context::ViewOptions, page::Window},
};

/// An id in a path. An invalid id names nothing.
pub struct Id(pub Uuid);

impl FromRequest for Id {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.match_info().get("id").unwrap_or_default();
        let is_hyphenated = |uuid: &Uuid| {
            uuid.as_hyphenated().encode_lower(&mut Uuid::encode_buffer()).eq_ignore_ascii_case(id)
        };
        let hyphenated = Uuid::try_parse(id).ok().filter(is_hyphenated);
        std::future::ready(hyphenated.map(Self).ok_or_else(|| Problem::new(&NOT_FOUND)))
    }
}

/// The query of a request. Every parameter must be read.
pub struct Query(BTreeMap<String, String>);

impl FromRequest for Query {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(Self::read(request.query_string()))
    }
}

impl Query {
    pub fn read(text: &str) -> Result<Self, Problem> {
        let pairs: Vec<(String, String)> = web::Query::<Vec<(String, String)>>::from_query(text)
            .map_err(|_| {
                Problem::malformed(
                    "the query must have the form a=b&c=d",
                    "la query deve avere la forma a=b&c=d",
                )
            })?
            .into_inner();
        let mut query = BTreeMap::new();
        for (name, value) in pairs {
            if query.insert(name.clone(), value).is_some() {
                let name = clip(&name);
                let (en, it) =
                    (format!("query: `{name}` appears twice"), format!("query: `{name}` compare due volte"));
                return Err(Problem::malformed(en, it));
            }
        }
        Ok(Self(query))
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// Takes a parameter with this value. Returns whether it was present.
    pub fn take_word(&mut self, name: &str, word: &str) -> bool {
        let is_it = self.0.get(name).is_some_and(|text| text == word);
        if is_it {
            self.0.remove(name);
        }
        is_it
    }

    /// Takes a `seq`.
    pub fn seq(&mut self, name: &str) -> Result<Option<u64>, Problem> {
        let seq = self.whole(name, 0, MAX_WHOLE.cast_signed())?;
        Ok(seq.map(i64::cast_unsigned))
    }

    /// Takes a whole number within bounds.
    pub fn whole(&mut self, name: &str, least: i64, most: i64) -> Result<Option<i64>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        let plain = text.strip_prefix('-').unwrap_or(&text);
        let number = text.parse().ok().filter(|_| plain.bytes().all(|byte| byte.is_ascii_digit()));
        match number.filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(Problem::malformed(
                format!("query: `{name}` must be a whole number from {least} to {most}"),
                format!("query: `{name}` dev'essere un numero intero da {least} a {most}"),
            )),
        }
    }

    /// Takes a page size: 1 to 100, 25 by default.
    pub fn limit(&mut self) -> Result<u32, Problem> {
        let limit = self.whole("limit", 1, 100)?.unwrap_or(25);
        Ok(u32::try_from(limit).unwrap_or(25))
    }

    pub fn window(&mut self) -> Result<Window, Problem> {
        Ok(Window { limit: self.limit()?, cursor: self.text("cursor") })
    }

    /// Takes the `seq` after which a page begins; -1 means the start.
    pub fn after(&mut self) -> Result<Option<u64>, Problem> {
        let after = self.whole("after", -1, MAX_WHOLE.cast_signed())?;
        Ok(after.and_then(|after| u64::try_from(after).ok()))
    }

    /// Takes one of several words.
    pub fn word<T: Copy>(&mut self, name: &str, words: &[(&'static str, T)]) -> Result<Option<T>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meant)| Some(*meant));
        found.ok_or_else(|| {
            let Text { en, it } = one_of(Some(&text), words.iter().map(|(word, _)| *word));
            Problem::malformed(format!("query: `{name}`: {en}"), format!("query: `{name}`: {it}"))
        })
    }

    /// Takes a flag, `false` by default.
    pub fn flag(&mut self, name: &str) -> Result<bool, Problem> {
        Ok(self.word(name, &[("true", true), ("false", false)])?.unwrap_or_default())
    }

    /// Takes the name of a ruleset.
    pub fn ruleset(&mut self, name: &str) -> Result<Option<&'static str>, Problem> {
        let names: Vec<_> = RulesetId::ALL.iter().map(|id| (id.name(), id.name())).collect();
        self.word(name, &names)
    }

    /// Takes the name that a page chose for itself.
    pub fn page(&mut self, name: &str) -> Result<Option<String>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if (1..=40).contains(&text.len()) && text.bytes().all(is_plain) {
            return Ok(Some(text));
        }
        Err(Problem::malformed(
            format!("query: `{name}` must have 1 to 40 letters, digits, `-` and `_`"),
            format!("query: `{name}` deve avere da 1 a 40 lettere, cifre, `-` e `_`"),
        ))
    }

    /// Takes an id.
    pub fn id(&mut self, name: &str) -> Result<Option<Uuid>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        Uuid::try_parse(&text).map(Some).map_err(|_| {
            let (en, it) =
                (format!("query: `{name}` must be an id"), format!("query: `{name}` dev'essere un id"));
            Problem::malformed(en, it)
        })
    }

    /// Takes the options of a view that has texts only.
    pub fn words(&mut self, lang: Lang) -> Result<ViewOptions, Problem> {
        Ok(ViewOptions { words: self.flag("words")?.then_some(lang), ..ViewOptions::default() })
    }

    /// Takes the options of a view that has texts and legal commands.
    pub fn wish(&mut self, lang: Lang) -> Result<ViewOptions, Problem> {
        let wish = self.words(lang)?;
        Ok(ViewOptions { legal: self.word("with", &[("legal", ())])?.is_some(), ..wish })
    }

    /// Fails if a parameter was not read.
    pub fn end(self) -> Result<(), Problem> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(unknown) => {
                let unknown = clip(unknown);
                Err(Problem::malformed(
                    format!("query: `{unknown}` is not a known parameter"),
                    format!("query: `{unknown}` non è un parametro previsto"),
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::*;

    /// A short run of what the fuzz target does for hours.
    #[test]
    fn no_query_is_too_odd_to_be_read() {
        let pieces = "limit after seq cursor with = = = & & + % %zz %00 %C3 %C3%A9 \u{e9} - -1 0 100 9007199254740992 legal ; ? #";
        let pieces: Vec<&str> = pieces.split(' ').collect();
        let mut rng = ChaCha8Rng::from_seed([7; 32]);
        let mut below = |bound: usize| rng.next_u32() as usize % bound;
        let mut read = 0;
        for _ in 0..20_000 {
            let text: String = (0..below(12)).map(|_| pieces[below(pieces.len())]).collect();
            let Ok(mut query) = Query::read(&text) else { continue };
            let (limit, after, seq) = (query.limit(), query.after(), query.whole("seq", 0, 9));
            assert!(limit.is_err() || (1..=100).contains(&limit.unwrap()), "{text}");
            assert!(after.is_err() || after.unwrap().is_none_or(|after| after <= MAX_WHOLE), "{text}");
            assert!(seq.is_err() || seq.unwrap().is_none_or(|seq| (0..=9).contains(&seq)), "{text}");
            read += usize::from(query.text("cursor").is_some()) + usize::from(query.end().is_ok());
        }
        assert!(read > 1_000, "{read} had something to say");
    }
}
