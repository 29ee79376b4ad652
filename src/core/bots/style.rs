//! Playing styles of the levels.

use super::Net;

/// How a level finds its command.
#[derive(Clone, Copy)]
pub struct Style<'n> {
    /// Simulated games. With 0, only direct effects count.
    pub playouts: u32,
    /// Commands after which a simulated game is evaluated as it is.
    pub depth: u32,
    /// One in this many commands is a random candidate.
    pub slips: Option<u64>,
    /// The network that evaluates and plays simulated games. Without it, the rule of thumb does.
    pub judge: Option<&'n Net>,
}

impl Style<'_> {
    /// The rule of thumb, one command ahead.
    pub const THUMB: Style<'static> = Style { playouts: 0, depth: 0, slips: None, judge: None };

    /// Returns the style with a part of the simulated games.
    #[must_use]
    pub const fn with_part(self, part: u32) -> Self {
        let playouts = if part > 1 { self.playouts / part } else { self.playouts };
        Self { playouts, ..self }
    }
}
