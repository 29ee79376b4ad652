//! Events.

use serde::Serialize;

use super::{
    cards::Action,
    debt::{Debt, Owed},
    deck::Deck,
    outcome::Outcome,
    state::Dice,
    tables::{EventCard, Territory},
    trade::Offer,
};
use crate::engine::{Seat, Viewer};

/// An event. [`Event::show`] separates its secret part (section 10).
#[derive(Clone)]
pub enum Event {
    EventsShuffled {
        deck: Deck,
    },
    /// `open` if hands are.
    ActionDrawn {
        seat: Seat,
        action: Action,
        open: bool,
    },
    DebtIncurred {
        seat: Seat,
        owed: Owed,
    },
    Open(EventView),
}

impl From<EventView> for Event {
    fn from(event: EventView) -> Self {
        Self::Open(event)
    }
}

impl Event {
    pub(super) fn show(&self, viewer: Viewer) -> EventView {
        match self {
            Self::EventsShuffled { deck } => {
                EventView::EventsShuffled { cards: u8::try_from(deck.len()).unwrap_or(u8::MAX) }
            }
            Self::ActionDrawn { seat, action, open } => {
                let seen = *open || viewer.is(*seat);
                EventView::ActionDrawn { seat: *seat, action: seen.then_some(*action) }
            }
            Self::DebtIncurred { seat, owed } => {
                let Debt { seat, to, euros, credits } = Debt::of(*seat, *owed);
                EventView::DebtIncurred { seat, to, euros, credits }
            }
            Self::Open(event) => event.clone(),
        }
    }
}

/// An event of the game, as the viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[wire]
#[schema(as = ecopolis::Event)]
pub enum EventView {
    TerritoryDealt {
        seat: Seat,
        territory: Territory,
    },
    EventsShuffled {
        #[schema(maximum = 18)]
        cards: u8,
    },
    GameStarted {
        first_seat: Seat,
    },
    RoundStarted {
        round: u64,
    },
    TurnBegan {
        seat: Seat,
    },
    DiceRolled {
        seat: Seat,
        dice: Dice,
    },
    PawnMoved {
        seat: Seat,
        #[schema(maximum = 39)]
        square: u8,
    },
    /// At VIA a positive balance pays credits and a negative one is owed (CO-5.1).
    BalanceSettled {
        seat: Seat,
        balance: i64,
    },
    RentDue {
        seat: Seat,
        owner: Seat,
        territory: Territory,
        euros: u64,
    },
    EventDrawn {
        seat: Seat,
        event: EventCard,
    },
    CreditsReceived {
        seat: Seat,
        credits: u64,
    },
    EurosReceived {
        seat: Seat,
        euros: u64,
    },
    /// The whole hand went into the bag, face down.
    HandReturned {
        seat: Seat,
        #[schema(maximum = 6)]
        cards: u8,
    },
    /// A card was drawn. It is `null` if the viewer may not see it.
    ActionDrawn {
        seat: Seat,
        action: Option<Action>,
    },
    /// The card went back into the bag.
    ActionUndone {
        seat: Seat,
        territory: Territory,
        action: Action,
    },
    TerritoryBought {
        seat: Seat,
        territory: Territory,
        price: u64,
    },
    ActionImplemented {
        seat: Seat,
        territory: Territory,
        action: Action,
    },
    /// The territory has its four actions. Their cards went back into the bag.
    TerritoryFinished {
        seat: Seat,
        territory: Territory,
    },
    /// Credit for standing still, or for a CO2 square (CO-6.8).
    CreditTaken {
        seat: Seat,
    },
    ActionsExchanged {
        seat: Seat,
        #[schema(min_items = 2, max_items = 2)]
        actions: Vec<Action>,
        /// Whether the pawn only passed a CO2 square. Otherwise the turn ends.
        passing: bool,
    },
    CreditsBought {
        seat: Seat,
        count: u64,
        euros: u64,
    },
    /// A payment to `to`, or to the bank if `to` is `null`.
    Paid {
        seat: Seat,
        to: Option<Seat>,
        euros: u64,
        credits: u64,
    },
    /// A debt to `to`, or to the bank if `to` is `null`. The turn stops until it is settled.
    DebtIncurred {
        seat: Seat,
        to: Option<Seat>,
        euros: u64,
        credits: u64,
    },
    /// The bank took the territory back for these euros. It is free again and without actions.
    TerritoryReturned {
        seat: Seat,
        territory: Territory,
        euros: u64,
    },
    // Much larger than all others, as are the next two: their offer is in a box.
    TradeProposed {
        trade: Box<Offer>,
    },
    /// The addressee answered with an offer of its own, which replaces the first.
    TradeCountered {
        trade: Box<Offer>,
    },
    TradeAccepted {
        trade: Box<Offer>,
    },
    /// The trade that was just accepted settled the debt.
    DebtSettled {
        seat: Seat,
        to: Seat,
    },
    TradeRejected {
        seat: Seat,
    },
    TradeWithdrawn {
        seat: Seat,
    },
    /// The seat is out. Its territories are free, its cards are in the bag, and its money went to `to`,
    /// or to the bank if `to` is `null`.
    SeatEliminated {
        seat: Seat,
        to: Option<Seat>,
        euros: u64,
        credits: u64,
        territories: Vec<Territory>,
    },
    /// The seat lost everything as in an elimination, but stays in the game.
    SeatRestarted {
        seat: Seat,
        to: Option<Seat>,
        euros: u64,
        credits: u64,
        territories: Vec<Territory>,
    },
    TurnEnded {
        seat: Seat,
    },
    GameFinished {
        result: Outcome,
    },
}
