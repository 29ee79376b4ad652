//! Notices to a player about all its games.

use arrayvec::ArrayVec;
use serde::Serialize;
use uuid::Uuid;

use crate::{
    engine::{Malformed, Seat, Text},
    ledger::{
        entry::{Body, Join, PlainAct},
        game::Game,
    },
    service::{
        games::LiveGame,
        reading::{prompt::waits_for, time},
    },
    store::{LogPosition, PlayerKey},
    words::{News, PlayedBy, Status},
};

/// News for the players of a game. One entry may have several, in the order of their kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoticeKind {
    /// This seat must decide.
    Turn(Seat),
    Started,
    Finished,
    Void,
    /// The table is full and waits for promised random bytes.
    Sealed,
    Seat(Seat, SeatChange),
    /// The autopilot plays this seat.
    Autopilot(Seat),
}

/// Change of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[serde(rename_all = "snake_case")]
pub enum SeatChange {
    Taken,
    Left,
    Resigned,
    /// Removed by the operator.
    Removed,
    Substituted,
}

impl NoticeKind {
    /// Returns the news of an entry. `game` is the game after the entry; `waited` had to decide before.
    pub fn of(body: &Body, waited: Option<Seat>, game: &Game) -> ArrayVec<Self, 4> {
        let mut kinds = ArrayVec::new();
        let seat = |number: &u64| game.setting.seats.seat(*number);
        let change = |number: &u64, change| seat(number).map(|seat| Self::Seat(seat, change));
        let named = match body {
            Body::Start => Some(Self::Started),
            Body::End(_) if game.status() == Status::Void => Some(Self::Void),
            Body::End(_) => Some(Self::Finished),
            Body::Join(Join { seat, .. }) => change(seat, SeatChange::Taken),
            Body::Leave { seat } => change(seat, SeatChange::Left),
            Body::Hand { seat, .. } => change(seat, SeatChange::Substituted),
            Body::Act { act: PlainAct::Resign, seat, .. } => change(seat, SeatChange::Resigned),
            Body::Remove { seat, .. } => change(seat, SeatChange::Removed),
            Body::Autopilot { seat: number } => seat(number).map(Self::Autopilot),
            _ => None,
        };
        // A player who takes over the seat to act gets its turn as well.
        let is_handed = |seat: Seat| named == Some(Self::Seat(seat, SeatChange::Substituted));
        let now = game.turn().seat.filter(|seat| waited != Some(*seat) || is_handed(*seat));
        let is_players = |seat: &Seat| {
            game.sitting(*seat).is_some_and(|sitting| sitting.control.played_by() == PlayedBy::Player)
        };
        kinds.extend(now.filter(is_players).map(Self::Turn));
        kinds.extend(named);
        let fills = matches!(body, Body::Join(_)) && game.status() == Status::Sealed;
        kinds.extend((fills && !waits_for(game).is_empty()).then_some(Self::Sealed));
        kinds
    }

    /// Returns the seat of the news.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Turn(seat) | Self::Seat(seat, _) | Self::Autopilot(seat) => Some(seat),
            Self::Started | Self::Finished | Self::Void | Self::Sealed => None,
        }
    }

    pub const fn news(self) -> News {
        match self {
            Self::Turn(_) => News::Turn,
            Self::Started => News::Started,
            Self::Finished => News::Finished,
            Self::Void => News::Void,
            Self::Sealed => News::Sealed,
            Self::Seat(..) => News::Seat,
            Self::Autopilot(_) => News::Autopilot,
        }
    }

    /// Returns whether this seat must be notified.
    pub fn concerns(self, seat: Seat) -> bool {
        !matches!(self, Self::Turn(other) | Self::Autopilot(other) if other != seat)
    }

    /// Returns the ids of the players to notify: all seats, and a player who was just replaced.
    pub fn heard_by(self, game: &Game) -> impl Iterator<Item = &str> {
        let sitting = |seat: Seat| game.sitting(seat);
        let concerned = game.setting.seats.iter().filter(move |seat| self.concerns(*seat));
        let gave_way = match self {
            Self::Seat(seat, SeatChange::Substituted) => {
                sitting(seat).and_then(|seat| seat.gave_way.as_deref())
            }
            _ => None,
        };
        let seated = concerned.filter_map(move |seat| Some(&*sitting(seat)?.holder.player));
        seated.chain(gave_way)
    }

    /// Returns the order among the news of one entry. The numbers are part of ids and never change.
    const fn kind(self) -> u8 {
        match self {
            Self::Turn(_) => 1,
            Self::Started | Self::Finished | Self::Void => 2,
            Self::Sealed => 3,
            Self::Seat(..) => 4,
            Self::Autopilot(_) => 5,
        }
    }
}

/// News of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// Position of the entry in the log of all games.
    place: LogPosition,
    pub game: Uuid,
    pub seq: u64,
    pub at: u64,
    pub kind: NoticeKind,
}

/// Position of a notice: that of its entry, then its kind, since one entry may start a game and a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub place: LogPosition,
    /// With several servers, game and entry tell entries of the same time apart.
    game: Uuid,
    seq: u64,
    kind: u8,
}

/// It is the player's turn.
#[derive(Serialize)]
#[wire]
pub struct TurnNotice {
    #[schema(format = Uuid)]
    pub game: String,
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    pub seat: Seat,
}

/// A game of the player was sealed, started, finished or became void.
#[derive(Serialize)]
#[wire]
pub struct GameNotice {
    #[schema(format = Uuid)]
    pub game: String,
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    pub status: Status,
}

/// A seat in one of the player's games was taken, left or given up.
#[derive(Serialize)]
#[wire]
pub struct SeatNotice {
    #[schema(format = Uuid)]
    pub game: String,
    pub seq: u64,
    #[schema(format = DateTime)]
    pub at: String,
    pub seat: Seat,
    pub change: SeatChange,
}

impl Notice {
    pub const fn new(game: Uuid, seq: u64, at: u64, kind: NoticeKind) -> Self {
        Self { place: LogPosition::Row(0), game, seq, at, kind }
    }

    /// Returns the notice with its position, which is known after the commit. `place` is the position of the
    /// last entry of the commit, with the `seq` given. The entries of a commit have consecutive positions.
    #[must_use]
    pub fn at_place(self, place: LogPosition, seq: u64) -> Self {
        Self { place: place.back(seq.saturating_sub(self.seq).cast_signed()), ..self }
    }

    pub const fn place(&self) -> LogPosition {
        self.place
    }

    pub const fn position(&self) -> Position {
        let kind = self.kind.kind();
        match self.place {
            LogPosition::Row(_) => Position { place: self.place, game: Uuid::nil(), seq: 0, kind },
            LogPosition::Moment(_) => Position { place: self.place, game: self.game, seq: self.seq, kind },
        }
    }

    /// The kind of event, and its data.
    pub fn text(&self) -> (&'static str, String) {
        let (game, seq, at) = (self.game.to_string(), self.seq, time(self.at));
        let of_game = |status| written(&GameNotice { game: game.clone(), seq, at: at.clone(), status });
        let data = match self.kind {
            NoticeKind::Turn(seat) | NoticeKind::Autopilot(seat) => {
                written(&TurnNotice { game, seq, at, seat })
            }
            NoticeKind::Seat(seat, change) => written(&SeatNotice { game, seq, at, seat, change }),
            NoticeKind::Started => of_game(Status::Running),
            NoticeKind::Finished => of_game(Status::Finished),
            NoticeKind::Void => of_game(Status::Void),
            NoticeKind::Sealed => of_game(Status::Sealed),
        };
        (self.kind.news().word(), data)
    }
}

/// Returns the notice for each player concerned.
pub fn addressed(live: &LiveGame, notice: &Notice) -> impl Iterator<Item = (PlayerKey, Notice)> {
    let known = |id| live.people.key_of(id);
    notice.kind.heard_by(&live.game).filter_map(known).map(|player| (player, notice.clone()))
}

fn written(notice: &impl Serialize) -> String {
    serde_json::to_string(notice).unwrap_or_default()
}

impl Position {
    /// Returns a position after all notices up to `place`.
    pub const fn last_of(place: LogPosition) -> Self {
        Self { place, game: Uuid::nil(), seq: 0, kind: 9 }
    }

    fn parts(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let whole = |text: &str| text.parse().ok().filter(|number: &i64| *number >= 0);
        Some(match parts[..] {
            [row, kind] => Self { kind: kind.parse().ok()?, ..Self::last_of(LogPosition::Row(whole(row)?)) },
            [at, game, seq, kind] => Self {
                place: LogPosition::Moment(whole(at)?),
                game: Uuid::try_parse(game).ok()?,
                seq: seq.parse().ok()?,
                kind: kind.parse().ok()?,
            },
            _ => return None,
        })
    }

    pub fn read(text: &str) -> Result<Self, Malformed> {
        match Self::parts(text) {
            Some(read) if read.kind <= 9 => Ok(read),
            _ => Err({
                let en = "is not the id of an event of this stream";
                Malformed::new("Last-Event-ID", Text::new(en, "non è l'id di un evento di questo flusso"))
            }),
        }
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place {
            LogPosition::Row(row) => write!(f, "{row}-{}", self.kind),
            LogPosition::Moment(at) => write!(f, "{at}-{}-{}-{}", self.game.simple(), self.seq, self.kind),
        }
    }
}
