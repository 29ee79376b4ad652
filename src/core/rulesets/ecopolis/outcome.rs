//! The end of the game (section 9).

use std::cmp::Reverse;

use serde::Serialize;

use super::state::State;
use crate::engine::{Seat, places};

/// Final result, in order of place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
#[wire]
#[schema(as = ecopolis::Result)]
pub struct Outcome(pub Vec<Score>);

/// Final score of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Standing)]
pub struct Score {
    pub seat: Seat,
    #[schema(minimum = 1, maximum = 4)]
    pub place: u8,
    pub balance: i64,
    pub credits: u64,
    pub euros: u64,
    pub eliminated: bool,
}

impl State {
    /// Ranks by balance, then credits, then euros; eliminated seats follow, the last one first (CO-9.4). A
    /// winner is first anyway: no other seat has the winning balance, or no other seat is left.
    pub(super) fn outcome(&self) -> Outcome {
        let rank = |seat: Seat| {
            let player = &self.players[seat];
            let still_in = player.eliminated.is_none();
            Reverse((still_in, player.eliminated, self.balance(seat), player.credits, player.euros))
        };
        let mut ranked: Vec<Seat> = self.seats.iter().collect();
        ranked.sort_by_key(|seat| (rank(*seat), *seat));
        let standings =
            ranked.iter().zip(places(ranked.iter().map(|seat| rank(*seat)))).map(|(seat, place)| {
                let player = &self.players[*seat];
                Score {
                    seat: *seat,
                    place,
                    balance: self.balance(*seat),
                    credits: player.credits,
                    euros: player.euros,
                    eliminated: player.eliminated.is_some(),
                }
            });
        Outcome(standings.collect())
    }
}
