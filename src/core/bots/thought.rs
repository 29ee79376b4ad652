//! A decision to compute.

use super::{Playable, Style, search::Search};
use crate::engine::{Chance, Seat, Table, Viewer};

/// A decision to compute, by another thread if necessary. Has no secrets.
pub struct Thought<R: Playable> {
    /// A table that the seat cannot tell from the true table.
    belief: Table<R>,
    seat: Seat,
    seed: u64,
}

impl<R: Playable> Thought<R> {
    /// Makes the decision of a seat. The seed is the bot's own.
    pub fn of(table: &Table<R>, seat: Seat, seed: u64) -> Self {
        Self { belief: table.redealt(Viewer::Seat(seat), Chance::imagined(seed)), seat, seed }
    }

    /// Returns a random candidate.
    pub fn random(&self) -> Option<R::Command> {
        self.decide(Style { slips: Some(1), ..Style::THUMB })
    }

    /// Returns the command of the seat, if it must act.
    pub fn decide(&self, style: Style) -> Option<R::Command> {
        let candidates = R::candidates(self.belief.state(), self.seat);
        if candidates.len() < 2 {
            return candidates.into_iter().next();
        }
        let mut chance = Chance::imagined(self.seed);
        let mut below =
            |label, bound: u64| u64::from(chance.roll(label, &[u32::try_from(bound).unwrap_or(u32::MAX)])[0]);
        let best = match style.slips {
            Some(slips) if below("slip", slips) == 0 => {
                usize::try_from(below("any", candidates.len() as u64)).ok()?
            }
            _ => Search::new(&self.belief, self.seat, self.seed, style).best(&candidates),
        };
        candidates.into_iter().nth(best)
    }
}
