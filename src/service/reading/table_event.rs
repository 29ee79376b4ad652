//! Events of the table.

use serde::Serialize;

use crate::{engine::Seat, words::Ending};

/// An event of the table, in any game.
#[derive(Clone, Serialize)]
#[wire]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TableEvent {
    TableOpened {},
    SeatTaken {
        seat: Seat,
        entropy_promised: bool,
    },
    SeatLeft {
        seat: Seat,
    },
    TableSealed {},
    EntropyRevealed {
        seat: Seat,
    },
    SeatResigned {
        seat: Seat,
    },
    AutopilotTookOver {
        seat: Seat,
    },
    PlayerResumed {
        seat: Seat,
    },
    /// Keys of the seat can no longer sign.
    KeysRevoked {
        seat: Seat,
    },
    /// The seat has another key, or none, without the consent of the key before.
    Rekeyed {
        seat: Seat,
        has_key: bool,
    },
    /// The operator removed the player from the seat.
    SeatRemoved {
        seat: Seat,
        /// Public reason.
        reason: Option<String>,
    },
    /// The server could not be reached for this time, which does not count.
    Outage {
        ms: u64,
    },
    /// Another player took over the seat.
    SeatHanded {
        seat: Seat,
        #[schema(format = Uuid)]
        player: String,
    },
    /// The game continues from the position after the entry `to`.
    TakenBack {
        seat: Seat,
        to: u64,
    },
    /// The seat asks for a pause. The game pauses once all players have asked.
    PauseAsked {
        seat: Seat,
    },
    PauseEnded {
        seat: Seat,
    },
    TableClosed {
        void: bool,
        end: Ending,
        /// Public reason of the operator, if it halted the game.
        reason: Option<String>,
    },
}
