//! What a player is told of all its games.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::resource::{StatusView, time};
use crate::engine::{Malformed, Seat};

/// Something that those who sit at a game may be waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiding {
    Started,
    Finished,
    Void,
    /// This seat must decide now.
    Turn(Seat),
}

/// A tiding of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Where its entry stands in the log of all games.
    row: i64,
    pub game: Uuid,
    pub seq: u64,
    pub at: u64,
    pub tiding: Tiding,
}

/// Where a notice stands among all: after the row of its entry comes what it was, for an entry may be the start of a game
/// and of a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub row: i64,
    kind: u8,
}

/// It became the player's turn.
#[derive(Serialize, ToSchema)]
pub struct TurnNotice {
    #[schema(format = Uuid)]
    pub game: String,
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    pub seat: Seat,
}

/// A game of the player's started or ended.
#[derive(Serialize, ToSchema)]
pub struct GameNotice {
    #[schema(format = Uuid)]
    pub game: String,
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    #[schema(inline)]
    pub status: StatusView,
}

impl Notice {
    pub const fn new(game: Uuid, seq: u64, at: u64, tiding: Tiding) -> Self {
        Self { row: 0, game, seq, at, tiding }
    }

    /// The same, once it is on disk: `seq` is that of the last entry of its commit, and `row` the row of that.
    #[must_use]
    pub fn at_row(self, row: i64, seq: u64) -> Self {
        Self { row: row - seq.saturating_sub(self.seq).cast_signed(), ..self }
    }

    pub const fn place(&self) -> Place {
        Place { row: self.row, kind: matches!(self.tiding, Tiding::Turn(_)) as u8 }
    }

    /// The kind of event, and its data.
    pub fn text(&self) -> (&'static str, String) {
        let (game, seq, at) = (self.game.to_string(), self.seq, time(self.at));
        let status = match self.tiding {
            Tiding::Turn(seat) => {
                return (
                    "turn",
                    serde_json::to_string(&TurnNotice { game, seq, at, seat }).unwrap_or_default(),
                );
            }
            Tiding::Started => StatusView::Running,
            Tiding::Finished => StatusView::Finished,
            Tiding::Void => StatusView::Void,
        };
        ("game", serde_json::to_string(&GameNotice { game, seq, at, status }).unwrap_or_default())
    }
}

impl Place {
    /// Behind all that there is up to a row.
    pub const fn last_of(row: i64) -> Self {
        Self { row, kind: 1 }
    }

    pub fn read(text: &str) -> Result<Self, Malformed> {
        let parts =
            text.split_once('-').and_then(|(row, kind)| Some((row.parse().ok()?, kind.parse().ok()?)));
        match parts {
            Some((row, kind @ 0..=1)) if row >= 0 => Ok(Self { row, kind }),
            _ => Err(Malformed::new("Last-Event-ID", "is not the id of an event of this stream")),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.row, self.kind)
    }
}
