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
    http::problem::{NOT_FOUND, Problem, QueryMistake},
    rulesets::RulesetId,
    service::reading::{
        context::ViewOptions,
        page::{Window, no_cursor},
    },
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

/// The query of a request. Every parameter must be read; [`Query::end`] reports all mistakes at once.
pub struct Query {
    values: BTreeMap<String, String>,
    mistakes: Vec<QueryMistake>,
}

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
        let mut query = Self { values: BTreeMap::new(), mistakes: Vec::new() };
        for (name, value) in pairs {
            if let Some(first) = query.values.insert(name.clone(), value) {
                query.note(&name, Text::new("must appear once", "deve comparire una sola volta"));
                query.values.insert(name, first);
            }
        }
        Ok(query)
    }

    fn note(&mut self, name: &str, problem: Text<String>) {
        self.mistakes.push(QueryMistake { name: clip(name), problem });
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        self.values.remove(name)
    }

    /// Takes a parameter, and notes a mistake if `read` returns what it must be instead.
    fn take<T>(&mut self, name: &str, read: impl FnOnce(&str) -> Result<T, Text<String>>) -> Option<T> {
        let text = self.values.remove(name)?;
        match read(&text) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.note(name, problem);
                None
            }
        }
    }

    /// Takes a parameter with this value. Returns whether it was present.
    pub fn take_word(&mut self, name: &str, word: &str) -> bool {
        let is_it = self.values.get(name).is_some_and(|text| text == word);
        if is_it {
            self.values.remove(name);
        }
        is_it
    }

    /// Takes a `seq`.
    pub fn seq(&mut self, name: &str) -> Option<u64> {
        self.whole(name, 0, MAX_WHOLE.cast_signed()).map(i64::cast_unsigned)
    }

    /// Takes a whole number within bounds.
    pub fn whole(&mut self, name: &str, least: i64, most: i64) -> Option<i64> {
        self.take(name, |text| {
            let plain = text.strip_prefix('-').unwrap_or(text);
            let number = text.parse().ok().filter(|_| plain.bytes().all(|byte| byte.is_ascii_digit()));
            number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
                Text::new(
                    format!("must be a whole number from {least} to {most}"),
                    format!("dev'essere un numero intero da {least} a {most}"),
                )
            })
        })
    }

    /// Takes a page size: 1 to 100, 25 by default.
    pub fn limit(&mut self) -> u32 {
        self.whole("limit", 1, 100).and_then(|limit| u32::try_from(limit).ok()).unwrap_or(25)
    }

    pub fn window(&mut self) -> Window {
        Window { limit: self.limit(), cursor: self.text("cursor") }
    }

    /// Takes the number after which a page begins: `cursor` of the page before, or `after`.
    pub fn after(&mut self, least: i64) -> Option<i64> {
        let after = self.whole("after", least, MAX_WHOLE.cast_signed());
        self.cursor().or(after)
    }

    /// Takes the cursor of a list of numbered items.
    pub fn cursor(&mut self) -> Option<i64> {
        self.take("cursor", |text| {
            let is_number = text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_| is_number).ok_or_else(no_cursor)
        })
    }

    /// Takes one of several words.
    pub fn word<T: Copy>(&mut self, name: &str, words: &[(&'static str, T)]) -> Option<T> {
        self.take(name, |text| {
            let found = words.iter().find(|(word, _)| *word == text).map(|(_, meant)| *meant);
            found.ok_or_else(|| one_of(Some(text), words.iter().map(|(word, _)| *word)))
        })
    }

    /// Takes a flag, `false` by default.
    pub fn flag(&mut self, name: &str) -> bool {
        self.word(name, &[("true", true), ("false", false)]).unwrap_or_default()
    }

    /// Takes the name of a ruleset.
    pub fn ruleset(&mut self, name: &str) -> Option<&'static str> {
        let names: Vec<_> = RulesetId::ALL.iter().map(|id| (id.name(), id.name())).collect();
        self.word(name, &names)
    }

    /// Takes the name that a page chose for itself.
    pub fn page(&mut self, name: &str) -> Option<String> {
        self.take(name, |text| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
            if (1..=40).contains(&text.len()) && text.bytes().all(is_plain) {
                return Ok(text.to_owned());
            }
            Err(Text::new(
                "must have 1 to 40 letters, digits, `-` and `_`",
                "deve avere da 1 a 40 lettere, cifre, `-` e `_`",
            ))
        })
    }

    /// Takes an id.
    pub fn id(&mut self, name: &str) -> Option<Uuid> {
        self.take(name, |text| {
            Uuid::try_parse(text).map_err(|_| Text::new("must be an id", "dev'essere un id"))
        })
    }

    /// Takes the options of a view that has texts only.
    pub fn words(&mut self, lang: Lang) -> ViewOptions {
        ViewOptions { words: self.flag("words").then_some(lang), ..ViewOptions::default() }
    }

    /// Takes the options of a view that has texts and legal commands.
    pub fn view_options(&mut self, lang: Lang) -> ViewOptions {
        let options = self.words(lang);
        ViewOptions { legal: self.word("with", &[("legal", ())]).is_some(), ..options }
    }

    /// Notes a mistake in a parameter that was read.
    pub fn refuse(&mut self, name: &str, en: &str, it: &str) {
        self.note(name, Text::new(en, it));
    }

    /// Fails with all mistakes, and with every parameter that was not read.
    pub fn end(mut self) -> Result<(), Problem> {
        for unknown in std::mem::take(&mut self.values).into_keys() {
            self.note(&unknown, Text::new("is not a known parameter", "non è un parametro previsto"));
        }
        if self.mistakes.is_empty() { Ok(()) } else { Err(Problem::of_query(self.mistakes)) }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn all_mistakes_are_reported_at_once() {
        let mut query = Query::read("limit=0&seq=x&limit=3&wrong=1&cursor=-1").unwrap();
        assert_eq!((query.limit(), query.seq("seq"), query.cursor()), (25, None, None));
        let problem = query.end().unwrap_err().body();
        let at: Vec<_> = problem["errors"].as_array().unwrap().iter().map(|one| &one["parameter"]).collect();
        assert_eq!(at, ["limit", "limit", "seq", "cursor", "wrong"]);
    }

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
            let (limit, after, seq) = (query.limit(), query.after(-1), query.whole("seq", 0, 9));
            assert!((1..=100).contains(&limit), "{text}");
            assert!(after.is_none_or(|after| (-1..=MAX_WHOLE.cast_signed()).contains(&after)), "{text}");
            assert!(seq.is_none_or(|seq| (0..=9).contains(&seq)), "{text}");
            read += usize::from(query.text("with").is_some()) + usize::from(query.end().is_ok());
        }
        assert!(read > 1_000, "{read} had something to say");
    }
}
