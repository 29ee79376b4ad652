//! Players and their tokens.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    engine::{Fields, Malformed},
    service::{
        Service, ServiceError,
        game::Player,
        read::time,
        request::{Field, request},
        text::fit,
    },
    store::{self, Change, Keeper as _, PlayerRow, Write},
};

const LONGEST_NAME: usize = 40;

/// A player, as everybody may see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = Player)]
pub struct PlayerView {
    #[schema(format = Uuid)]
    pub id: String,
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    #[schema(format = DateTime)]
    pub created_at: String,
}

impl From<&Player> for PlayerView {
    fn from(player: &Player) -> Self {
        let Player { id, name, created_at, .. } = player;
        Self { id: id.to_string(), name: name.to_string(), created_at: time(*created_at) }
    }
}

/// A new player and its token, which is shown this once.
#[derive(Serialize, ToSchema)]
pub struct NewPlayerView {
    pub player: PlayerView,
    pub token: String,
}

/// A new token, which is shown this once.
#[derive(Serialize, ToSchema)]
pub struct TokenView {
    pub token: String,
}

request! {
    pub struct NewPlayer {
        /// 1 to 40 characters after trimming, none of them a control, invisible, private or direction-changing one, the first no
        /// combining mark. It is kept in NFC, and need not be unique.
        #[schema(
            value_type = String,
            min_length = 1,
            max_length = 40,
            pattern = r"^[^\x00-\x20\x7f-\xa0](?:[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0])?$",
            example = "Ada"
        )]
        pub name: Name,
    }
}

/// A name that a player may have.
pub struct Name(String);

impl Field for Name {
    fn read(fields: &mut Fields, field: &'static str) -> Result<Self, Malformed> {
        let name = fit(fields.text(field)?).map_err(|unfit| fields.wrong(field, unfit.what()))?;
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return Err(fields.wrong(field, "must have 1 to 40 characters besides white space at its ends"));
        }
        Ok(Self(name))
    }
}

impl Service {
    pub async fn create_player(&self, NewPlayer { name }: NewPlayer) -> Result<NewPlayerView, ServiceError> {
        let token = self.new_token()?;
        let new = store::NewPlayer {
            key: self.store.new_player_key(),
            uuid: Uuid::now_v7(),
            name: name.0,
            token: digest(&token),
            created_at: self.clock.now(),
        };
        let store::NewPlayer { key, uuid, created_at, .. } = new;
        let player = Player::from(PlayerRow { key, uuid, name: new.name.clone(), created_at });
        self.store.write(Write::of(Change::AddPlayer(new))).await?;
        Ok(NewPlayerView { player: PlayerView::from(&player), token })
    }

    /// Gives the player another token; the old one ends.
    pub async fn renew_token(&self, player: &Player) -> Result<TokenView, ServiceError> {
        let token = self.new_token()?;
        let change = Change::SetToken { player: player.key, token: digest(&token) };
        // The old one ends with the write, also if nobody waits for the answer any more.
        let (tokens, player) = (Arc::clone(&self.tokens), player.key);
        self.store.write_and(Write::of(change), Box::new(move |_| tokens.forget(player))).await?;
        Ok(TokenView { token })
    }

    /// The player whose token this is.
    pub async fn player_of(&self, token: &str) -> Result<Player, ServiceError> {
        let digest = digest(token);
        let unknown = match self.tokens.get(&digest) {
            Ok(player) => return Ok(player),
            Err(unknown) => unknown,
        };
        let found =
            self.store.player_by_token(&digest).await?.map(Player::from).ok_or(ServiceError::BadToken)?;
        self.tokens.keep(&unknown, digest, &found);
        Ok(found)
    }

    fn new_token(&self) -> Result<String, ServiceError> {
        Ok(URL_SAFE_NO_PAD.encode(self.entropy.bytes()?))
    }
}

/// A token is kept as its SHA-256 only. It has 256 random bits, so that no slow hash is needed.
fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
