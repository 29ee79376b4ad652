//! The ring of squares, and its territories (CO-1.1).

use super::{cards::Action, rows::Deed, tables::Territory};
use crate::engine::id::Id;

pub const SQUARES: u8 = 40;
pub const VIA: u8 = 0;
pub const TERRITORIES: usize = Territory::ALL.len();
const IN_AREA: usize = 3;
const SQUARES_IN_AREA: u8 = 5;
/// Where in its area the squares of the territories are; before the last of them lies the event square.
const PLACES: [u8; IN_AREA] = [1, 2, 4];
const EVENT_PLACE: u8 = 3;
const AREAS: usize = TERRITORIES / IN_AREA;

/// An area of the province, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Area(usize);

impl Area {
    pub fn all() -> impl Iterator<Item = Self> {
        (0..AREAS).map(Self)
    }

    /// Its place on the ring.
    pub const fn number(self) -> usize {
        self.0
    }

    pub fn territories(self) -> impl Iterator<Item = Territory> {
        Territory::ALL.iter().copied().skip(self.0 * IN_AREA).take(IN_AREA)
    }
}

impl Territory {
    pub fn deed(self) -> &'static Deed {
        &super::tables::DEEDS[self.index()]
    }

    pub fn area(self) -> Area {
        Area(self.index() / IN_AREA)
    }

    pub fn square(self) -> u8 {
        let (area, place) = (self.index() / IN_AREA, PLACES[self.index() % IN_AREA]);
        u8::try_from(area).unwrap_or(0) * SQUARES_IN_AREA + place
    }

    /// Returns what the bank gives for the territory (CO-7.7).
    pub fn return_price(self) -> u64 {
        (self.deed().price / 2).next_multiple_of(100)
    }

    /// Returns the index of the slot for a kind of action.
    pub fn slot_of(self, action: Action) -> Option<usize> {
        self.deed().slots.iter().position(|slot| *slot == action)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Square {
    /// VIA is the first of them.
    Co2,
    Territory(Territory),
    /// An event square, with its kind of action.
    Event(Action),
}

impl Square {
    /// Returns whether a pawn that moves this far passes a CO2 square. Its first and last squares do not
    /// count.
    pub fn passes_co2(from: u8, distance: u8) -> bool {
        (1..distance).any(|step| Self::at((from + step) % SQUARES) == Self::Co2)
    }

    /// Returns the square at this number of the ring. Each area has five.
    pub fn at(number: u8) -> Self {
        let (area, place) = (usize::from(number / SQUARES_IN_AREA), number % SQUARES_IN_AREA);
        match PLACES.iter().position(|of_territory| *of_territory == place) {
            Some(n) => Self::Territory(Territory::ALL[area * IN_AREA + n]),
            None if place == EVENT_PLACE => Self::Event(Action::ALL[area]),
            None => Self::Co2,
        }
    }
}
