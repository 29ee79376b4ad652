//! Connected apps of a player.

use serde::Serialize;
use uuid::Uuid;

use crate::{
    service::{
        Accounts, ServiceError,
        games::Session,
        reading::{
            page::{Page, Window},
            time,
        },
    },
    store::{AccountChange, AppChange, AppRow, Change, Write},
    words::Scope,
};

/// An app that the player has connected.
#[derive(Serialize)]
#[wire]
#[schema(as = App)]
pub struct AppView {
    #[schema(format = Uuid)]
    pub id: String,
    /// Id of the client: the address of its metadata document, or a redirect address on localhost.
    pub client_id: String,
    pub name: String,
    #[schema(max_items = 3)]
    pub scopes: Vec<Scope>,
    /// The only game the app may access. `null` for all games.
    #[schema(format = Uuid)]
    pub game: Option<String>,
    #[schema(format = DateTime)]
    pub created_at: String,
    /// Last use, rounded to the hour. `null` if never used.
    #[schema(format = DateTime)]
    pub last_used_at: Option<String>,
    #[schema(format = DateTime)]
    pub expires_at: String,
}

impl From<AppRow> for AppView {
    fn from(row: AppRow) -> Self {
        Self {
            id: row.uuid.to_string(),
            client_id: row.client,
            name: row.name,
            scopes: row.scopes.list(),
            game: row.game.map(|game| game.to_string()),
            created_at: time(row.created_at),
            last_used_at: row.used_at.map(time),
            expires_at: time(row.expires_at),
        }
    }
}

impl Accounts {
    pub async fn apps(&self, session: &Session, window: &Window) -> Result<Page<AppView>, ServiceError> {
        Page::of_few(self.living_apps(session).await?, window, |app| app.uuid, AppView::from)
    }

    async fn living_apps(&self, session: &Session) -> Result<Vec<AppRow>, ServiceError> {
        let now = self.clock.now();
        let mut apps = self.store.apps(session.player.key).await?;
        apps.retain(|app| app.expires_at > now);
        Ok(apps)
    }

    pub async fn app(&self, session: &Session, id: Uuid) -> Result<AppView, ServiceError> {
        let apps = self.living_apps(session).await?;
        apps.into_iter().find(|app| app.uuid == id).map(AppView::from).ok_or(ServiceError::NotFound)
    }

    pub async fn end_app(&self, session: &Session, id: Uuid) -> Result<(), ServiceError> {
        let end = AccountChange::App(AppChange::End { player: session.player.key, app: id });
        let write = Write::of(Change::Account(end));
        self.change_account(session.player.key, write, ServiceError::NotFound).await
    }
}
