//! Events.

use serde::Serialize;

use super::{
    cards::{Combination, Kind, Supply},
    company::{Area, Zone},
    scoring::Outcome,
};
use crate::engine::Seat;

/// An event. Only the order of the supply is secret (IW-12.1).
#[derive(Clone)]
pub enum Event {
    /// `supply` is the new supply; its last card is the top.
    Shuffled {
        supply: Supply,
    },
    Open(EventView),
}

impl From<EventView> for Event {
    fn from(event: EventView) -> Self {
        Self::Open(event)
    }
}

/// An event of the game. All events are public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[wire]
#[schema(as = industrial_waste::Event)]
pub enum EventView {
    GameStarted {
        starting_seat: Seat,
    },
    RoundStarted {
        round: u64,
        starting_seat: Seat,
        final_round: bool,
    },
    SupplyShuffled {
        cards: u8,
    },
    CardDealt {
        column: u8,
        card: Kind,
    },
    /// A card was discarded because the column already had one of its kind (IW-5.2).
    DuplicateDiscarded {
        column: u8,
        card: Kind,
    },
    AccidentDrawn {},
    AccidentSettled {
        seat: Seat,
        zone: Zone,
        paid: u64,
        bribed: bool,
        column: u8,
    },
    AccidentEnded {},
    OfferCompleted {},
    CombinationChosen {
        seat: Seat,
        column: u8,
        #[schema(value_type = Vec<Kind>)]
        cards: Combination,
    },
    LastColumnDiscarded {
        column: u8,
        #[schema(value_type = Vec<Kind>)]
        cards: Combination,
    },
    SavedCardTurnedUp {
        seat: Seat,
        card: Kind,
    },
    TurnBegan {
        seat: Seat,
    },
    LoansTaken {
        seat: Seat,
        count: u64,
        forced: bool,
    },
    LotOffered {
        seat: Seat,
        advisor: bool,
        lot: u8,
    },
    NothingSold {
        seat: Seat,
        advisor: bool,
    },
    BidMade {
        seat: Seat,
        amount: u64,
    },
    BidPassed {
        seat: Seat,
    },
    LotSold {
        seller: Seat,
        buyer: Seat,
        lot: u8,
        price: u64,
    },
    LotReturned {
        seller: Seat,
        lot: u8,
    },
    OrderCompleted {
        seat: Seat,
        advisor: bool,
        materials: u8,
        income: u64,
        waste: u8,
    },
    FactoryGrew {
        seat: Seat,
        advisor: bool,
        column: u8,
    },
    WorkforceAdjusted {
        seat: Seat,
        advisor: bool,
        row: u8,
    },
    AreasImproved {
        seat: Seat,
        advisor: bool,
        areas: Vec<Area>,
        cost: u64,
    },
    WasteDisposed {
        seat: Seat,
        advisor: bool,
        waste: u8,
    },
    /// The seat's waste fell and that of all others rose, within the limits of the tracks.
    WasteRemoved {
        seat: Seat,
        advisor: bool,
    },
    LoanRepaid {
        seat: Seat,
    },
    CardDiscarded {
        seat: Seat,
        card: Kind,
    },
    CardSaved {
        seat: Seat,
        card: Kind,
    },
    FinalRoundReached {
        seat: Seat,
    },
    BasicCostsPaid {
        seat: Seat,
        amount: u64,
    },
    AccidentReturned {},
    FinalAccidentBegan {},
    GameFinished {
        result: Outcome,
    },
}
