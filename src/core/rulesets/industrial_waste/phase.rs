//! Phases of a round, each with its own data.

use arrayvec::ArrayVec;

use super::{
    cards::{Combination, Kind},
    scoring::Outcome,
};
use crate::engine::{Seat, Seats, id::ids, seat::MAX_SEATS};

pub type SeatList = ArrayVec<Seat, MAX_SEATS>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The engine works. No seat has a decision.
    Engine,
    /// The deal continues.
    Dealing(ColumnOffer),
    /// An accident during the deal. The seats are settled in order.
    Accident {
        offer: ColumnOffer,
        to_settle: SeatList,
    },
    Choosing {
        offer: ColumnOffer,
        chooser: Seat,
    },
    Playing {
        turn: Seat,
    },
    Auction(Auction),
    FinalAccident {
        to_settle: SeatList,
    },
    Finished(Outcome),
}

ids! {
    /// Phase, as in views.
    #[schema(as = industrial_waste::Phase)]
    pub enum PhaseName {
        Choosing = "choosing",
        Playing = "playing",
        Auction = "auction",
        Accident = "accident",
        FinalAccident = "final_accident",
        Finished = "finished",
    }
}

impl Phase {
    pub const fn name(&self) -> PhaseName {
        match self {
            Self::Engine | Self::Dealing(_) | Self::Choosing { .. } => PhaseName::Choosing,
            Self::Playing { .. } => PhaseName::Playing,
            Self::Auction(_) => PhaseName::Auction,
            Self::Accident { .. } => PhaseName::Accident,
            Self::FinalAccident { .. } => PhaseName::FinalAccident,
            Self::Finished(_) => PhaseName::Finished,
        }
    }

    /// Returns the seat that must decide.
    pub fn to_act(&self) -> Option<Seat> {
        match self {
            Self::Engine | Self::Dealing(_) | Self::Finished(_) => None,
            Self::Accident { to_settle, .. } | Self::FinalAccident { to_settle } => {
                to_settle.first().copied()
            }
            Self::Choosing { chooser, .. } => Some(*chooser),
            Self::Playing { turn } => Some(*turn),
            Self::Auction(auction) => auction.still_to_bid.first().copied(),
        }
    }

    pub const fn offer(&self) -> Option<&ColumnOffer> {
        match self {
            Self::Dealing(offer) | Self::Accident { offer, .. } | Self::Choosing { offer, .. } => Some(offer),
            _ => None,
        }
    }

    pub const fn to_settle(&self) -> Option<&SeatList> {
        match self {
            Self::Accident { to_settle, .. } | Self::FinalAccident { to_settle } => Some(to_settle),
            _ => None,
        }
    }
}

/// The columns on offer (IW-5.1). `None`: taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnOffer(ArrayVec<Option<Combination>, { MAX_SEATS + 1 }>);

impl ColumnOffer {
    const ROWS: usize = 3;

    pub fn new(seats: Seats) -> Self {
        Self((0..=seats.count()).map(|_| Some(Combination::new())).collect())
    }

    pub fn columns(&self) -> impl Iterator<Item = Option<&Combination>> {
        self.0.iter().map(Option::as_ref)
    }

    pub fn get(&self, column: usize) -> Option<&Combination> {
        self.0.get(column)?.as_ref()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the remaining columns.
    pub fn left(&self) -> impl Iterator<Item = (usize, &Combination)> {
        self.0.iter().enumerate().filter_map(|(column, cards)| Some((column, cards.as_ref()?)))
    }

    /// Where the next card of the deal goes, row by row.
    pub fn next_place(&self) -> Option<usize> {
        let dealt: usize = self.left().map(|(_, cards)| cards.len()).sum();
        (dealt < Self::ROWS * self.len()).then(|| dealt % self.len())
    }

    pub fn lay(&mut self, column: usize, card: Kind) {
        if let Some(Some(cards)) = self.0.get_mut(column) {
            cards.push(card);
        }
    }

    pub fn take(&mut self, column: usize) {
        self.0[column] = None;
    }
}

/// The auction of a lot of raw materials (section 9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Auction {
    pub seller: Seat,
    pub lot: u8,
    /// Bids in order. `None`: a pass.
    pub bids: ArrayVec<(Seat, Option<u64>), MAX_SEATS>,
    /// Seats still to bid, in order. The seller is last.
    pub still_to_bid: SeatList,
}

impl Auction {
    pub fn new(seats: Seats, seller: Seat, lot: u8) -> Self {
        let still_to_bid = seats.clockwise_from(seats.after(seller)).collect();
        Self { seller, lot, bids: ArrayVec::new(), still_to_bid }
    }

    /// Returns the highest bid, which is the last one.
    pub fn standing(&self) -> Option<(Seat, u64)> {
        self.bids.iter().rev().find_map(|(seat, amount)| Some((*seat, (*amount)?)))
    }
}
