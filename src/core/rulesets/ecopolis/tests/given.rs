//! States to begin a case with.

use super::super::{
    Ecopolis,
    board::SQUARES,
    cards::{Action, HAND},
    debt::Owed,
    deck::ALL_EVENT_CARDS,
    phase::{Moment, Phase},
    state::{Dice, Holding, Player, State},
    tables::{EventCard, Territory},
};
use crate::engine::{
    Chance, Format, Ruleset as _, Seat, Seats, Seed,
    cases::{self, AfterCase, CASE_SEED},
    id::Id,
};

pub fn seat(number: u64) -> Seat {
    Seats::new(4).unwrap().seat(number).unwrap()
}

/// The sum of the first throw in every case.
pub fn first_throw() -> u8 {
    let mut chance = Chance::seeded(Seed::new(Format::Three, CASE_SEED));
    chance.roll("dice", &[6, 6]).iter().map(|face| u8::try_from(face + 1).unwrap()).sum()
}

/// A state in the making. Cards come from the bag or from the event deck.
pub struct Given(State);

impl Given {
    /// Seat 0 rolls next. All territories are free, and each hand has 6 cards of different kinds.
    pub fn rolling(seats: u64) -> Self {
        let seats = Seats::new(seats).unwrap();
        let options = Ecopolis::read_options(&serde_json::json!({}), seats).unwrap();
        let mut state = State::new(&options, seats);
        state.round = 1;
        state.event_deck = ALL_EVENT_CARDS.sorted().collect();
        let mut kinds = Action::ALL.iter().copied().cycle();
        for (_, player) in state.players.iter_mut() {
            for action in kinds.by_ref().take(HAND.into()) {
                state.bag.remove(action);
                player.hand.add(action);
            }
        }
        Self(state)
    }

    /// The first roll brings seat 0 to this square, past VIA if necessary.
    pub fn rolling_to(seats: u64, square: u8) -> Self {
        Self::rolling(seats).player(0, |player| player.square = (square + SQUARES - first_throw()) % SQUARES)
    }

    /// The pawn of seat 0 is on this resolved square, after a throw that passed no CO2 square.
    pub fn standing(seats: u64, square: u8) -> Self {
        let given = Self::rolling(seats).player(0, |player| player.square = square);
        given.with(|state| {
            state.dice = Some(Dice::new([1, 2]));
            state.phase = Phase::Turn(Moment::Square);
        })
    }

    /// The pawn of seat 0 is on this resolved square, after a throw that passed a CO2 square.
    pub fn passing(seats: u64, square: u8) -> Self {
        Self::standing(seats, square).with(|state| state.turn.passing = true)
    }

    pub fn options(self, options: &serde_json::Value) -> Self {
        self.with(|state| state.options = Ecopolis::read_options(options, state.seats).unwrap())
    }

    /// Seat 0 has a debt on the way to this square.
    pub fn owing(seats: u64, square: u8, owed: Owed) -> Self {
        Self::standing(seats, square).with(|state| state.phase = Phase::Turn(Moment::Debt(owed)))
    }

    /// A seat owns these territories with this number of actions.
    pub fn owns(mut self, number: u64, done: u8, territories: &[Territory]) -> Self {
        for territory in territories {
            // The cards of a finished territory are in the bag.
            let on_slots = if done < 4 { done } else { 0 };
            for action in territory.deed().slots.iter().take(on_slots.into()) {
                self.0.bag.remove(*action);
            }
            self.0.holdings[territory.index()] = Some(Holding { owner: seat(number), done, rests: 0 });
        }
        self
    }

    pub fn money(self, number: u64, euros: u64, credits: u64) -> Self {
        self.player(number, |player| (player.euros, player.credits) = (euros, credits))
    }

    /// Seat 0 has this card instead of its first one.
    pub fn holds(mut self, action: Action) -> Self {
        let hand = &mut self.0.players[seat(0)].hand;
        let first = hand.kinds().next().unwrap();
        hand.remove(first);
        hand.add(action);
        self.0.bag.remove(action);
        self.0.bag.add(first);
        self
    }

    pub fn next_event(mut self, event: EventCard) -> Self {
        let place = self.0.event_deck.iter().position(|other| *other == event).unwrap();
        let last = self.0.event_deck.len() - 1;
        self.0.event_deck.swap(place, last);
        self
    }

    /// The event of this turn.
    pub fn after_event(self, event: EventCard) -> Self {
        let mut given = self.next_event(event);
        given.0.event_deck.pop();
        given.0.event_discards.add(event);
        given.0.event = Some(event);
        given
    }

    /// Every territory has 3 actions done and all other cards are in the hands of four seats: the bag is
    /// empty. Seat 0 owns the first territory, and seat 1 all others.
    pub fn empty_bag(mut self) -> Self {
        for (_, player) in self.0.players.iter_mut() {
            self.0.bag.extend(std::mem::take(&mut player.hand).sorted());
        }
        let mut given = self.owns(0, 3, &Territory::ALL[..1]).owns(1, 3, &Territory::ALL[1..]);
        let cards = std::mem::take(&mut given.0.bag);
        let mut sorted = cards.sorted();
        for (_, player) in given.0.players.iter_mut() {
            player.hand.extend(sorted.by_ref().take(HAND.into()));
        }
        given
    }

    pub fn player(mut self, number: u64, change: impl Fn(&mut Player)) -> Self {
        change(&mut self.0.players[seat(number)]);
        self
    }

    pub fn with(mut self, change: impl Fn(&mut State)) -> Self {
        change(&mut self.0);
        self
    }
}

impl cases::Given for Given {
    type Game = Ecopolis;

    fn state(self) -> State {
        self.0
    }
}

impl AfterCase<Ecopolis> {
    pub fn player(&self, number: u64) -> &Player {
        &self.state.players[seat(number)]
    }

    pub fn balance(&self, number: u64) -> i64 {
        self.state.balance(seat(number))
    }

    pub fn money(&self, number: u64) -> (u64, u64) {
        (self.player(number).euros, self.player(number).credits)
    }
}
