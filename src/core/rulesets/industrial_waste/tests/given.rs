//! States to begin a case with.

use super::super::{
    IndustrialWaste,
    cards::{BOX, Kind, Supply},
    company::Company,
    options::Options,
    phase::{ColumnOffer, Phase},
    state::State,
};
use crate::engine::{
    Seat, Seats,
    cases::{self, AfterCase},
};

pub fn seat(number: u64) -> Seat {
    Seats::new(4).unwrap().seat(number).unwrap()
}

/// A state in the making. Cards come from the supply.
pub struct Given(State);

impl Given {
    /// Phase 3: seat 0 must act, all other seats are out, and no seat has cards.
    pub fn playing(seats: u64) -> Self {
        let seats = Seats::new(seats).unwrap();
        let options = Options { open_cash: false, max_rounds: 40, first_seat: None };
        let mut state = State::new(&options, seats);
        state.round = 1;
        state.supply = BOX.sorted().collect::<Vec<_>>().into_iter().rev().collect();
        state.phase = Phase::Playing { turn: seat(0) };
        for (_, company) in state.companies.iter_mut() {
            company.out = true;
        }
        Self(state)
    }

    /// Phase 3, with a growth card that seat 0 can save to end the round.
    pub fn last_turn(seats: u64) -> Self {
        Self::playing(seats).cards(0, &[Kind::Growth])
    }

    /// Phase 2 with these columns on offer. Seat 0 must choose.
    pub fn choosing(seats: u64, columns: &[[Kind; 3]]) -> Self {
        let mut given = Self::playing(seats);
        let mut offer = ColumnOffer::new(given.0.seats);
        for (column, cards) in columns.iter().enumerate() {
            for card in cards {
                given.draw(*card);
                offer.lay(column, *card);
            }
        }
        for (_, company) in given.0.companies.iter_mut() {
            company.out = false;
        }
        given.0.phase = Phase::Choosing { offer, chooser: seat(0) };
        given
    }

    pub fn cards(mut self, number: u64, cards: &[Kind]) -> Self {
        for card in cards {
            self.draw(*card);
            self.0.companies[seat(number)].cards.add(*card);
        }
        self.company(number, |company| company.out = false)
    }

    pub fn saved(mut self, number: u64, card: Kind) -> Self {
        self.draw(card);
        self.company(number, |company| company.saved = Some(card))
    }

    /// Puts these cards on top of the supply. The first is drawn first.
    pub fn on_top(mut self, cards: &[Kind]) -> Self {
        for card in cards {
            self.draw(*card);
        }
        self.0.supply.extend(cards.iter().rev().copied());
        self
    }

    /// Leaves this number of cards in the supply, and discards the others.
    pub fn supply_of(mut self, size: usize) -> Self {
        let rest: Supply = self.0.supply.drain(..self.0.supply.len() - size).collect();
        self.0.discards.extend(rest);
        self
    }

    pub fn company(mut self, number: u64, change: impl Fn(&mut Company)) -> Self {
        change(&mut self.0.companies[seat(number)]);
        self
    }

    /// Moves raw materials from the common supply to a company with 5.
    pub fn materials(mut self, number: u64, held: u8) -> Self {
        self.0.common_materials = self.0.common_materials + 5 - held;
        self.company(number, |company| company.materials = held)
    }

    pub fn with(mut self, change: impl Fn(&mut State)) -> Self {
        change(&mut self.0);
        self
    }

    fn draw(&mut self, card: Kind) {
        let place = self.0.supply.iter().position(|other| *other == card).expect("a card of the supply");
        self.0.supply.remove(place);
    }
}

impl cases::Given for Given {
    type Game = IndustrialWaste;

    fn state(self) -> State {
        self.0
    }
}

impl AfterCase<IndustrialWaste> {
    pub fn company(&self, number: u64) -> &Company {
        &self.state.companies[seat(number)]
    }
}
