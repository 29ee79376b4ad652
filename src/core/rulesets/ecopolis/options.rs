//! Options (section 11).

use serde::Serialize;
use serde_json::Value;

use crate::engine::{Fields, Malformed, Seat, Seats, id::ids};

ids! {
    /// How long a game takes: its round limit and its winning balance.
    #[schema(as = ecopolis::Length)]
    pub enum Length {
        Short = "short",
        Normal = "normal",
        Long = "long",
    }
}

impl Length {
    pub const fn rounds(self) -> u64 {
        match self {
            Self::Short => 20,
            Self::Normal => 60,
            Self::Long => 100,
        }
    }

    pub const fn winning_balance(self) -> i64 {
        match self {
            Self::Short | Self::Normal => 20,
            Self::Long => 25,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Options)]
pub struct Options {
    /// Winning balance and round limit: 20 and 20, 20 and 60, or 25 and 100.
    #[schema(default = "normal")]
    pub length: Length,
    /// Round limit instead of that of `length`.
    #[schema(minimum = 1, maximum = 200)]
    pub max_rounds: Option<u64>,
    /// Whether bankrupt players leave the game. Otherwise they start again.
    #[schema(default = true)]
    pub elimination: bool,
    /// Whether later seats start with more money.
    #[schema(default = false)]
    pub even_start: bool,
    /// Whether all hands are open.
    #[schema(default = false)]
    pub open_hands: bool,
    /// Seat that starts. Default: random.
    pub first_seat: Option<Seat>,
}

impl Options {
    pub fn read(options: &Value, seats: Seats) -> Result<Self, Malformed> {
        let mut fields = Fields::of(options, "options")?;
        let length = fields.note(|fields| fields.id_or("length", Length::Normal));
        let max_rounds = fields.note(|fields| fields.whole_within_or_null("max_rounds", 1..=200));
        let elimination = fields.note(|fields| fields.flag_or("elimination", true));
        let even_start = fields.note(|fields| fields.flag("even_start"));
        let open_hands = fields.note(|fields| fields.flag("open_hands"));
        let first_seat = fields.note(|fields| fields.seat_or_null("first_seat", seats));
        fields.end()?;
        Ok(Self {
            length: length?,
            max_rounds: max_rounds?,
            elimination: elimination?,
            even_start: even_start?,
            open_hands: open_hands?,
            first_seat: first_seat?,
        })
    }

    /// Returns the last round (CO-9.3).
    pub fn rounds(&self) -> u64 {
        self.max_rounds.unwrap_or(self.length.rounds())
    }

    /// Returns the balance that wins (CO-3.2).
    pub const fn winning_balance(&self) -> i64 {
        self.length.winning_balance()
    }
}
