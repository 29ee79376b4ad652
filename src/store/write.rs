//! What can be written. All changes of one [`Write`] happen together or not at all.

use uuid::Uuid;

use super::{
    Answer, Control, Entropy, Entry, GameKey, GameRow, PlayerKey, Status, Visibility, segment::NewSegment,
};

#[derive(Default)]
pub struct Write {
    pub(super) changes: Vec<Change>,
}

impl Write {
    pub fn of(change: Change) -> Self {
        Self { changes: vec![change] }
    }

    /// Whether it is one row of the log and nothing else, as nearly every command is. Such a write happens or does not; no
    /// savepoint is needed to take half of it back.
    pub(super) fn is_one_row(&self) -> bool {
        matches!(self.changes.as_slice(), [Change::Append { entries, .. }] if entries.len() == 1)
    }

    /// The game and the seq of the last entry that it appends.
    pub(super) fn last_entry(&self) -> Option<(GameKey, u64)> {
        self.changes.iter().rev().find_map(|change| match change {
            Change::Append { game, entries } => Some((*game, entries.last()?.seq)),
            _ => None,
        })
    }

    #[must_use]
    pub fn and(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }
}

pub enum Change {
    AddPlayer(NewPlayer),
    SetToken {
        player: PlayerKey,
        token: [u8; 32],
    },
    AddGame(Box<NewGame>),
    /// Refused if the seat is taken or the player sits at this game already.
    TakeSeat {
        game: GameKey,
        seat: u8,
        player: PlayerKey,
        entropy: Entropy,
    },
    FreeSeat {
        game: GameKey,
        seat: u8,
    },
    SetEntropy {
        game: GameKey,
        seat: u8,
        entropy: Entropy,
    },
    SetControl {
        game: GameKey,
        seat: u8,
        control: Control,
    },
    SetStatus {
        game: GameKey,
        status: Status,
        at: u64,
        result: Option<String>,
    },
    SetDeadline {
        game: GameKey,
        at: Option<u64>,
    },
    /// Refused with a conflict unless the first entry is the next of its game.
    Append {
        game: GameKey,
        entries: Vec<Entry>,
    },
    /// Refused if the key was used since `fresh_since`. Clears older answers away.
    KeepAnswer {
        answer: Answer,
        fresh_since: u64,
    },
    /// What the sweep has gathered.
    AddSegments(Vec<NewSegment>),
    /// Deletes the rows of the log up to this one. Refused unless they are all in segments.
    Clear {
        upto: i64,
    },
}

pub struct NewPlayer {
    pub key: PlayerKey,
    pub uuid: Uuid,
    pub name: String,
    /// The SHA-256 of the token.
    pub token: [u8; 32],
    pub created_at: u64,
}

pub struct NewGame {
    pub key: GameKey,
    pub uuid: Uuid,
    pub creator: PlayerKey,
    pub ruleset: String,
    pub version: u32,
    pub seats: u8,
    /// All options, as canonical JSON.
    pub options: String,
    pub title: Option<String>,
    pub visibility: Visibility,
    pub invite: Option<String>,
    pub move_seconds: Option<u32>,
    pub server_seed: [u8; 32],
    pub created_at: u64,
}

impl NewGame {
    /// The row that it will be.
    pub fn row(&self) -> GameRow {
        GameRow {
            key: self.key,
            uuid: self.uuid,
            creator: self.creator,
            ruleset: self.ruleset.clone(),
            version: self.version,
            seats: self.seats,
            options: self.options.clone(),
            title: self.title.clone(),
            visibility: self.visibility,
            invite: self.invite.clone(),
            move_seconds: self.move_seconds,
            server_seed: self.server_seed,
            status: Status::Open,
            result: None,
            created_at: self.created_at,
            sealed_at: None,
            started_at: None,
            finished_at: None,
            deadline: None,
        }
    }
}
