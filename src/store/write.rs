//! What can be written. All changes of one [`Write`] happen together or not at all.

use super::{
    AccountChange, Entry, ExplorationChange, GameFacts, GameKey, HookChange, Newest, PlayerKey, TalkChange,
    TreeChange,
};
use uuid::Uuid;

use crate::words::{Ending, PlayedBy, Share, Status};

#[derive(Default)]
pub struct Write {
    pub(super) changes: Vec<Change>,
}

impl Write {
    pub fn of(change: Change) -> Self {
        Self::of_all(vec![change])
    }

    pub const fn of_all(changes: Vec<Change>) -> Self {
        Self { changes }
    }

    #[must_use]
    pub fn and(mut self, change: Change) -> Self {
        self.changes.push(change);
        self
    }

    pub const fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether it is one row of the log and nothing else, as nearly every command is. Such a write happens or
    /// does not: no savepoint is needed to take half of it back.
    pub(super) fn is_one_row(&self) -> bool {
        matches!(self.changes.as_slice(), [Change::Append { entries, .. }] if entries.len() == 1)
    }

    /// The game and the seq of the first entry that it appends.
    pub(super) fn first_entry(&self) -> Option<(GameKey, u64)> {
        self.changes.iter().find_map(|change| match change {
            Change::Append { game, entries, .. } => Some((*game, entries.first()?.seq)),
            _ => None,
        })
    }
}

pub enum Change {
    Account(AccountChange),
    Talk(TalkChange),
    Substitution(SubstitutionChange),
    Exploration(ExplorationChange),
    Hook(HookChange),
    Tree(TreeChange),
    AddGame(Box<GameFacts>),
    /// Refused if the seat is taken or the player sits at this game already.
    TakeSeat {
        game: GameKey,
        seat: u8,
        player: PlayerKey,
        share: Share,
    },
    FreeSeat {
        game: GameKey,
        seat: u8,
    },
    SetShare {
        game: GameKey,
        seat: u8,
        share: Share,
    },
    SetPlayedBy {
        game: GameKey,
        seat: u8,
        played_by: PlayedBy,
    },
    SetStatus {
        game: GameKey,
        status: Status,
        at: u64,
        ended: Option<(Ending, Option<String>)>,
    },
    /// Refused if the player sits at this game already.
    HandSeat {
        game: GameKey,
        seat: u8,
        player: PlayerKey,
    },
    /// What a player has planned for its seat, as JSON; nothing takes the plan away.
    SetPlan {
        game: GameKey,
        seat: u8,
        plan: Option<(PlayerKey, String)>,
    },
    /// Where the log of a game ends that is not running.
    SetNewest {
        game: GameKey,
        newest: Newest,
    },
    SetDeadline {
        game: GameKey,
        at: Option<u64>,
    },
    /// Refused with a conflict unless the first entry is the next of its game, and if the claim stands
    /// already.
    Append {
        game: GameKey,
        entries: Vec<Entry>,
        /// That the entry with this seq was written under an idempotency key.
        claim: Option<(u64, NewClaim)>,
    },
    KeepAnswer(KeptAnswer),
    /// From here on this key signs.
    AddSigningKey {
        key: String,
        at: u64,
    },
    /// A key of the server's own, for good.
    AddOwnKey {
        purpose: &'static str,
        key: Vec<u8>,
    },
    /// A server is there.
    Beat {
        at: u64,
    },
    /// A key has ended, as this statement says.
    EndSigningKey {
        key: String,
        statement: String,
    },
}

impl Change {
    /// Whether it changes what a server has of a game in memory and what stands in no log, or must be read
    /// beside it.
    pub const fn is_beside(&self) -> bool {
        matches!(
            self,
            Self::TakeSeat { .. } | Self::FreeSeat { .. } | Self::HandSeat { .. } | Self::SetPlan { .. }
        )
    }
}

/// A seat that its player offers to another, who asks for it, until it is handed on or the offer is
/// withdrawn.
pub enum SubstitutionChange {
    /// In place of an earlier offer of the seat.
    Offer {
        game: GameKey,
        seat: u8,
        player: PlayerKey,
        id: Uuid,
        code: String,
    },
    /// In the place of who asked before. Gone, if the offer is, or if somebody else asked meanwhile.
    Ask {
        id: Uuid,
        asker: PlayerKey,
        taken: Option<String>,
        before: Option<PlayerKey>,
    },
    Withdraw {
        game: GameKey,
        seat: u8,
    },
}

/// An idempotency key that a write comes under.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewClaim {
    /// Stands for the player and its key.
    pub digest: [u8; 16],
    pub fingerprint: [u8; 16],
    pub at: u64,
    /// An older claim of this digest counts no more.
    pub fresh_since: u64,
}

/// The answer to a request under an idempotency key that wrote no entry.
pub struct KeptAnswer {
    pub player: PlayerKey,
    pub key: String,
    pub claim: NewClaim,
    pub body: Vec<u8>,
}
