//! Playing styles of the levels.

use super::Net;

/// The playing style of a level.
#[derive(Clone, Copy)]
pub struct Style<'n> {
    /// Simulated games. With 0, only direct effects count.
    pub playouts: u32,
    /// Commands before a simulated game is evaluated.
    pub depth: u32,
    /// A random candidate is chosen once in this number of commands.
    pub slips: Option<u64>,
    /// The network for simulated games. Without a network, the rule of thumb is used.
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
