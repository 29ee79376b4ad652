//! The company of a seat: its factory on the board, and its mat.

use serde::Serialize;

use super::cards::{Cards, Kind};
use crate::engine::id::ids;

pub const FIRST_COLUMN: u8 = 14;
pub const LAST_COLUMN: u8 = 20;
pub const TOP_ROW: u8 = 5;
pub const BOTTOM_ROW: u8 = 1;
pub const MOST_WASTE: u8 = 16;
/// Money of a loan, and its repayment (IW-3.1, IW-7.13).
pub const LOAN: u64 = 10;
/// Most loans by choice (IW-3.4).
pub const MOST_LOANS: u64 = 16;

ids! {
    /// An area of the company mat.
    #[schema(as = industrial_waste::Area)]
    pub enum Area {
        Rationalization = "rationalization",
        RawMaterials = "raw_materials",
        WasteReduction = "waste_reduction",
    }
}

ids! {
    /// Direction of a factory on the co-worker track.
    #[schema(as = industrial_waste::Direction)]
    pub enum Direction {
        Hire = "hire",
        Fire = "fire",
    }
}

ids! {
    /// Section of a waste track (IW-1.5).
    #[schema(as = industrial_waste::Zone)]
    pub enum Zone {
        Green = "green",
        Yellow = "yellow",
        Red = "red",
    }
}

impl Zone {
    pub const fn of(waste: u8) -> Self {
        match waste {
            0..=8 => Self::Green,
            9..=12 => Self::Yellow,
            _ => Self::Red,
        }
    }

    /// Returns the fine of an accident (IW-8.1).
    pub const fn fine(self) -> u64 {
        match self {
            Self::Green => 0,
            Self::Yellow => 5,
            Self::Red => 10,
        }
    }

    /// Returns the columns that an accident costs (IW-8.1).
    pub const fn setback(self) -> u8 {
        match self {
            Self::Green => 0,
            Self::Yellow => 1,
            Self::Red => 2,
        }
    }
}

/// Current requirement of each area: 5 at the first hole, 1 at the last (IW-1.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::Needs)]
pub struct Needs {
    #[schema(minimum = 1, maximum = 5)]
    pub rationalization: u8,
    #[schema(minimum = 1, maximum = 5)]
    pub raw_materials: u8,
    #[schema(minimum = 1, maximum = 5)]
    pub waste_reduction: u8,
}

impl Needs {
    pub const START: Self = Self { rationalization: 5, raw_materials: 5, waste_reduction: 5 };

    pub const fn of(&self, area: Area) -> u8 {
        match area {
            Area::Rationalization => self.rationalization,
            Area::RawMaterials => self.raw_materials,
            Area::WasteReduction => self.waste_reduction,
        }
    }

    /// Moves the marker of an area to the next hole.
    pub const fn improve(&mut self, area: Area) {
        match area {
            Area::Rationalization => self.rationalization -= 1,
            Area::RawMaterials => self.raw_materials -= 1,
            Area::WasteReduction => self.waste_reduction -= 1,
        }
    }

    /// The points of an area at the end.
    pub const fn points(&self, area: Area) -> u8 {
        match self.of(area) {
            5 => 1,
            4 => 3,
            3 => 6,
            2 => 10,
            _ => 15,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Company {
    pub column: u8,
    pub row: u8,
    pub needs: Needs,
    pub waste: u8,
    pub cash: u64,
    pub loans: u64,
    pub materials: u8,
    /// Face-up cards in front of the company.
    pub cards: Cards,
    pub saved: Option<Kind>,
    /// Whether the seat has no turn left in this round.
    pub out: bool,
}

impl Company {
    pub fn new() -> Self {
        Self {
            column: FIRST_COLUMN,
            row: TOP_ROW,
            needs: Needs::START,
            waste: 0,
            cash: 15,
            loans: 0,
            materials: 5,
            cards: Cards::default(),
            saved: None,
            out: false,
        }
    }

    pub const fn zone(&self) -> Zone {
        Zone::of(self.waste)
    }

    /// Returns whether the owner may bribe in an accident (IW-8.2).
    pub fn may_bribe(&self) -> bool {
        self.saved == Some(Kind::Bribery) && self.zone() != Zone::Green && self.column > FIRST_COLUMN
    }

    /// Returns the least number of loans needed to pay `amount` (IW-3.2).
    pub const fn loans_to_pay(&self, amount: u64) -> u64 {
        amount.saturating_sub(self.cash).div_ceil(LOAN)
    }

    /// Removes a card. A company without cards has no turn left (IW-7.1).
    pub fn remove_card(&mut self, kind: Kind) {
        self.cards.remove(kind);
        self.out = self.cards.is_empty();
    }
}
