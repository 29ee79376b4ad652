//! Options (section 13).

use serde::Serialize;
use serde_json::Value;

use crate::engine::{Fields, Malformed, Seat, Seats};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = industrial_waste::Options)]
pub struct Options {
    /// Whether all cash is open.
    #[schema(default = false)]
    pub open_cash: bool,
    /// Round limit: the game ends after this round unless a factory reaches column 20 earlier.
    #[schema(minimum = 1, maximum = 200, default = 40)]
    pub max_rounds: u64,
    /// Seat that starts. Default: random.
    pub first_seat: Option<Seat>,
}

impl Options {
    pub fn read(options: &Value, seats: Seats) -> Result<Self, Malformed> {
        let mut fields = Fields::of(options, "options")?;
        let open_cash = fields.note(|fields| fields.flag("open_cash"));
        let max_rounds = fields.note(|fields| fields.whole_within("max_rounds", 1..=200, 40));
        let first_seat = fields.note(|fields| fields.seat_or_null("first_seat", seats));
        fields.end()?;
        Ok(Self { open_cash: open_cash?, max_rounds: max_rounds?, first_seat: first_seat? })
    }
}
