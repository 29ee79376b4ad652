//! Views for operators: players, bans, invitations and tokens.

use serde::Serialize;
use uuid::Uuid;

use super::Moderation;
use crate::{
    service::{
        FOR_EVER, ServiceError,
        cost::{self, Work},
        reading::{
            page::{Page, Window},
            time,
        },
        text::LONGEST_NAME,
    },
    store::{InvitationRow, KnownPlayer, OperatorTokenRow},
};

/// A player as operators see it.
#[derive(Serialize)]
#[wire]
#[schema(as = KnownPlayer)]
pub struct KnownPlayerView {
    #[schema(format = Uuid)]
    pub id: String,
    /// Name. `null` after the account was deleted.
    pub name: Option<String>,
    pub bot: bool,
    #[schema(format = DateTime)]
    pub created_at: String,
    pub banned: bool,
    /// End of the ban. `null` for a ban without an end.
    #[schema(format = DateTime)]
    pub banned_until: Option<String>,
    /// Number of unfinished games. `null` in lists.
    pub active_games: Option<u32>,
}

/// A banned address.
#[derive(Serialize)]
#[wire]
#[schema(as = AddressBan)]
pub struct BanView {
    pub address: String,
    /// End of the ban. `null` for a ban without an end.
    #[schema(format = DateTime)]
    pub until: Option<String>,
}

/// An invitation to create accounts, without its code.
#[derive(Serialize)]
#[wire]
#[schema(as = RegistrationInvitation)]
pub struct InvitationView {
    #[schema(format = Uuid)]
    pub id: String,
    pub note: String,
    /// Accounts that it still gives.
    pub uses: u32,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub expires_at: String,
}

/// A token of an operator, without its secret.
#[derive(Serialize)]
#[wire]
#[schema(as = OperatorToken)]
pub struct OperatorTokenView {
    #[schema(format = Uuid)]
    pub id: String,
    pub name: String,
    #[schema(format = DateTime)]
    pub created_at: String,
    #[schema(format = DateTime)]
    pub expires_at: String,
}

impl Moderation {
    /// Returns the players whose names contain a text, newest first.
    pub async fn players(
        &self,
        name: Option<&str>,
        is_banned: bool,
        window: &Window,
    ) -> Result<Page<KnownPlayerView>, ServiceError> {
        if name.is_some_and(|name| name.chars().count() > LONGEST_NAME) {
            return Ok(Page::empty());
        }
        let before = match window.last()? {
            Some(last) => Some(self.store.player(last).await?.ok_or(ServiceError::NoCursor)?.key),
            None => None,
        };
        let banned_at = is_banned.then(|| self.clock.now());
        let rows = self.store.known_players(name, banned_at, before, window.limit + 1).await?;
        cost::charge(Work::Read { entries: rows.len() as u64 });
        let cursor = |row: &KnownPlayer| row.id.simple().to_string();
        Ok(Page::of(rows, window.limit, cursor, |row| Some(self.view(&row))))
    }

    pub async fn player(&self, id: Uuid) -> Result<KnownPlayerView, ServiceError> {
        let known = self.store.known_player(id).await?.ok_or(ServiceError::NotFound)?;
        let active_games = Some(self.store.active_games(known.key).await?);
        Ok(KnownPlayerView { active_games, ..self.view(&known) })
    }

    fn view(&self, known: &KnownPlayer) -> KnownPlayerView {
        let banned_until = known.ban_at(self.clock.now());
        KnownPlayerView {
            id: known.id.to_string(),
            name: known.name.clone(),
            bot: known.nature.is_bot(),
            created_at: time(known.created_at),
            banned: banned_until.is_some(),
            banned_until: banned_until.filter(|until| *until != FOR_EVER).map(time),
            active_games: None,
        }
    }

    pub fn banned_addresses(&self) -> Page<BanView> {
        let bans = self.instance.banned_addresses();
        let view = |ban: crate::service::instance::AddressBan| BanView {
            address: ban.address,
            until: ban.until.map(time),
        };
        Page { items: bans.into_iter().map(view).collect(), next_cursor: None }
    }

    pub async fn invitations(&self, window: &Window) -> Result<Page<InvitationView>, ServiceError> {
        let rows = self.store.invitations().await?;
        let view = |InvitationRow { id, note, uses, created_at, expires_at }| InvitationView {
            id: id.to_string(),
            note,
            uses,
            created_at: time(created_at),
            expires_at: time(expires_at),
        };
        Page::of_few(rows, window, |row| row.id, view)
    }

    pub async fn operator_tokens(&self, window: &Window) -> Result<Page<OperatorTokenView>, ServiceError> {
        let rows = self.store.operator_tokens().await?;
        let view = |OperatorTokenRow { id, name, created_at, expires_at }| OperatorTokenView {
            id: id.to_string(),
            name,
            created_at: time(created_at),
            expires_at: time(expires_at),
        };
        Page::of_few(rows, window, |row| row.id, view)
    }
}
