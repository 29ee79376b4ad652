//! Grants: codes and refresh tokens, exchanged for access tokens.

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::{
    service::{Accounts, ServiceError, accounts::secret, games::Player},
    store::{AccountChange, AppChange, AppRow, Change, NewToken, PlayerKey, TokenOfPlayer, Write},
    words::Scope,
};

/// Lifetime of an access token.
const GOOD_FOR: u64 = 60 * 60 * 1_000;
/// Lengths of a verifier (RFC 7636).
const VERIFIER: std::ops::RangeInclusive<usize> = 43..=128;

/// A code or a refresh token, which an app presents for tokens.
pub enum Grant {
    Code { code: String, client: String, redirect: Option<String>, verifier: String },
    Refresh { token: String, client: String },
}

/// Reason to give an app no tokens.
#[derive(Debug)]
pub enum GrantError {
    /// The code or token is unknown, used, expired, or another client's.
    Invalid,
    Service(ServiceError),
}

impl<E: Into<ServiceError>> From<E> for GrantError {
    fn from(error: E) -> Self {
        Self::Service(error.into())
    }
}

/// The tokens of an app (RFC 6749).
#[derive(Serialize)]
pub struct GrantedTokens {
    access_token: String,
    token_type: &'static str,
    expires_in: u64,
    refresh_token: String,
    scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
}

impl Accounts {
    pub async fn grant(&self, grant: Grant) -> Result<GrantedTokens, GrantError> {
        match grant {
            Grant::Code { code, client, redirect, verifier } => {
                self.exchange(&code, &client, redirect.as_deref(), &verifier).await
            }
            Grant::Refresh { token, client } => self.refresh(&token, &client).await,
        }
    }

    /// Exchanges a code. A code that comes again, or without its verifier, is in the wrong hands: its app
    /// ends.
    async fn exchange(
        &self,
        code: &str,
        client: &str,
        redirect: Option<&str>,
        verifier: &str,
    ) -> Result<GrantedTokens, GrantError> {
        let found = self.store.app_by_code(&secret::digest_of_token(code)).await?;
        let (app, player) = found.ok_or(GrantError::Invalid)?;
        let player = Player::from(player);
        let is_its_own = app.client == client && redirect.is_none_or(|redirect| app.redirect == redirect);
        let is_proved = VERIFIER.contains(&verifier.len()) && Sha256::digest(verifier)[..] == app.challenge;
        if app.has_begun || !is_its_own || !is_proved {
            self.end(player.key, &app).await?;
            return Err(GrantError::Invalid);
        }
        if app.code_until <= self.clock.now() {
            return Err(GrantError::Invalid);
        }
        let refresh = secret::token("plr_", &self.entropy.bytes()?);
        let begin = AppChange::Begin { app: app.uuid, refresh: secret::digest_of_token(&refresh) };
        self.give(&player, &app, begin, refresh, false).await
    }

    /// Replaces a refresh token. The old one works until the new access token is used, so a lost answer loses
    /// nothing. If an old one comes later, or one whose answer seemed lost, two programs have it: the app
    /// ends.
    async fn refresh(&self, token: &str, client: &str) -> Result<GrantedTokens, GrantError> {
        let used = secret::digest_of_token(token);
        let found = self.store.app_by_refresh(&used).await?;
        let (app, player, is_spent) = found.ok_or(GrantError::Invalid)?;
        let player = Player::from(player);
        if is_spent {
            self.end(player.key, &app).await?;
        }
        if is_spent || app.client != client || app.expires_at <= self.clock.now() {
            return Err(GrantError::Invalid);
        }
        let refresh = secret::token("plr_", &self.entropy.bytes()?);
        let next = secret::digest_of_token(&refresh);
        let rotate = AppChange::Rotate { app: app.uuid, used, next };
        self.give(&player, &app, rotate, refresh, true).await
    }

    /// Gives an app an access token, in one write with `change`.
    async fn give(
        &self,
        player: &Player,
        app: &AppRow,
        change: AppChange,
        refresh_token: String,
        is_pending: bool,
    ) -> Result<GrantedTokens, GrantError> {
        let (access_token, now) = (self.new_token()?, self.clock.now());
        let expires_at = app.expires_at.min(now + GOOD_FOR);
        let token = NewToken {
            scopes: app.scopes,
            game: app.game,
            expires_at: Some(expires_at),
            is_pending,
            app: Some(app.uuid),
            ..self.full_token(player.key, &access_token, &app.name)
        };
        let write = Write::of(Change::Account(AccountChange::App(change)))
            .and(Change::Account(AccountChange::AddToken(token)));
        // Another exchange of the same code or token was faster.
        self.change_account(player.key, write, ServiceError::WrongCode).await.map_err(
            |error| match error {
                ServiceError::WrongCode => GrantError::Invalid,
                other => GrantError::Service(other),
            },
        )?;
        let scopes: Vec<_> = app.scopes.list().into_iter().map(Scope::word).collect();
        Ok(GrantedTokens {
            access_token,
            token_type: "Bearer",
            expires_in: expires_at.saturating_sub(now) / 1_000,
            refresh_token,
            scope: scopes.join(" "),
            game: app.game.map(|game| game.to_string()),
        })
    }

    async fn end(&self, player: PlayerKey, app: &AppRow) -> Result<(), ServiceError> {
        self.take_away(player, AccountChange::App(AppChange::End { player, app: app.uuid })).await
    }

    /// Removes a token or an app, unless it is gone already.
    async fn take_away(&self, player: PlayerKey, change: AccountChange) -> Result<(), ServiceError> {
        let write = Write::of(Change::Account(change));
        match self.change_account(player, write, ServiceError::NotFound).await {
            Err(ServiceError::NotFound) => Ok(()),
            ended => ended,
        }
    }

    /// Revokes a token of an app (RFC 7009): a refresh token ends the app. Other tokens are unknown here.
    pub async fn revoke_grant(&self, token: &str) -> Result<(), ServiceError> {
        let digest = secret::digest_of_token(token);
        if let Some((app, player, _)) = self.store.app_by_refresh(&digest).await? {
            return self.end(player.key, &app).await;
        }
        let found = self.store.token(&digest).await?.filter(|found| found.token.app.is_some());
        let Some(TokenOfPlayer { token, player, .. }) = found else { return Ok(()) };
        self.take_away(player.key, AccountChange::EndToken { player: player.key, token: token.uuid }).await
    }
}
