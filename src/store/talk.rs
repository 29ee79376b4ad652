//! What is kept beside a game for those who sit there: notes, messages, and whom somebody does not want to hear.

use uuid::Uuid;

use super::{GameKey, PlayerKey};
use crate::words::Nature;

pub enum TalkChange {
    /// In place of an earlier one. An empty text takes it away.
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

/// What people write is theirs: it has no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct NoteRow {
    pub text: String,
    /// The newest entry when it was written.
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

/// A message, and who said it.
pub struct HeardRow {
    pub message: MessageRow,
    pub speaker: Uuid,
    pub name: Option<String>,
    pub nature: Nature,
}

/// What one player hears of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hearing {
    pub game: GameKey,
    pub listener: PlayerKey,
}
