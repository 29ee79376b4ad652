//! The caller: a player with a valid token.

use std::sync::Arc;

use uuid::Uuid;

use crate::{
    store::{AccountChange, Change, PlayerKey, PlayerRow, TokenKey, TokenOfPlayer, TokenRow, Write},
    words::{Nature, Scopes},
};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    pub key: PlayerKey,
    /// The id in logs and answers.
    pub id: Arc<str>,
    /// `None` after the account was deleted.
    pub name: Option<Arc<str>>,
    pub created_at: u64,
    pub nature: Nature,
}

impl From<PlayerRow> for Player {
    fn from(PlayerRow { key, uuid, name, created_at, nature }: PlayerRow) -> Self {
        Self { key, id: uuid.to_string().into(), name: name.map(Into::into), created_at, nature }
    }
}

/// A player, with the rights of one token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    pub player: Player,
    pub token: TokenKey,
    pub token_id: Uuid,
    pub token_name: Arc<str>,
    pub scopes: Scopes,
    /// The only game of the token, for a token of one game.
    pub game: Option<Uuid>,
    pub expires_at: Option<u64>,
    /// Time of last use, to the hour.
    pub used_at: Option<u64>,
    /// Whether the token belongs to a connected app.
    pub is_app: bool,
    /// Until when the operator has suspended the player.
    pub banned_until: Option<u64>,
}

impl Session {
    /// Begins a write that fails if the token has ended meanwhile.
    pub fn write(&self) -> Write {
        Write::of(Change::Account(AccountChange::By(self.token)))
    }

    pub fn new(TokenOfPlayer { token, player, banned_until }: TokenOfPlayer) -> Self {
        let TokenRow { key, uuid, name, scopes, game, expires_at, used_at, app, .. } = token;
        Self {
            player: player.into(),
            token: key,
            token_id: uuid,
            token_name: name.into(),
            scopes,
            game,
            expires_at,
            used_at,
            is_app: app.is_some(),
            banned_until,
        }
    }
}
