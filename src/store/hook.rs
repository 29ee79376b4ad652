//! Ways by which players are told of their games, and the messages that are to be sent.

use uuid::Uuid;

use super::{GameKey, PlayerKey};
use crate::words::{Failure, HookState, Outcome, Way};

/// The number of a hook inside the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HookKey(pub(super) i64);

#[cfg(test)]
impl HookKey {
    pub const fn of(number: i64) -> Self {
        Self(number)
    }
}

/// The number of a delivery inside the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeliveryKey(pub(super) i64);

/// A hook. It has no `Debug`: its target is its owner's secret.
#[derive(Clone, PartialEq, Eq)]
pub struct HookRow {
    pub key: HookKey,
    pub id: Uuid,
    pub player: PlayerKey,
    /// The one game that it tells of; nothing for all games of the player.
    pub game: Option<GameKey>,
    pub way: Way,
    pub target: String,
    pub secret: [u8; 32],
    /// What it tells of and in which language, as JSON.
    pub settings: String,
    pub state: HookState,
    pub health: Health,
    pub created_at: u64,
}

impl HookRow {
    /// Returns whether the hook has shown that it is wanted.
    pub fn is_proved(&self) -> bool {
        self.state != HookState::Unproved
    }
}

/// How a hook does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Health {
    /// Time since which no message was delivered.
    pub failing_since: Option<u64>,
    /// How often in a row.
    pub failures: u32,
    /// Nothing is tried before this time.
    pub rests_until: u64,
}

/// A message for a hook, to be sent at some time.
#[derive(Clone, PartialEq, Eq)]
pub struct NewDelivery {
    pub hook: HookKey,
    /// The same whenever and however often it is sent.
    pub message: String,
    /// What is told, as JSON.
    pub body: String,
    pub at: u64,
    pub due: u64,
}

/// A message to a webhook and its outcome.
#[derive(Clone, PartialEq, Eq)]
pub struct DeliveryRow {
    pub key: DeliveryKey,
    pub message: String,
    pub body: String,
    pub at: u64,
    /// Nothing when it is settled.
    pub due: Option<u64>,
    pub fate: Fate,
}

/// What came of a message so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fate {
    pub tries: u32,
    pub outcome: Option<Outcome>,
    pub failure: Option<Failure>,
    /// What the last receiver answered.
    pub status: Option<u16>,
    pub tried_at: Option<u64>,
}

/// When a player wants to hear nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QuietRow {
    /// By how many minutes its clock is ahead of UTC.
    pub utc_offset: i32,
    /// From which minute of its day to which other.
    pub hours: Option<(u16, u16)>,
}

pub enum HookChange {
    Add(Box<HookRow>),
    /// The secret counts from here on.
    SetSettings {
        hook: HookKey,
        settings: String,
    },
    SetState {
        hook: HookKey,
        state: HookState,
        health: Health,
    },
    /// What came of sending says nothing of the state, which its owner may have changed meanwhile.
    SetHealth {
        hook: HookKey,
        health: Health,
    },
    /// With its deliveries.
    Remove {
        hook: HookKey,
    },
    SetQuiet {
        player: PlayerKey,
        quiet: QuietRow,
    },
    /// What is known by its message already is not written again.
    Deliver(Vec<NewDelivery>),
    /// Another time at which deliveries are to be sent, or none, and what came of them so far.
    Settle {
        deliveries: Vec<DeliveryKey>,
        due: Option<u64>,
        fate: Fate,
    },
    /// Deliveries from before this time that are settled go, and hooks that were not proved by then.
    Forget {
        before: u64,
        unproved_before: u64,
    },
}
