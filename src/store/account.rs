//! Changes of players, their tokens and codes. The store has only the SHA-256 of a token or code.

use uuid::Uuid;

use super::{AppRow, DeviceRow, PlayerKey, TokenKey};
use crate::words::{Level, Scopes};

/// Unused replacements of one token.
pub const MOST_HEIRS: u32 = 8;

pub enum AccountChange {
    /// Precondition: this token still exists. Otherwise the whole write fails with `Gone`.
    By(TokenKey),
    AddPlayer(NewPlayerRow),
    Rename {
        player: PlayerKey,
        name: String,
    },
    /// Marks the player as a bot with this offer, or as a person. Fails with `Gone` if another bot has its
    /// name.
    SetOffer {
        player: PlayerKey,
        offer: Option<String>,
    },
    /// Deletes the account: name, codes and tokens.
    Remove {
        player: PlayerKey,
    },
    /// Fails with `Gone` if the token to replace no longer exists.
    AddToken(NewToken),
    EndToken {
        player: PlayerKey,
        token: Uuid,
    },
    EndTokens {
        player: PlayerKey,
    },
    /// Notes the time of last use.
    NoteUse {
        token: TokenKey,
        at: u64,
    },
    /// Records the first use: the replaced token ends, and the new recovery code counts.
    SettleToken {
        player: PlayerKey,
        token: TokenKey,
    },
    SetRecovery {
        player: PlayerKey,
        code: [u8; 32],
    },
    /// Begins a recovery: the code `used` counts until the next one is used. Fails with `Gone` if `used` is
    /// no code of the player, or its recovery has begun before.
    Recover {
        player: PlayerKey,
        used: [u8; 32],
        next: [u8; 32],
        nonce: [u8; 32],
    },
    /// Replaces an earlier code.
    AddLink {
        player: PlayerKey,
        code: [u8; 32],
        until: u64,
        scopes: Scopes,
        name: String,
        expires_at: Option<u64>,
        key: Option<[u8; 32]>,
        proof: Option<[u8; 32]>,
    },
    /// Fails with `Gone` if the code was used before.
    TakeLink {
        code: [u8; 32],
    },
    App(AppChange),
    /// Replaces the statement of the same keys.
    PutDevice {
        player: PlayerKey,
        device: DeviceRow,
    },
    /// Removes all statements that name the key.
    DropDevice {
        player: PlayerKey,
        key: [u8; 32],
    },
}

/// A change of a connected app.
pub enum AppChange {
    /// Adds an app with its code, in place of the player's expired ones.
    Add(Box<NewApp>),
    /// Exchanges the code of an app. Fails with `Gone` if it was exchanged before.
    Begin { app: Uuid, refresh: [u8; 32] },
    /// Replaces a refresh token, once the access token that comes with the next one is used. Fails with
    /// `Gone` if `used` does not count any more.
    Rotate { app: Uuid, used: [u8; 32], next: [u8; 32] },
    /// Removes an app and its tokens.
    End { player: PlayerKey, app: Uuid },
}

/// A new app. Without `Debug`: the digests belong to its client.
pub struct NewApp {
    pub player: PlayerKey,
    pub app: AppRow,
    /// SHA-256 of the code.
    pub code: [u8; 32],
}

pub struct NewPlayerRow {
    pub key: PlayerKey,
    pub uuid: Uuid,
    pub name: String,
    /// SHA-256 of the recovery code. `None` for a built-in bot, which needs no recovery.
    pub recovery: Option<[u8; 32]>,
    pub level: Option<Level>,
    pub created_at: u64,
}

pub struct NewToken {
    pub uuid: Uuid,
    pub player: PlayerKey,
    /// SHA-256 of the token.
    pub digest: [u8; 32],
    pub name: String,
    pub scopes: Scopes,
    pub game: Option<Uuid>,
    pub created_at: u64,
    pub expires_at: Option<u64>,
    pub is_pending: bool,
    pub replaces: Option<TokenKey>,
    /// The connected app that it belongs to. Its unused tokens end.
    pub app: Option<Uuid>,
}
