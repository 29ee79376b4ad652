//! Lists of catalogues that only some games have.

use serde::Serialize;

use crate::engine::{Lang, Ruleset};

/// The boards of all games. A game has the lists of its own board; the others are empty.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[wire]
#[schema(as = CatalogueBoard)]
pub struct Board {
    /// Squares of the board, in order.
    pub squares: Vec<SquareEntry>,
    pub territories: Vec<TerritoryEntry>,
}

/// A game with or without a board.
pub trait OnBoard: Ruleset {
    fn board(_: Lang) -> Board {
        Board::default()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueSquare)]
pub struct SquareEntry {
    pub square: u8,
    pub kind: SquareKind,
    pub name: String,
    /// Area of the square.
    pub area: &'static str,
    /// Territory on the square.
    pub territory: Option<&'static str>,
    /// Kind of action shown on the square.
    pub action: Option<&'static str>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[wire]
pub enum SquareKind {
    Start,
    Co2,
    Territory,
    Event,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = CatalogueTerritory)]
pub struct TerritoryEntry {
    pub id: &'static str,
    pub name: &'static str,
    pub area: &'static str,
    pub square: u8,
    /// Speciality of the place.
    pub known_for: &'static str,
    pub price: u64,
    pub co2_cost: i64,
    pub bonus: i64,
    /// Rent with 0, 1, 2, 3 and 4 actions implemented.
    pub rents: Vec<u64>,
    /// Kinds of action that fit the territory, in board order.
    pub slots: Vec<&'static str>,
}
