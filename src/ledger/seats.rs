//! Who sat where in a game of fairlog/2, and by whose keys its moves are signed.

use serde::Serialize;

use super::{
    checks::chain::History,
    document::Document,
    entry::{Body, By, Holder, Join, Op},
    signed::{SeatKey, Signed},
};

/// What the log says of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatReport {
    pub seat: u64,
    pub holders: Vec<HolderReport>,
    /// A key that signed nothing proves nothing.
    pub keys: Vec<KeyReport>,
    /// How many moves and plans of players no key has signed.
    pub unsigned: u64,
    /// From this entry on the server alone vouches for the seat, also for keys that it was given later: until then it had
    /// keys, which were said to be lost.
    pub unkeyed_at: Option<u64>,
}

/// Who had a seat, from an entry on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HolderReport {
    pub from_seq: u64,
    pub player: String,
    /// The level of the server's own player, if it was one.
    pub bot: Option<String>,
}

/// What a key has signed for a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeyReport {
    pub key: String,
    pub moves: u64,
    pub plans: u64,
    /// Whether the reader gave it as one of a player that it knows.
    pub known: bool,
}

/// What a log whose signatures hold says of each seat.
pub fn report(document: &Document, history: &History, known: &[SeatKey]) -> Vec<SeatReport> {
    let empty =
        |seat| SeatReport { seat, holders: Vec::new(), keys: Vec::new(), unsigned: 0, unkeyed_at: None };
    let mut seats: Vec<SeatReport> = (0..history.genesis.seats).map(empty).collect();
    for (recorded, seq) in document.entries().zip(0..) {
        let body = &recorded.entry.body;
        let place = body.seat().and_then(|seat| usize::try_from(seat).ok());
        if let Some(seat) = place.and_then(|place| seats.get_mut(place)) {
            seat.take_in(seq, body, known);
        }
    }
    seats
}

impl SeatReport {
    fn take_in(&mut self, seq: u64, body: &Body, known: &[SeatKey]) {
        match body {
            Body::Join(Join { holder, .. }) => {
                self.holders.clear();
                self.keys.clear();
                self.sit(seq, holder, known);
            }
            Body::Hand { holder, .. } => self.sit(seq, holder, known),
            Body::Keys { keys, .. } => {
                for key in keys {
                    self.key(key, known);
                }
            }
            Body::Sys { op: Op::Unkey, .. } => self.unkeyed_at = self.unkeyed_at.or(Some(seq)),
            Body::Cmd { by: By::Player, .. } => match body.signed() {
                Some(Signed { key, .. }) => self.key(key, known).moves += 1,
                None => self.unsigned += 1,
            },
            Body::Cmd { by: By::Plan(plan), .. } => match &plan.signed {
                Some(Signed { key, .. }) => self.key(key, known).plans += 1,
                None => self.unsigned += 1,
            },
            _ => {}
        }
    }

    fn sit(&mut self, from_seq: u64, holder: &Holder, known: &[SeatKey]) {
        let Holder { player, keys, bot } = holder;
        self.holders.push(HolderReport { from_seq, player: player.clone(), bot: bot.clone() });
        for key in keys {
            self.key(key, known);
        }
    }

    fn key(&mut self, key: &SeatKey, known: &[SeatKey]) -> &mut KeyReport {
        let hex = key.hex();
        let place = self.keys.iter().position(|report| report.key == hex).unwrap_or_else(|| {
            self.keys.push(KeyReport { key: hex, moves: 0, plans: 0, known: known.contains(key) });
            self.keys.len() - 1
        });
        &mut self.keys[place]
    }
}
