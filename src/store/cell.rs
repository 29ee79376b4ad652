//! Values of rows that are the same on both backends: those that `playledger move` copies, and those of small
//! tables (`small.rs`).

use uuid::Uuid;

use super::{GameKey, PlayerKey, StoreError};

#[derive(Clone, PartialEq, Eq)]
pub enum Cell {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }
}

/// A table to copy: its name, its columns, and the query that reads them if the file has them elsewhere.
pub struct CopiedTable {
    pub name: &'static str,
    pub columns: &'static str,
    pub read: Option<&'static str>,
}

const fn same(name: &'static str, columns: &'static str) -> CopiedTable {
    CopiedTable { name, columns, read: None }
}

const fn other(name: &'static str, columns: &'static str, read: &'static str) -> CopiedTable {
    CopiedTable { name, columns, read: Some(read) }
}

/// All tables but the log with its claims, and explorations, which live for a day.
pub const TABLES: &[CopiedTable] = &[
    same("signing_key", "id, key, since, statement"),
    same("pulse", "id, at"),
    same("own_key", "purpose, key"),
    same(
        "player",
        "id, uuid, name, recovery, next_recovery, recovery_nonce, created_at, level, offer, \
         banned_until",
    ),
    same(
        "token",
        "id, uuid, player, digest, name, scopes, game, created_at, expires_at, used_at, is_pending, replaces, \
         app",
    ),
    same(
        "app",
        "uuid, player, client, name, scopes, game, created_at, expires_at, code, code_until, redirect, challenge, \
         refresh, next, spent, lost",
    ),
    same("link", "player, digest, until, scopes, name, expires_at, key, proof"),
    same("device", "player, low, high, by_low, by_high, proof, at"),
    same("tally", "player, ruleset, played, won"),
    same(
        "game",
        "id, uuid, creator, ruleset, version, seats, options, title, visibility, invite, move_seconds, server_seed, \
         status, result, ending, created_at, started_at, finished_at, seq, head, rematch_of, format, bank_seconds, \
         takebacks, substitutes, rated",
    ),
    same("seat", "game, seat, player, control, entropy, resigned, status, ruleset, visibility"),
    other("due", "game, at", "SELECT id, deadline FROM game WHERE deadline IS NOT NULL"),
    other(
        "answer",
        "player, key, fingerprint, body, at",
        "SELECT player, key, substr(fingerprint, 1, 16), body, at FROM answer",
    ),
    same("claim", "digest, fingerprint, at, game, seq, last"),
    same("note", "game, player, text, seq, at"),
    same("message", "game, id, seat, player, text, at"),
    same("mute", "game, player, muted"),
    same("plan", "game, seat, player, plan"),
    same("substitution", "game, seat, player, uuid, code, asker, taken"),
    same(
        "hook",
        "id, uuid, player, game, way, target, secret, settings, state, failing_since, failures, rests_until, created_at",
    ),
    same("delivery", "id, hook, message, body, at, due, tries, outcome, failure, status, tried_at"),
    same("quiet", "player, utc_offset, from_minute, to_minute"),
    same("act", "uuid, at, operator, what, player, game, details, reason"),
    same("setting", "name, value"),
    same("operator_token", "uuid, digest, name, created_at, expires_at"),
    same("invitation", "uuid, digest, note, uses, created_at, expires_at"),
    same("report", "uuid, reporter, subject, body, at, closed_at"),
    same("block", "player, blocked, at"),
    same("leaf", "id, game, seq, head"),
    same("tree_node", "level, place, hash"),
    same("tree_key", "id, origin, key, since"),
    // Another store numbers its log rows differently, so the tree reads them again.
    other(
        "tree",
        "one, size, upto, note, published, pinned",
        "SELECT one, size, 0, note, published, pinned FROM tree",
    ),
    same("pinned", "game, seq, leaf"),
];

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A time in milliseconds, or a number of things: never beyond the range of a column.
impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Uuid> for Cell {
    fn from(id: Uuid) -> Self {
        Self::Bytes(id.as_bytes().to_vec())
    }
}

impl From<[u8; 32]> for Cell {
    fn from(digest: [u8; 32]) -> Self {
        Self::Bytes(digest.to_vec())
    }
}

impl From<PlayerKey> for Cell {
    fn from(PlayerKey(key): PlayerKey) -> Self {
        Self::Number(key)
    }
}

impl From<GameKey> for Cell {
    fn from(GameKey(key): GameKey) -> Self {
        Self::Number(key)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The columns of a row, read from the first to the last.
pub struct Cells(std::vec::IntoIter<Cell>);

/// A value that a column can be read as.
pub trait FromCell: Sized {
    fn of(cell: Cell) -> Option<Self>;
}

impl Cells {
    pub fn new(row: Vec<Cell>) -> Self {
        Self(row.into_iter())
    }

    pub fn read<T: FromCell>(&mut self) -> Result<T, StoreError> {
        let read = self.0.next().and_then(T::of);
        read.ok_or_else(|| StoreError::Corrupt("a column of a row is damaged".into()))
    }
}

macro_rules! read_from_cell {
    ($($T:ty: $pattern:pat => $value:expr;)+) => {$(
        impl FromCell for $T {
            fn of(cell: Cell) -> Option<Self> {
                match cell {
                    $pattern => $value,
                    _ => None,
                }
            }
        }
    )+};
}

read_from_cell! {
    String: Cell::Text(text) => Some(text);
    u64: Cell::Number(number) => u64::try_from(number).ok();
    u32: Cell::Number(number) => u32::try_from(number).ok();
    u8: Cell::Number(number) => u8::try_from(number).ok();
    i64: Cell::Number(number) => Some(number);
    bool: Cell::Number(number) => Some(number != 0);
    Uuid: Cell::Bytes(bytes) => Self::from_slice(&bytes).ok();
    PlayerKey: Cell::Number(number) => Some(Self(number));
    GameKey: Cell::Number(number) => Some(Self(number));
}

impl<T: FromCell> FromCell for Option<T> {
    fn of(cell: Cell) -> Option<Self> {
        match cell {
            Cell::Null => Some(None),
            cell => T::of(cell).map(Some),
        }
    }
}
