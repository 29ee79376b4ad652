//! What can be written of players, their tokens and their codes. Of a token or a code only the SHA-256 is
//! kept.

use uuid::Uuid;

use super::{DeviceRow, PlayerKey, TokenKey};
use crate::words::{Level, Scopes};

/// How many tokens may be about to replace one.
pub const MOST_HEIRS: u32 = 8;

pub enum AccountChange {
    /// The token that asks for what comes with this. Gone, if it has ended meanwhile: then nobody asks.
    By(TokenKey),
    AddPlayer(NewPlayer),
    Rename {
        player: PlayerKey,
        name: String,
    },
    /// The player is a program from now on, which takes part in what this says; or a person again. Gone, if
    /// another program has its name.
    SetOffer {
        player: PlayerKey,
        offer: Option<String>,
    },
    /// The player leaves for good: name, codes and tokens go.
    Remove {
        player: PlayerKey,
    },
    /// Gone, if the token that it replaces is no longer there.
    AddToken(NewToken),
    EndToken {
        player: PlayerKey,
        token: Uuid,
    },
    EndTokens {
        player: PlayerKey,
    },
    /// The token was used at this time.
    NoteUse {
        token: TokenKey,
        at: u64,
    },
    /// The token was used for the first time: what it replaces ends, and the recovery code that came with it
    /// counts.
    SettleToken {
        player: PlayerKey,
        token: TokenKey,
    },
    SetRecovery {
        player: PlayerKey,
        code: [u8; 32],
    },
    /// A recovery begins: the code `used` counts until the next one does. Gone, if it is no code of the
    /// player's any more, or its recovery has begun before.
    Recover {
        player: PlayerKey,
        used: [u8; 32],
        next: [u8; 32],
        nonce: [u8; 32],
    },
    /// In place of an earlier one.
    AddLink {
        player: PlayerKey,
        code: [u8; 32],
        until: u64,
        scopes: Scopes,
        expires_at: Option<u64>,
        key: Option<[u8; 32]>,
        proof: Option<[u8; 32]>,
    },
    /// Gone, if it was taken before.
    TakeLink {
        code: [u8; 32],
    },
    /// In place of what is there of the same keys.
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

pub struct NewPlayer {
    pub key: PlayerKey,
    pub uuid: Uuid,
    pub name: String,
    /// The SHA-256 of the recovery code; none for a player of the server's own, who never comes back.
    pub recovery: Option<[u8; 32]>,
    pub level: Option<Level>,
    pub created_at: u64,
}

pub struct NewToken {
    pub uuid: Uuid,
    pub player: PlayerKey,
    /// The SHA-256 of the token.
    pub digest: [u8; 32],
    pub name: String,
    pub scopes: Scopes,
    pub game: Option<Uuid>,
    pub created_at: u64,
    pub expires_at: Option<u64>,
    pub is_pending: bool,
    pub replaces: Option<TokenKey>,
}
