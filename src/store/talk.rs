//! Private notes, messages and mutes.

use uuid::Uuid;

use super::{GameKey, PlayerKey};
use crate::words::Nature;

pub enum TalkChange {
    /// Replaces an earlier note. An empty text deletes it.
    SetNote {
        game: GameKey,
        player: PlayerKey,
        note: NoteRow,
    },
    AddMessage {
        game: GameKey,
        message: MessageRow,
    },
    Mute {
        game: GameKey,
        player: PlayerKey,
        muted: PlayerKey,
        is_muted: bool,
    },
}

/// A private note. Without `Debug`: it belongs to its writer.
#[derive(Clone, PartialEq, Eq)]
pub struct NoteRow {
    pub text: String,
    /// The newest entry when the note was written.
    pub seq: u64,
    pub at: u64,
}

#[derive(Clone, PartialEq, Eq)]
pub struct MessageRow {
    pub id: i64,
    pub seat: u8,
    pub player: PlayerKey,
    pub text: String,
    pub at: u64,
}

/// A message, and its writer.
pub struct HeardRow {
    pub message: MessageRow,
    pub speaker: Uuid,
    pub name: Option<String>,
    pub nature: Nature,
}

/// A game, and the player who reads its messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hearing {
    pub game: GameKey,
    pub listener: PlayerKey,
}
