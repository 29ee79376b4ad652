//! Explorations: private continuations of a position.

use uuid::Uuid;

use super::{GameKey, PlayerKey};

/// Explorations of a player. A new one deletes the oldest.
pub const MOST: u32 = 20;

pub enum ExplorationChange {
    /// Deletes the oldest exploration of a player who has too many.
    Add(ExplorationRow),
    /// Replaces the commands. Fails with [`Gone`](super::StoreError::Gone) if they changed since they were
    /// read.
    SetCommands {
        id: Uuid,
        before: String,
        commands: String,
    },
    Remove {
        id: Uuid,
        player: PlayerKey,
    },
    /// Deletes explorations from before a time.
    Forget {
        before: u64,
    },
}

/// A position and the commands since. Without `Debug`: an exploration is private.
#[derive(Clone, PartialEq, Eq)]
pub struct ExplorationRow {
    pub id: Uuid,
    pub player: PlayerKey,
    pub game: GameKey,
    pub game_id: Uuid,
    pub seq: u64,
    /// The seat whose knowledge the position was dealt from. `None` for the true position of a finished game.
    pub seat: Option<u8>,
    pub seed: [u8; 32],
    /// Levels by seat, or null, as JSON.
    pub levels: String,
    /// Seats and commands, as JSON.
    pub commands: String,
    pub created_at: u64,
}
