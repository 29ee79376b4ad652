//! The built-in bots of a new table or an exploration.

use crate::{
    engine::{Fields, Malformed, Seats, Text},
    ledger::encoding::LedgerFields as _,
    service::request::Field,
    words::Level,
};

/// A built-in bot at a seat.
#[wire]
#[schema(as = BotAtTable)]
#[allow(dead_code, reason = "describes a field")]
pub struct NewMachine {
    /// The seat of the bot. In a new game it cannot be the creator's.
    #[schema(maximum = 3)]
    seat: u8,
    level: Level,
}

/// Built-in bots with their seats.
#[derive(Default)]
pub struct NewMachines(Vec<(u64, Level)>);

impl Field for NewMachines {
    fn read(fields: &mut Fields, name: &'static str) -> Result<Self, Malformed> {
        let bots = fields.array(name)?.iter().enumerate();
        let read = |(place, bot)| {
            let mut fields = Fields::of(bot, format!("{name}[{place}]"))?;
            let seat = fields.note(|fields| fields.whole("seat"));
            let level = fields.note(|fields| Level::read(fields, "level"));
            fields.end()?;
            Ok((seat?, level?))
        };
        Malformed::every(bots.map(read)).map(Self)
    }
}

impl NewMachines {
    /// Returns the bots for a table of this size, without the creator's seat.
    pub fn at(self, seats: Seats, own: Option<u64>) -> Result<Vec<(u64, Level)>, Malformed> {
        let is_free = |place: usize, seat: u64| {
            Some(seat) != own
                && seats.seat(seat).is_some()
                && self.0[..place].iter().all(|(taken, _)| *taken != seat)
        };
        let wrong = |place: usize| {
            let most = seats.count() - 1;
            let text = own.map_or_else(
                || {
                    let (en, it) = (
                        format!("must be from 0 to {most}, each once"),
                        format!("dev'essere da 0 a {most}, ognuno una volta"),
                    );
                    Text::new(en, it)
                },
                |own| {
                    let (en, it) = (
                        format!("must be from 0 to {most}, each once, and not {own}, which is the creator's"),
                        format!(
                            "dev'essere da 0 a {most}, ognuno una volta, e non {own}, di chi crea la partita"
                        ),
                    );
                    Text::new(en, it)
                },
            );
            Malformed::new(format!("bots[{place}].seat"), text)
        };
        let seated = self.0.iter().enumerate().map(|(place, (seat, level))| {
            if is_free(place, *seat) { Ok((*seat, *level)) } else { Err(wrong(place)) }
        });
        Malformed::every(seated)
    }
}
