//! What is on disk: players, games, seats, idempotency keys, and the log.
//!
//! [`Keeper`] is all that the service asks of a store; its words are rows, writes and errors. Who keeps it,
//! and how, is a room of its own: [`sqlite`], [`postgres`]. Payloads are bytes here.

use serde::{Deserialize, Serialize};

mod account;
mod cell;
mod chosen;
mod error;
mod exploration;
mod hook;
mod keeper;
pub mod postgres;
mod rows;
mod shared;
pub mod slow_commits;
pub mod sqlite;
mod talk;
mod tree;
mod write;

pub use account::{AccountChange, NewPlayer, NewToken};
pub use cell::{Cell, TABLES, Table};
pub use chosen::Store;
pub use error::StoreError;
pub use exploration::{ExplorationChange, ExplorationRow};
pub use hook::{DeliveryKey, DeliveryRow, Fate, Health, HookChange, HookKey, HookRow, NewDelivery, QuietRow};
pub use keeper::{Keeper, OnCommit, Touched};
pub use rows::{
    BotRow, Claim, DeviceRow, Entry, GameFacts, GameFilter, GameRow, Kept, LinkRow, Listed, Newest, Opening,
    PlayerRow, Recovering, SeatRow, SigningKey, SubstitutionRow, Tally, TokenRow,
};
pub use shared::{Held, Known, Moved, News, Place, Rung, Seen, Turn};
pub use talk::{HeardRow, Hearing, MessageRow, NoteRow, TalkChange};
pub use tree::{Leaf, LeafRow, NodeRow, PinnedRow, Stretch, TreeChange, TreeKey, TreeRow, Unpinned};
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
