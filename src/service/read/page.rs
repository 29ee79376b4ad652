//! Pages of lists.

use serde::Serialize;
use utoipa::ToSchema;

/// A page of a list. The cursor is opaque; it is null on the last page.
#[derive(Serialize, ToSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub next_cursor: Option<String>,
}

/// Items of a game from one seq on. A page that is shorter than its limit is the last.
#[derive(Serialize, ToSchema)]
pub struct Items<T> {
    pub items: Vec<T>,
}

impl<T> Page<T> {
    pub const fn empty() -> Self {
        Self { items: Vec::new(), next_cursor: None }
    }
}
