//! Pages of lists.

use serde::Serialize;
use uuid::Uuid;

use crate::{engine::Text, service::ServiceError};

/// A page of a list. Pass `next_cursor` to get the next page; it is `null` on the last one.
#[derive(Serialize)]
#[wire]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next_cursor: Option<String>,
}

/// A page of a list: its size, and the cursor where it begins.
#[derive(Default)]
#[wire(query)]
#[into_params(parameter_in = Query)]
pub struct Window {
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    pub limit: u32,
    #[param(required = false, nullable = false)]
    pub cursor: Option<String>,
}

impl Window {
    /// Returns the id of the last item of the page before.
    pub fn last(&self) -> Result<Option<Uuid>, ServiceError> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        let uuid = Uuid::try_parse(cursor).ok().filter(|uuid| uuid.simple().to_string() == *cursor);
        uuid.map(Some).ok_or(ServiceError::NoCursor)
    }
}

/// Returns the mistake of a cursor that is from no list.
pub fn no_cursor() -> Text<String> {
    Text::new("is not a cursor of this list", "non è un cursore di questo elenco")
}

impl<T> Page<T> {
    pub const fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None }
    }

    /// Makes a page of `limit + 1` rows: the extra row says that more follow.
    pub fn of<R>(
        mut rows: Vec<R>,
        limit: u32,
        cursor: impl FnOnce(&R) -> String,
        show: impl Fn(R) -> Option<T>,
    ) -> Self {
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next_cursor = rows.last().filter(|_| has_more).map(cursor);
        Self { items: rows.into_iter().filter_map(show).collect(), next_cursor }
    }

    /// Makes a page of a short list, oldest first.
    pub fn of_few<R>(
        mut rows: Vec<R>,
        window: &Window,
        id: impl Fn(&R) -> Uuid,
        show: impl Fn(R) -> T,
    ) -> Result<Self, ServiceError> {
        if let Some(last) = window.last()? {
            rows.retain(|row| id(row) > last);
        }
        rows.sort_by_key(&id);
        Ok(Self::of(rows, window.limit, |row| id(row).simple().to_string(), |row| Some(show(row))))
    }
}
