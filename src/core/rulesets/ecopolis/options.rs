//! Options (section 11).

use serde::Serialize;
use serde_json::Value;

use crate::engine::{Fields, Malformed, Seat, Seats};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = ecopolis::Options)]
pub struct Options {
    /// Round limit: the game ends after this round at the latest.
    #[schema(minimum = 1, maximum = 200, default = 80)]
    pub max_rounds: u64,
    /// Whether all hands are open.
    #[schema(default = false)]
    pub open_hands: bool,
    /// Seat that starts. Default: random.
    pub first_seat: Option<Seat>,
}

impl Options {
    pub fn read(options: &Value, seats: Seats) -> Result<Self, Malformed> {
        let mut fields = Fields::of(options, "options")?;
        let max_rounds = fields.note(|fields| fields.whole_within("max_rounds", 1..=200, 80));
        let open_hands = fields.note(|fields| fields.flag("open_hands"));
        let first_seat = fields.note(|fields| fields.seat_or_null("first_seat", seats));
        fields.end()?;
        Ok(Self { max_rounds: max_rounds?, open_hands: open_hands?, first_seat: first_seat? })
    }
}
