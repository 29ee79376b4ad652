//! What a player is told of all its games.

use arrayvec::ArrayVec;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    engine::{Malformed, Seat, Text},
    ledger::{
        entry::{Body, Reason},
        game::Game,
    },
    service::read::time,
    words::{PlayedBy, Status},
};

/// Something that those who sit at a game may be waiting for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiding {
    Started,
    Finished,
    Void,
    /// This seat must decide now.
    Turn(Seat),
}

impl Tiding {
    /// What an entry meant, after which the game is as it is here. Before it, `waited` had to decide.
    pub fn of(body: &Body, waited: Option<Seat>, game: &Game) -> ArrayVec<Self, 2> {
        let mut tidings = ArrayVec::new();
        tidings.extend(match body {
            Body::Start => Some(Self::Started),
            Body::End { reason: Reason::Finished, .. } => Some(Self::Finished),
            Body::End { reason: Reason::Void, .. } => Some(Self::Void),
            _ => None,
        });
        let now = game.turn().seat.filter(|seat| waited != Some(*seat));
        let is_players = |seat: &Seat| {
            game.sitting(*seat).is_some_and(|sitting| sitting.control.played_by() == PlayedBy::Player)
        };
        tidings.extend(now.filter(is_players).map(Self::Turn));
        tidings
    }

    /// Whether it is for this seat.
    pub fn concerns(self, seat: Seat) -> bool {
        !matches!(self, Self::Turn(other) if other != seat)
    }
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

/// Where a notice stands among all: by the place of its entry, and then by what it was, since one entry may begin a game
/// and a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
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
    pub status: Status,
}

impl Notice {
    pub const fn new(game: Uuid, seq: u64, at: u64, tiding: Tiding) -> Self {
        Self { row: 0, game, seq, at, tiding }
    }

    /// The notice with its place, which is known once it is durable. `row` is the place of the last entry of the commit,
    /// which has the seq `seq`; the entries of a commit have places next to each other.
    #[must_use]
    pub fn at_row(self, row: i64, seq: u64) -> Self {
        Self { row: row - seq.saturating_sub(self.seq).cast_signed(), ..self }
    }

    pub const fn position(&self) -> Position {
        Position { row: self.row, kind: matches!(self.tiding, Tiding::Turn(_)) as u8 }
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
            Tiding::Started => Status::Running,
            Tiding::Finished => Status::Finished,
            Tiding::Void => Status::Void,
        };
        ("game", serde_json::to_string(&GameNotice { game, seq, at, status }).unwrap_or_default())
    }
}

impl Position {
    /// Behind all that there is up to a row.
    pub const fn last_of(row: i64) -> Self {
        Self { row, kind: 1 }
    }

    pub fn read(text: &str) -> Result<Self, Malformed> {
        let parts =
            text.split_once('-').and_then(|(row, kind)| Some((row.parse().ok()?, kind.parse().ok()?)));
        match parts {
            Some((row, kind @ 0..=1)) if row >= 0 => Ok(Self { row, kind }),
            _ => Err({
                let en = "is not the id of an event of this stream";
                Malformed::new("Last-Event-ID", Text::new(en, "non è l'id di un evento di questo flusso"))
            }),
        }
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.row, self.kind)
    }
}
