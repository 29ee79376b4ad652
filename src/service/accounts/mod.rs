//! Accounts: players and their secrets.

mod bot_offer;
mod devices;
mod house_bots;
mod link;
pub mod oauth;
mod recovery;
mod secret;
mod sessions;
mod ticket;
mod token;

use std::sync::Arc;

use serde::Serialize;
use uuid::Uuid;

use crate::{
    ledger::{player_id, seat_key::SeatKey},
    service::{
        Base, ServiceError,
        cost::{self, Work},
        feed::Feed,
        games::{Games, Player},
        notify::Notifier,
        ports::{Clock, Entropy},
        reading::time,
        request::request,
        text::Name,
    },
    store::{
        self, AccountChange, Change, NewToken, OnCommit, PlayerKey, PlayerRow, Store, StoreError, Write,
    },
    tree::signer::Signer,
    words::{Nature, Scopes},
};
pub use devices::{DeviceView, NewDevice};
pub use house_bots::{HouseBots, bot_to_act, seated};
pub use link::{LinkView, NewLink, NewSessionView, SessionCode};
pub use recovery::{NewRecoveryView, RecoveredView, RecoveryCode};
pub use sessions::{Sessions, TokenDigest};
pub use ticket::TicketView;
pub use token::{NewTokenView, TokenOrder, TokenView};

/// Accounts, and the tokens, codes and devices by which players prove themselves.
pub struct Accounts {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    signer: Arc<Signer>,
    games: Arc<Games>,
    feed: Arc<Feed>,
    notifier: Arc<Notifier>,
    sessions: Arc<Sessions>,
}

impl Accounts {
    pub fn new(base: &Base, games: &Arc<Games>, feed: &Arc<Feed>, notifier: &Arc<Notifier>) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            entropy: Arc::clone(&base.entropy),
            signer: Arc::clone(&base.signer),
            games: Arc::clone(games),
            feed: Arc::clone(feed),
            notifier: Arc::clone(notifier),
            sessions: Arc::default(),
        }
    }
}

/// A player's public profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[wire]
#[schema(as = Player)]
pub struct PlayerView {
    #[schema(format = Uuid)]
    pub id: String,
    /// Name. `null` after the account was deleted.
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Whether the account is a bot.
    pub bot: bool,
    #[schema(format = DateTime)]
    pub created_at: String,
}

impl From<&Player> for PlayerView {
    fn from(player: &Player) -> Self {
        let Player { id, name, created_at, nature, .. } = player;
        Self {
            id: id.to_string(),
            name: name.as_deref().map(str::to_owned),
            bot: nature.is_bot(),
            created_at: time(*created_at),
        }
    }
}

/// A new player with its token and recovery code. Both are shown only once.
#[derive(Serialize)]
#[wire]
pub struct NewPlayerView {
    pub player: PlayerView,
    #[schema(pattern = "^plg_[0-9a-z]{60}$")]
    pub token: String,
    /// Recovery code for `POST /v1/recoveries`. Keep it in a safe place.
    #[schema(pattern = "^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$")]
    pub recovery: String,
}

request! {
    pub struct NewPlayer {
        /// Name, 1 to 40 characters after trimming. Control, invisible, private-use and direction
        /// characters are not allowed, nor a combining mark at the start. Stored in NFC; need not be
        /// unique.
        #[schema(
            value_type = String, min_length = 1, max_length = 40,
            pattern = r"^[^\x00-\x20\x7f-\xa0](?:[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0])?$",
            example = "Ada"
        )]
        pub name: Name,
        /// Public Ed25519 key (RFC 8032) of the player's device, in hex. The id of the player is then derived
        /// from it (`/v1/fairlog`, "Derived ids"): check it. Anyone sees by the id which moves this key
        /// signed.
        #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
        pub key: Option<SeatKey>,
    }
}

request! {
    pub struct NewName {
        /// Name, as in `NewPlayer`.
        #[schema(value_type = String, min_length = 1, max_length = 40, example = "Ada")]
        pub name: Name,
    }
}

impl Accounts {
    pub async fn create_player(
        &self,
        NewPlayer { name, key }: NewPlayer,
    ) -> Result<NewPlayerView, ServiceError> {
        let (token, code) = (self.new_token()?, self.new_code(secret::RECOVERY)?);
        let derived = key.map(|key| Uuid::from_bytes(player_id::derived(&key)));
        if let Some(derived) = derived
            && self.store.player(derived).await?.is_some()
        {
            return Err(ServiceError::PlayerExists);
        }
        let (uuid, created_at) = (derived.unwrap_or_else(crate::id::fresh), self.clock.now());
        let key = self.store.new_player_key();
        let recovery = secret::digest_of_code(&code, secret::RECOVERY)?;
        let (name, level) = (name.0, None);
        let new = store::NewPlayerRow {
            key,
            uuid,
            name: name.clone(),
            recovery: Some(recovery),
            level,
            created_at,
        };
        let first = self.full_token(key, &token, "first");
        let write = Write::of(Change::Account(AccountChange::AddPlayer(new)))
            .and(Change::Account(AccountChange::AddToken(first)));
        self.store.write(write).await?;
        let player =
            Player::from(PlayerRow { key, uuid, name: Some(name), created_at, nature: Nature::Person });
        Ok(NewPlayerView { player: PlayerView::from(&player), token, recovery: code })
    }

    /// Renames the player, in loaded games as well.
    pub async fn rename(
        &self,
        player: &Player,
        NewName { name }: NewName,
    ) -> Result<PlayerView, ServiceError> {
        let change = AccountChange::Rename { player: player.key, name: name.0.clone() };
        self.change_account(player.key, Write::of(Change::Account(change)), ServiceError::NameTaken).await?;
        let renamed = Player { name: Some(name.0.into()), ..player.clone() };
        self.call_by_name(&renamed).await;
        Ok(PlayerView::from(&renamed))
    }

    /// Updates the player's name in loaded games.
    pub(in crate::service) async fn call_by_name(&self, player: &Player) {
        let slots = self.games.slots();
        cost::charge(Work::Read { entries: slots.len() as u64 / 100 });
        for slot in slots {
            if let Some(live) = slot.lock().await.as_mut() {
                live.people.rename(player);
            }
        }
    }

    /// Writes a change of an account. After the commit the cached sessions of the player are dropped, even if
    /// the caller has gone.
    pub(in crate::service) async fn change_account(
        &self,
        player: PlayerKey,
        write: Write,
        gone: ServiceError,
    ) -> Result<(), ServiceError> {
        let sessions = Arc::clone(&self.sessions);
        let on_commit = OnCommit::before(move || sessions.forget(player));
        let written = self.store.write_and(write, on_commit).await;
        written.map_err(|error| match error {
            StoreError::Gone => gone,
            other => other.into(),
        })
    }

    fn new_token(&self) -> Result<String, ServiceError> {
        Ok(secret::token("plg_", &self.entropy.bytes()?))
    }

    fn new_code(&self, length: usize) -> Result<String, ServiceError> {
        Ok(secret::code(&self.entropy.bytes()?[..length]))
    }

    /// Makes a token with all rights and without an end.
    fn full_token(&self, player: PlayerKey, token: &str, name: &str) -> NewToken {
        NewToken {
            uuid: crate::id::fresh(),
            player,
            digest: secret::digest_of_token(token),
            name: name.to_owned(),
            scopes: Scopes::ALL,
            game: None,
            created_at: self.clock.now(),
            expires_at: None,
            is_pending: false,
            replaces: None,
            app: None,
        }
    }
}
