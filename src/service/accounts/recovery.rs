//! Recovery of a lost account.

use serde::Serialize;

use super::secret;
use crate::{
    service::{Accounts, ServiceError, games::Session, request::request},
    store::{AccountChange, Change, NewToken, Write},
    words::Scope,
};

const TRIES: usize = 3;

request! {
    pub struct RecoveryCode {
        /// Recovery code. Hyphens, spaces and case are ignored.
        #[schema(max_length = 1_000, example = "4JGD-0K7Q-9ZXA-M2RT-5VEW-H8CB")]
        pub code: String,
    }
}

/// A new token and a new recovery code. Both are shown only once.
#[derive(Serialize)]
#[wire]
pub struct RecoveredView {
    #[schema(pattern = "^plg_[0-9a-z]{60}$")]
    pub token: String,
    #[schema(pattern = "^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$")]
    pub recovery: String,
}

/// A new recovery code. It is shown only once.
#[derive(Serialize)]
#[wire]
pub struct NewRecoveryView {
    #[schema(pattern = "^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$")]
    pub recovery: String,
}

impl Accounts {
    /// Gives the player of a recovery code a new token and a new code, and ends all earlier tokens. Both are
    /// derived from the code and a nonce. Until one of them is used, the code gives the same answer again, so
    /// a lost answer or a repeated request loses nothing.
    pub async fn recover(&self, sent: &RecoveryCode) -> Result<RecoveredView, ServiceError> {
        let used = secret::digest_of_code(&sent.code, secret::RECOVERY)?;
        for _ in 0..TRIES {
            let found = self.store.player_by_code(&used).await?;
            let (player, begun) = found.ok_or(ServiceError::WrongCode)?;
            let nonce = begun.map_or_else(|| self.entropy.bytes(), Ok)?;
            let token = secret::token("plg_", &secret::derived(&sent.code, &nonce, "token")?);
            let recovery =
                secret::code(&secret::derived(&sent.code, &nonce, "recovery")?[..secret::RECOVERY]);
            if begun.is_none() {
                let (player, next) = (player.key, secret::digest_of_code(&recovery, secret::RECOVERY)?);
                let new = NewToken { is_pending: true, ..self.full_token(player, &token, "recovery") };
                let write = Write::of(Change::Account(AccountChange::Recover { player, used, next, nonce }))
                    .and(Change::Account(AccountChange::EndTokens { player }))
                    .and(Change::Account(AccountChange::AddToken(new)));
                match self.change_account(player, write, ServiceError::WrongCode).await {
                    // Another request with the same code was faster.
                    Err(ServiceError::WrongCode) => continue,
                    written => written?,
                }
            }
            return Ok(RecoveredView { token, recovery });
        }
        Err(ServiceError::Busy)
    }

    /// Replaces the recovery code. A code brings a token with all rights and without an end, so only such a
    /// token may ask for one.
    pub async fn renew_recovery(&self, session: &Session) -> Result<NewRecoveryView, ServiceError> {
        if let Some(missing) = Scope::ALL.iter().find(|scope| !session.scopes.allow(**scope)) {
            return Err(ServiceError::NoScope(*missing));
        }
        if session.expires_at.is_some() {
            return Err(ServiceError::TokenEnds);
        }
        let player = &session.player;
        let recovery = self.new_code(secret::RECOVERY)?;
        let code = secret::digest_of_code(&recovery, secret::RECOVERY)?;
        let change = AccountChange::SetRecovery { player: player.key, code };
        let write = session.write().and(Change::Account(change));
        self.change_account(player.key, write, ServiceError::BadToken).await?;
        Ok(NewRecoveryView { recovery })
    }
}
