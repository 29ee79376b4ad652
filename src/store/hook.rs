//! Notification hooks, and their messages.

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

/// A hook. Without `Debug`: its target is its owner's secret.
#[derive(Clone, PartialEq, Eq)]
pub struct HookRow {
    pub key: HookKey,
    pub id: Uuid,
    pub player: PlayerKey,
    /// The only game of the hook. `None` for all games of the player.
    pub game: Option<GameKey>,
    pub way: Way,
    pub target: String,
    pub secret: [u8; 32],
    /// Types of news and language, as JSON.
    pub settings: String,
    pub state: HookState,
    pub health: HookHealth,
    pub created_at: u64,
}

impl HookRow {
    /// Returns whether the hook is confirmed.
    pub fn is_proved(&self) -> bool {
        self.state != HookState::Unproved
    }
}

/// The health of a hook.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HookHealth {
    /// Time since which no message was delivered.
    pub failing_since: Option<u64>,
    /// Failures in a row.
    pub failures: u32,
    /// No attempt is made before this time.
    pub rests_until: u64,
}

/// A message for a hook, and when it is due.
#[derive(Clone, PartialEq, Eq)]
pub struct NewDelivery {
    pub hook: HookKey,
    /// Id of the message, the same for every attempt.
    pub message: String,
    /// Content, as JSON.
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
    /// `None` when the message is settled.
    pub due: Option<u64>,
    pub fate: Fate,
}

/// The outcome of a message so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fate {
    pub tries: u32,
    pub outcome: Option<Outcome>,
    pub failure: Option<Failure>,
    /// HTTP status of the last answer.
    pub status: Option<u16>,
    pub tried_at: Option<u64>,
}

/// Quiet hours of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QuietRow {
    /// Minutes by which the player's clock is ahead of UTC.
    pub utc_offset: i32,
    /// First and last minute of the player's day.
    pub hours: Option<(u16, u16)>,
}

pub enum HookChange {
    Add(Box<HookRow>),
    /// Sets the signing secret.
    SetSettings {
        hook: HookKey,
        settings: String,
    },
    SetState {
        hook: HookKey,
        state: HookState,
        health: HookHealth,
    },
    /// Leaves the state as it is: its owner may have changed it meanwhile.
    SetHealth {
        hook: HookKey,
        health: HookHealth,
    },
    /// Deletes the hook with its deliveries.
    Remove {
        hook: HookKey,
    },
    SetQuiet {
        player: PlayerKey,
        quiet: QuietRow,
    },
    /// Skips messages whose id exists.
    Deliver(Vec<NewDelivery>),
    /// Sets the next attempt of deliveries, or settles them, with the outcome so far.
    Settle {
        deliveries: Vec<DeliveryKey>,
        due: Option<u64>,
        fate: Fate,
    },
    /// Deletes settled deliveries from before a time, and hooks that were not confirmed by another.
    Forget {
        before: u64,
        unproved_before: u64,
    },
}
