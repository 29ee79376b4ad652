//! How a level plays.

use super::Net;

/// What a level does to find its command.
#[derive(Clone, Copy)]
pub struct Style<'n> {
    /// How many games are imagined; none for a thinker that only looks at what each command brings.
    pub playouts: u32,
    /// After how many commands an imagined game is judged as it stands.
    pub depth: u32,
    /// One command in so many is any of the candidates.
    pub slips: Option<u64>,
    /// What judges, and plays the imagined games; without it the game's rule of thumb does.
    pub judge: Option<&'n Net>,
}

impl Style<'_> {
    /// By rule of thumb, one command ahead.
    pub const THUMB: Style<'static> = Style { playouts: 0, depth: 0, slips: None, judge: None };

    /// The same with fewer games imagined.
    #[must_use]
    pub const fn with_part(self, part: u32) -> Self {
        let playouts = if part > 1 { self.playouts / part } else { self.playouts };
        Self { playouts, ..self }
    }
}
