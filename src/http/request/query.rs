//! The query of a request, and the ids in its path.

use std::collections::BTreeMap;

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use uuid::Uuid;

use crate::{
    engine::fields::{MAX_WHOLE, clip},
    http::problem::{MALFORMED, NOT_FOUND, Problem},
};

/// The game that a path names. An id that is none names nothing.
pub struct GameId(pub Uuid);

impl FromRequest for GameId {
    type Error = Problem;
    type Future = std::future::Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.match_info().get("id").unwrap_or_default();
        let hyphenated = Uuid::try_parse(id)
            .ok()
            .filter(|uuid| uuid.as_hyphenated().to_string() == id.to_ascii_lowercase());
        std::future::ready(hyphenated.map(Self).ok_or_else(|| Problem::new(&NOT_FOUND)))
    }
}

/// The query of a request, each parameter of which must be read.
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
        let malformed = |detail: String| Problem::new(&MALFORMED).detail(detail);
        let pairs: Vec<(String, String)> = web::Query::<Vec<(String, String)>>::from_query(text)
            .map_err(|_| malformed("the query is not of the form a=b&c=d".into()))?
            .into_inner();
        let mut query = BTreeMap::new();
        for (name, value) in pairs {
            if query.insert(name.clone(), value).is_some() {
                return Err(malformed(format!("query: `{}` stands twice", clip(&name))));
            }
        }
        Ok(Self(query))
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }

    /// A seq.
    pub fn seq(&mut self, name: &str) -> Result<Option<u64>, Problem> {
        let seq = self.whole(name, 0, MAX_WHOLE.cast_signed())?;
        Ok(seq.map(i64::cast_unsigned))
    }

    /// A whole number within bounds.
    pub fn whole(&mut self, name: &str, least: i64, most: i64) -> Result<Option<i64>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        let plain = text.strip_prefix('-').unwrap_or(&text);
        let number = text.parse().ok().filter(|_| plain.bytes().all(|byte| byte.is_ascii_digit()));
        match number.filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(Problem::new(&MALFORMED)
                .detail(format!("query: `{name}` must be a whole number from {least} to {most}"))),
        }
    }

    /// A page size: 1 to 100, by default 25.
    pub fn limit(&mut self) -> Result<u32, Problem> {
        let limit = self.whole("limit", 1, 100)?.unwrap_or(25);
        Ok(u32::try_from(limit).unwrap_or(25))
    }

    /// The seq after which a page begins; -1 for the beginning.
    pub fn after(&mut self) -> Result<Option<u64>, Problem> {
        let after = self.whole("after", -1, MAX_WHOLE.cast_signed())?;
        Ok(after.and_then(|after| u64::try_from(after).ok()))
    }

    /// One of these words.
    pub fn word<T>(&mut self, name: &str, read: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Problem> {
        let Some(text) = self.0.remove(name) else { return Ok(None) };
        read(&text).map(Some).ok_or_else(|| {
            Problem::new(&MALFORMED).detail(format!("query: `{name}` has not one of its values"))
        })
    }

    /// Ends the reading: a parameter that nobody asked for is an error.
    pub fn end(self) -> Result<(), Problem> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(unknown) => Err(Problem::new(&MALFORMED)
                .detail(format!("query: `{}` is not a parameter here", clip(unknown)))),
        }
    }
}
