//! The state of a game.

use serde::Serialize;

use super::{
    board::{Area, Square, TERRITORIES, VIA},
    cards::{ALL_ACTIONS, Actions, HAND},
    deck::{Deck, EventCards},
    options::Options,
    phase::{Moment, Phase},
    rows::SLOTS,
    tables::{EventCard, Territory},
    trade::Offer,
};
use crate::engine::{
    BySeat, Seat, Seats,
    id::{Id, ids},
};

/// The worst balance (CO-3.3).
pub const WORST: i64 = -20;

pub const EUROS_AT_START: u64 = 5_500;
/// With `even_start`, what each seat has more than the one before it (CO-2.1).
pub const EUROS_A_PLACE: u64 = 500;
pub const CREDITS_AT_START: u64 = 14;
/// Offers in a turn, and in a turn with a debt (CO-8.5).
pub const OFFERS: u8 = 3;
pub const OFFERS_IN_DEBT: u8 = 5;

#[derive(Clone, PartialEq, Eq)]
pub struct State {
    pub(super) options: Options,
    pub(super) seats: Seats,
    pub(super) round: u64,
    pub(super) first_seat: Seat,
    pub(super) turn_seat: Seat,
    pub(super) dice: Option<Dice>,
    /// Event of this turn.
    pub(super) event: Option<EventCard>,
    pub(super) turn: Turn,
    pub(super) last_turn: Option<LastTurn>,
    pub(super) bag: Actions,
    pub(super) event_deck: Deck,
    pub(super) event_discards: EventCards,
    pub(super) players: BySeat<Player>,
    /// Holder of each territory.
    pub(super) holdings: [Option<Holding>; TERRITORIES],
    pub(super) phase: Phase,
    pub(super) memory: Memory,
}

/// Offers that everybody remembers. No rule asks for them, but machines repeat none.
#[derive(Clone, PartialEq, Eq)]
pub struct Memory {
    /// Partners of this turn.
    asked: BySeat<bool>,
    /// The last round in which a seat asked for a territory.
    rounds: BySeat<[Option<u8>; TERRITORIES]>,
}

impl Memory {
    fn new(seats: Seats) -> Self {
        Self { asked: BySeat::new(seats, |_| false), rounds: BySeat::new(seats, |_| [None; TERRITORIES]) }
    }

    pub(super) fn forget_turn(&mut self) {
        self.asked.iter_mut().for_each(|(_, asked)| *asked = false);
    }

    pub(super) fn remember(&mut self, offer: &Offer, round: u64) {
        self.asked[offer.to] = true;
        for territory in &offer.take.territories {
            self.rounds[offer.from][territory.index()] = u8::try_from(round).ok();
        }
    }

    pub(super) fn has_asked(&self, seat: Seat) -> bool {
        self.asked[seat]
    }

    /// Returns the number of partners of this turn.
    pub(super) fn partners(&self) -> usize {
        self.asked.iter().filter(|(_, asked)| **asked).count()
    }

    pub(super) fn asked_for(&self, seat: Seat, territory: Territory) -> Option<u64> {
        self.rounds[seat][territory.index()].map(u64::from)
    }
}

/// A roll of two dice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Dice, value_type = Vec<Face>, min_items = 2, max_items = 2)]
pub struct Dice([Face; 2]);

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Face, minimum = 1, maximum = 6)]
pub struct Face(u8);

impl Dice {
    pub const fn new(faces: [u8; 2]) -> Self {
        Self([Face(faces[0]), Face(faces[1])])
    }

    pub fn faces(self) -> [u8; 2] {
        self.0.map(|face| face.0)
    }

    pub fn sum(self) -> u8 {
        self.0.iter().map(|face| face.0).sum()
    }
}

/// Progress of the current turn.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Turn {
    pub bought: Option<Territory>,
    pub implemented: u8,
    /// Whether the credit of CO-6.8 was given.
    pub credit_taken: bool,
    /// Number of credits that the carbon market still sells.
    pub market_left: u64,
    /// Whether the throw passed a CO2 square whose exchange was not used (CO-6.11).
    pub passing: bool,
    pub offers: u8,
}

ids! {
    /// Which exchange of action cards comes next.
    #[schema(as = ecopolis::Exchange)]
    pub enum Exchange {
        Passing = "passing",
        Square = "square",
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LastTurn {
    pub seat: Seat,
    pub dice: Dice,
    pub event: Option<EventCard>,
}

#[derive(Clone, PartialEq, Eq)]
pub struct Player {
    pub square: u8,
    pub euros: u64,
    pub credits: u64,
    pub hand: Actions,
    /// Number of seats that were eliminated before this one, if it was.
    pub eliminated: Option<u8>,
}

/// An owned territory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    pub owner: Seat,
    pub done: u8,
    /// Turns of the owner before the territory may be traded again (CO-8.6).
    pub rests: u8,
}

impl State {
    pub(super) fn new(options: &Options, seats: Seats) -> Self {
        let player = |_| Player {
            square: VIA,
            euros: EUROS_AT_START,
            credits: CREDITS_AT_START,
            hand: Actions::default(),
            eliminated: None,
        };
        Self {
            options: options.clone(),
            seats,
            round: 0,
            first_seat: seats.first(),
            turn_seat: seats.first(),
            dice: None,
            event: None,
            turn: Turn::default(),
            last_turn: None,
            bag: ALL_ACTIONS,
            event_deck: Deck::new(),
            event_discards: EventCards::default(),
            players: BySeat::new(seats, player),
            holdings: [None; TERRITORIES],
            phase: Phase::Turn(Moment::Roll),
            memory: Memory::new(seats),
        }
    }

    pub(super) fn holding(&self, territory: Territory) -> Option<&Holding> {
        self.holdings[territory.index()].as_ref()
    }

    pub(super) fn owner(&self, territory: Territory) -> Option<Seat> {
        self.holding(territory).map(|holding| holding.owner)
    }

    /// Returns the number of actions on a territory.
    pub(super) fn done(&self, territory: Territory) -> u8 {
        self.holding(territory).map_or(0, |holding| holding.done)
    }

    pub(super) fn owned(&self, seat: Seat) -> impl Iterator<Item = (Territory, &Holding)> {
        let all = Territory::ALL.iter().copied().zip(&self.holdings);
        all.filter_map(|(territory, holding)| Some((territory, holding.as_ref()?)))
            .filter(move |(_, holding)| holding.owner == seat)
    }

    /// Returns what the bank gives for all territories of a seat (CO-7.7).
    pub(super) fn land_price(&self, seat: Seat) -> u64 {
        self.owned(seat).map(|(territory, _)| territory.return_price()).sum()
    }

    /// Returns the seats in the game, clockwise from `first`.
    pub(super) fn still_in(&self, first: Seat) -> impl Iterator<Item = Seat> {
        self.seats.clockwise_from(first).filter(|seat| self.players[*seat].eliminated.is_none())
    }

    pub(super) fn balance(&self, seat: Seat) -> i64 {
        self.balance_if(seat, |territory| self.owner(territory))
    }

    /// Returns the balance of a seat with other owners of the territories (CO-3.1).
    pub(super) fn balance_if(&self, seat: Seat, owner: impl Fn(Territory) -> Option<Seat>) -> i64 {
        let mut balance = 0;
        for area in Area::all() {
            let (mut finished, mut bonus) = (true, 0);
            for territory in area.territories() {
                let (deed, done) = (territory.deed(), self.done(territory));
                let owned = owner(territory) == Some(seat);
                if owned {
                    balance += i64::from(done) - deed.co2_cost;
                }
                finished &= owned && done == SLOTS;
                bonus += deed.bonus;
            }
            if finished {
                balance += bonus;
            }
        }
        balance
    }

    /// Returns whether one seat owns the whole area with all actions.
    fn is_efficient(&self, area: Area) -> bool {
        let mut owners = area.territories().map(|territory| {
            self.holding(territory).filter(|holding| holding.done == SLOTS).map(|holding| holding.owner)
        });
        let first = owners.next().flatten();
        first.is_some() && owners.all(|owner| owner == first)
    }

    /// Returns the present rent of a territory (CO-6.3).
    pub(super) fn rent(&self, territory: Territory) -> u64 {
        let rent = territory.deed().rents[usize::from(self.done(territory))];
        if self.is_efficient(territory.area()) { (rent * 3).div_ceil(200) * 100 } else { rent }
    }

    /// Returns the balance that wins (CO-3.2).
    pub(super) const fn wins(&self) -> i64 {
        self.options.winning_balance()
    }

    /// Returns whether the pawn of the turn is on a CO2 square that is resolved (CO-6.4).
    pub(super) fn is_on_co2(&self) -> bool {
        Square::at(self.players[self.turn_seat].square) == Square::Co2 && self.event.is_none()
    }

    /// Returns the next exchange of this turn (CO-6.9, 6.11).
    pub(super) fn exchange(&self) -> Option<Exchange> {
        let is_over = matches!(self.phase, Phase::Finished(_));
        if is_over || self.dice.is_none() || self.turn.implemented > 0 {
            return None;
        }
        let stands = self.is_on_co2().then_some(Exchange::Square);
        if self.turn.passing { Some(Exchange::Passing) } else { stands }
    }

    /// Returns the number of missing cards in a hand (CO-4.4).
    pub(super) fn lacks(&self, seat: Seat) -> u8 {
        HAND.saturating_sub(self.players[seat].hand.total())
    }

    /// Returns the offers that the turn's seat may still make (CO-8.5).
    pub(super) fn offers_left(&self) -> u8 {
        let most = if self.phase.debt().is_some() { OFFERS_IN_DEBT } else { OFFERS };
        most.saturating_sub(self.turn.offers)
    }
}
