//! Accounts: players and their secrets.

mod blocks;
mod bot_offer;
mod devices;
mod export;
mod house_bots;
mod link;
pub mod oauth;
mod recovery;
pub(in crate::service) mod secret;
mod sessions;
mod ticket;
mod token;

use std::sync::Arc;

use serde::Serialize;
use uuid::Uuid;

use crate::{
    ledger::{player_id, seat_key::SeatKey},
    service::{
        Base, Instance, ServiceError, Session,
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
        self, AccountChange, Change, ModerationChange, NewToken, OnCommit, PlayerKey, PlayerRow, Store,
        StoreError, Write,
    },
    tree::signer::Signer,
    words::{Nature, Registration, Scopes},
};
pub use blocks::BlockView;
pub use devices::{DeviceView, NewDevice};
pub use export::Export;
pub use house_bots::{HouseBots, bot_to_act, seated};
pub use link::{LinkView, NewLink, NewSessionView, SessionCode};
pub use recovery::{NewRecoveryView, RecoveredView, RecoveryCode};
pub use sessions::{Sessions, TokenDigest};
pub use ticket::TicketView;
pub use token::{ClientTime, NewTokenView, TokenOrder, TokenView};

/// Accounts, and the tokens, codes and devices by which players prove themselves.
pub struct Accounts {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    signer: Arc<Signer>,
    games: Arc<Games>,
    instance: Arc<Instance>,
    feed: Arc<Feed>,
    notifier: Arc<Notifier>,
    sessions: Arc<Sessions>,
}

impl Accounts {
    pub fn new(
        base: &Base,
        games: &Arc<Games>,
        instance: &Arc<Instance>,
        feed: &Arc<Feed>,
        notifier: &Arc<Notifier>,
    ) -> Self {
        Self {
            store: Arc::clone(&base.store),
            clock: Arc::clone(&base.clock),
            entropy: Arc::clone(&base.entropy),
            signer: Arc::clone(&base.signer),
            games: Arc::clone(games),
            instance: Arc::clone(instance),
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
        /// Invitation code of the operator, if this server asks for one (`registration` of `/v1/server`).
        #[schema(max_length = 1_000)]
        pub invitation: Option<String>,
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
        NewPlayer { name, key, invitation }: NewPlayer,
    ) -> Result<NewPlayerView, ServiceError> {
        let invited = self.invited(invitation.as_deref())?;
        self.is_free(&name)?;
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
        let write = invited.into_iter().fold(write, Write::and);
        if let Err(error) = self.store.write(write).await {
            // Another request with this key was faster.
            if let Some(derived) = derived
                && self.store.player(derived).await?.is_some()
            {
                return Err(ServiceError::PlayerExists);
            }
            return Err(match error {
                // The invitation is used up or has expired.
                StoreError::Gone => ServiceError::WrongCode,
                other => other.into(),
            });
        }
        let player =
            Player::from(PlayerRow { key, uuid, name: Some(name), created_at, nature: Nature::Person });
        Ok(NewPlayerView { player: PlayerView::from(&player), token, recovery: code })
    }

    /// Fails if the operator has suspended the player.
    pub fn is_welcome(&self, session: &Session) -> Result<(), ServiceError> {
        match session.banned_until {
            Some(until) if until > self.clock.now() => Err(ServiceError::Suspended { until }),
            _ => Ok(()),
        }
    }

    /// Returns the change that uses up an invitation, if the server asks for one. Fails if registration is
    /// closed or the code is missing.
    fn invited(&self, code: Option<&str>) -> Result<Option<Change>, ServiceError> {
        match (self.instance.registration(), code) {
            (Registration::Open, _) => Ok(None),
            (Registration::Closed, _) => Err(ServiceError::RegistrationClosed),
            (Registration::Invited, None) => Err(ServiceError::InvitationRequired),
            (Registration::Invited, Some(code)) => {
                let digest = secret::digest_of_code(code, secret::RECOVERY)?;
                Ok(Some(ModerationChange::use_invitation(digest, self.clock.now())))
            }
        }
    }

    /// Fails if the operator has reserved a name.
    fn is_free(&self, name: &Name) -> Result<(), ServiceError> {
        if self.instance.reserves(&name.0) { Err(ServiceError::NameReserved) } else { Ok(()) }
    }

    /// Renames the player, in loaded games as well.
    pub async fn rename(
        &self,
        player: &Player,
        NewName { name }: NewName,
    ) -> Result<PlayerView, ServiceError> {
        self.is_free(&name)?;
        let change = AccountChange::Rename { player: player.key, name: name.0.clone() };
        self.change_account(player.key, Write::of(Change::Account(change)), ServiceError::NameTaken).await?;
        let renamed = Player { name: Some(name.0.into()), ..player.clone() };
        self.call_by_name(&renamed).await;
        Ok(PlayerView::from(&renamed))
    }

    /// Updates the player's name in loaded games. A player without a name has left, and its titles go too.
    pub(in crate::service) async fn call_by_name(&self, player: &Player) {
        let slots = self.games.slots();
        cost::charge(Work::Read { entries: slots.len() as u64 / 100 });
        for slot in slots {
            if let Some(live) = slot.lock().await.as_mut() {
                live.people.rename(player);
                if player.name.is_none() && live.facts.creator == player.key {
                    live.facts.title = None;
                }
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

    pub(in crate::service) fn new_code(&self, length: usize) -> Result<String, ServiceError> {
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
