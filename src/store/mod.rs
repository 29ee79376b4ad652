//! The store: players, games, seats, idempotency keys, and the log. Payloads are bytes here.
//!
//! [`Store`] is the interface of the service: rows, writes and errors. `traits.rs` declares its methods; the
//! backends [`sqlite`] and [`postgres`] implement them.

use serde::{Deserialize, Serialize};

mod account;
mod backend;
mod cell;
#[cfg(test)]
mod contract;
mod error;
mod exploration;
mod export;
mod hook;
mod moderation;
mod on_commit;
pub mod postgres;
mod rows;
mod shared;
pub mod slow_commits;
mod small;
mod sql;
pub mod sqlite;
mod talk;
#[cfg(test)]
mod testing;
pub mod traits;
mod tree;
mod write;

pub use account::{AccountChange, AppChange, NewApp, NewPlayerRow, NewToken};
pub use backend::Store;
pub use cell::{Cell, Cells, CopiedTable, FromCell, TABLES};
pub use error::StoreError;
pub use exploration::{ExplorationChange, ExplorationRow};
pub use export::{PlayerGame, PlayerMute, PlayerPlan, PlayerReport, PlayerText};
pub use hook::{
    DeliveryKey, DeliveryRow, Fate, HookChange, HookHealth, HookKey, HookRow, NewDelivery, QuietRow,
};
pub use moderation::*;
pub use on_commit::OnCommit;
pub use rows::{
    AppRow, BotRow, ClaimOutcome, DeviceCodeRow, DeviceRow, Entry, GameFacts, GameFilter, GameRow, Kept,
    Listed, Newest, Opening, PlayerRow, Recovering, RefreshedApp, RulesetRecord, SeatRow, SigningKey,
    SubstitutionRow, TokenOfPlayer, TokenRow, Touched,
};
pub use shared::{CachedVersion, ChangedGame, Freshness, LeaderTask, LogPosition, PeerEvent, PeerNews};
pub use small::SmallChange;
pub use talk::{HeardRow, Hearing, MessageRow, NoteRow, TalkChange};
pub use tree::{HashRange, Leaf, LeafRow, NodeRow, PinnedRow, TreeChange, TreeKey, TreeRow, Unpinned};
pub use write::{Change, KeptAnswer, NewClaim, SubstitutionChange, Write};

/// The number of a player inside the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct PlayerKey(i64);

/// The number of a token inside the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenKey(i64);

/// The number of a game inside the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameKey(i64);

impl GameKey {
    pub const fn number(self) -> i64 {
        self.0
    }
}

impl PlayerKey {
    pub const fn number(self) -> i64 {
        self.0
    }
}
