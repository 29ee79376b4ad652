//! Games that are played on from a position, for oneself: a record of nothing.

use uuid::Uuid;

use super::{GameKey, PlayerKey};

/// How many a player may have. The oldest goes for a new one.
pub const MOST: u32 = 20;

pub enum ExplorationChange {
    /// The oldest of the player's goes, if it has too many.
    Add(ExplorationRow),
    /// In the place of those before. Gone, if there are others meanwhile.
    SetCommands {
        id: Uuid,
        before: String,
        commands: String,
    },
    Remove {
        id: Uuid,
        player: PlayerKey,
    },
    /// Those from before this time go.
    Forget {
        before: u64,
    },
}

/// A position, and what was played from there. It has no `Debug`: what somebody tries is its own.
#[derive(Clone, PartialEq, Eq)]
pub struct ExplorationRow {
    pub id: Uuid,
    pub player: PlayerKey,
    pub game: GameKey,
    pub game_id: Uuid,
    pub seq: u64,
    /// Whose knowledge the position was dealt from; nothing for the true position of a game that is over.
    pub seat: Option<u8>,
    pub seed: [u8; 32],
    /// A list of levels, or null, seat by seat, as JSON.
    pub levels: String,
    /// A list of seats and commands, as JSON.
    pub commands: String,
    pub created_at: u64,
}
