//! Who sat where in a game of fairlog/2, and by whose keys its moves are signed.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    checks::chain::History,
    document::Document,
    entry::{Body, By, Holder, Join, Op},
    signed::{SeatKey, Signed},
};

/// Content of the log about a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatReport {
    pub seat: u64,
    pub holders: Vec<HolderReport>,
    /// Keys of the seat. A key without signatures proves nothing.
    pub keys: Vec<KeyReport>,
    /// Number of the player's moves and plans without a signature.
    pub unsigned: u64,
    /// From this entry on only the server vouches for the seat, even if it gets new keys: its earlier
    /// keys were reported lost.
    pub unkeyed_at: Option<u64>,
}

/// Player of a seat from a given entry on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HolderReport {
    pub from_seq: u64,
    pub player: String,
    /// Level of the built-in bot, if it was one.
    pub bot: Option<String>,
}

/// A key of a seat and the number of entries it signed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeyReport {
    pub key: String,
    pub moves: u64,
    pub plans: u64,
    /// Whether the request listed this key in `players`.
    pub known: bool,
}

/// What a log whose signatures hold says of each seat.
pub fn report(document: &Document, history: &History, known: &[SeatKey]) -> Vec<SeatReport> {
    let mut seats: Vec<Reader> = (0..history.genesis.seats).map(|seat| Reader::new(seat, known)).collect();
    for (recorded, seq) in document.entries().zip(0..) {
        let body = &recorded.entry.body;
        let place = body.seat().and_then(|seat| usize::try_from(seat).ok());
        if let Some(seat) = place.and_then(|place| seats.get_mut(place)) {
            seat.take_in(seq, body);
        }
    }
    seats.into_iter().map(|reader| reader.seat).collect()
}

/// Who reads of a seat, entry by entry.
struct Reader<'k> {
    seat: SeatReport,
    /// Where each key stands in the report: a log may name a great many.
    places: BTreeMap<String, usize>,
    known: &'k [SeatKey],
}

impl<'k> Reader<'k> {
    fn new(seat: u64, known: &'k [SeatKey]) -> Self {
        let (holders, keys) = (Vec::new(), Vec::new());
        let seat = SeatReport { seat, holders, keys, unsigned: 0, unkeyed_at: None };
        Self { seat, places: BTreeMap::new(), known }
    }

    fn take_in(&mut self, seq: u64, body: &Body) {
        match body {
            Body::Join(Join { holder, .. }) => {
                self.seat.holders.clear();
                self.seat.keys.clear();
                self.places.clear();
                self.sit(seq, holder);
            }
            Body::Hand { holder, .. } => self.sit(seq, holder),
            Body::Keys { keys, .. } => {
                for key in keys {
                    self.key(key);
                }
            }
            Body::Sys { op: Op::Unkey, .. } => self.seat.unkeyed_at = self.seat.unkeyed_at.or(Some(seq)),
            Body::Cmd { by: By::Player, .. } => match body.signed() {
                Some(Signed { key, .. }) => self.key(key).moves += 1,
                None => self.seat.unsigned += 1,
            },
            Body::Cmd { by: By::Plan(plan), .. } => match &plan.signed {
                Some(Signed { key, .. }) => self.key(key).plans += 1,
                None => self.seat.unsigned += 1,
            },
            _ => {}
        }
    }

    fn sit(&mut self, from_seq: u64, holder: &Holder) {
        let Holder { player, keys, bot } = holder;
        self.seat.holders.push(HolderReport { from_seq, player: player.clone(), bot: bot.clone() });
        for key in keys {
            self.key(key);
        }
    }

    fn key(&mut self, key: &SeatKey) -> &mut KeyReport {
        let keys = &mut self.seat.keys;
        let place = *self.places.entry(key.hex()).or_insert_with_key(|hex| {
            let known = self.known.contains(key);
            keys.push(KeyReport { key: hex.clone(), moves: 0, plans: 0, known });
            keys.len() - 1
        });
        &mut keys[place]
    }
}
