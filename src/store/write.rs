//! Changes of a store. All changes of one [`Write`] happen together or not at all.

use super::{
    AccountChange, Entry, ExplorationChange, GameFacts, GameKey, HookChange, Newest, PlayerKey, SmallChange,
    TalkChange, TreeChange,
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

    /// Returns whether the write is a single row of the log, like nearly every command. Without parts that
    /// can fail alone, it needs no savepoint.
    pub(super) fn is_one_row(&self) -> bool {
        matches!(self.changes.as_slice(), [Change::Append { entries, .. }] if entries.len() == 1)
    }

    /// Returns the game and `seq` of the first appended entry.
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
    Small(SmallChange),
    Substitution(SubstitutionChange),
    Exploration(ExplorationChange),
    Hook(HookChange),
    Tree(TreeChange),
    AddGame(Box<GameFacts>),
    /// Fails if the seat is taken, or the player has a seat in this game.
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
    /// Fails if the player has a seat in this game.
    HandSeat {
        game: GameKey,
        seat: u8,
        player: PlayerKey,
    },
    /// Stores the plan of a seat as JSON, or deletes it.
    SetPlan {
        game: GameKey,
        seat: u8,
        plan: Option<(PlayerKey, String)>,
    },
    /// Stores the last entry of a game that is not running.
    SetNewest {
        game: GameKey,
        newest: Newest,
    },
    SetDeadline {
        game: GameKey,
        at: Option<u64>,
    },
    /// Fails with a conflict if the first entry exists, and with `ClaimStands` if the claim does. SQLite
    /// refuses a gap as well; on PostgreSQL, servers look for lost entries before each change.
    Append {
        game: GameKey,
        entries: Vec<Entry>,
        /// The entry with this `seq` was written under an idempotency key.
        claim: Option<(u64, NewClaim)>,
    },
    KeepAnswer(KeptAnswer),
    /// Records the present signing key.
    AddSigningKey {
        key: String,
        at: u64,
    },
    /// Stores a key of the server.
    AddOwnKey {
        purpose: &'static str,
        key: Vec<u8>,
    },
    /// Notes that a server is running.
    Beat {
        at: u64,
    },
    /// Stores the statement that ends a key.
    EndSigningKey {
        key: String,
        statement: String,
    },
}

impl Change {
    /// Returns whether the change affects cached state outside the log: seats and plans.
    pub const fn is_beside(&self) -> bool {
        matches!(
            self,
            Self::TakeSeat { .. } | Self::FreeSeat { .. } | Self::HandSeat { .. } | Self::SetPlan { .. }
        )
    }
}

/// Changes of an offered seat.
pub enum SubstitutionChange {
    /// Replaces an earlier offer of the seat.
    Offer {
        game: GameKey,
        seat: u8,
        player: PlayerKey,
        id: Uuid,
        code: String,
    },
    /// Replaces the request of `before`. Fails with `Gone` if the offer ended or another player asked
    /// meanwhile.
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

/// An idempotency key of a write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewClaim {
    /// Digest of the player and the key.
    pub digest: [u8; 16],
    pub fingerprint: [u8; 16],
    pub at: u64,
    /// An older claim of this digest has expired.
    pub fresh_since: u64,
}

/// The answer to a request under an idempotency key that wrote no entry.
pub struct KeptAnswer {
    pub player: PlayerKey,
    pub key: String,
    pub claim: NewClaim,
    pub body: Vec<u8>,
}
