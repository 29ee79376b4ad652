//! Codes that link another device of the same player.

use serde::Serialize;

use super::{
    Name, PlayerView, secret,
    token::{ClientTime, rights_of},
};
use crate::{
    engine::hash::Bytes32,
    ledger::{encoding::hex, seat_key::SeatKey},
    service::{
        Accounts, ServiceError,
        games::{Player, Session},
        reading::time,
        request::request,
    },
    store::{AccountChange, Change, DeviceCodeRow, NewToken, Write},
    words::Scopes,
};

const GOOD_FOR: u64 = 10 * 60 * 1_000;

request! {
    pub struct SessionCode {
        /// Code from the other device. Hyphens, spaces and case are ignored.
        #[schema(max_length = 1_000, example = "4JGD-0K7Q-9ZXA-M2RT")]
        pub code: String,
    }
}

request! {
    #[schema(example = json!({}))]
    pub struct NewLink {
        /// Scopes of the token. Default: those of the token that creates the code.
        #[schema(value_type = Option<Vec<crate::words::Scope>>, min_items = 1)]
        pub scopes: Option<Scopes>,
        /// Name of the token, for your own list. Default: `linked device`.
        #[schema(value_type = Option<String>, min_length = 1, max_length = 40)]
        pub name: Option<Name>,
        /// Expiry of the token. Default: that of the token that creates the code.
        #[schema(value_type = Option<String>, format = DateTime)]
        pub expires_at: Option<ClientTime>,
        /// Public key of this device, for a statement that links both devices (`POST /v1/me/devices`).
        #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
        pub key: Option<SeatKey>,
        /// Proof for the other device that `key` is this device's: HMAC-SHA-256 of the key, with a secret
        /// that this device shows next to the code.
        #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
        pub proof: Option<Bytes32>,
    }
}

/// A code that links another device. It works once, within ten minutes.
#[derive(Serialize)]
#[wire]
pub struct LinkView {
    #[schema(pattern = "^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$")]
    pub code: String,
    #[schema(format = DateTime)]
    pub expires_at: String,
}

/// A token for this device. It is shown only once.
#[derive(Serialize)]
#[wire]
pub struct NewSessionView {
    pub player: PlayerView,
    #[schema(pattern = "^plg_[0-9a-z]{60}$")]
    pub token: String,
    /// Public key of the device that made the code, if it sent one.
    pub linked_by: Option<String>,
    /// Proof by that device for its key.
    pub proof: Option<String>,
}

impl Accounts {
    /// Makes a code for another device. Replaces an earlier code. The new token gets the rights of this one.
    pub async fn link(&self, session: &Session, sent: &NewLink) -> Result<LinkView, ServiceError> {
        let scopes = sent.scopes.unwrap_or(session.scopes);
        let expires_at = rights_of(session, scopes, None, sent.expires_at.as_ref(), self.clock.now())?;
        let name = sent.name.as_ref().map_or("linked device", |name| &name.0).to_owned();
        let code = self.new_code(secret::LINK)?;
        let until = self.clock.now() + GOOD_FOR;
        let change = AccountChange::AddLink {
            player: session.player.key,
            code: secret::digest_of_code(&code, secret::LINK)?,
            until,
            scopes,
            name,
            expires_at,
            key: sent.key.as_ref().map(|key| *key.as_bytes()),
            proof: sent.proof,
        };
        let write = session.write().and(Change::Account(change));
        self.change_account(session.player.key, write, ServiceError::BadToken).await?;
        Ok(LinkView { code, expires_at: time(until) })
    }

    pub async fn open_session(&self, sent: &SessionCode) -> Result<NewSessionView, ServiceError> {
        let code = secret::digest_of_code(&sent.code, secret::LINK)?;
        let link = self.store.link(&code).await?.filter(|link| link.until > self.clock.now());
        let DeviceCodeRow { player, scopes, name, expires_at, key, proof, .. } =
            link.ok_or(ServiceError::WrongCode)?;
        self.has_room_for_token(player.key).await?;
        let token = self.new_token()?;
        let new = NewToken { scopes, expires_at, ..self.full_token(player.key, &token, &name) };
        let write = Write::of(Change::Account(AccountChange::TakeLink { code }))
            .and(Change::Account(AccountChange::AddToken(new)));
        self.change_account(player.key, write, ServiceError::WrongCode).await?;
        let [linked_by, proof] = [key, proof].map(|bytes| bytes.map(|bytes| hex(&bytes)));
        Ok(NewSessionView { player: PlayerView::from(&Player::from(player)), token, linked_by, proof })
    }
}
