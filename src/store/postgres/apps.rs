//! Connected apps.

use tokio_postgres::Row;

use super::{
    Postgres,
    columns::{get, opt, whole},
    link::{Fail, Value},
    players::{OF_PLAYER, PLAYER, player},
    transaction::Transaction,
};
use crate::store::{AppChange, AppRow, NewApp, PlayerKey, PlayerRow, RefreshedApp, StoreError, sql};

const APP: &str = "app.uuid, client, app.name, scopes, game, app.created_at, expires_at, code_until, redirect, \
    challenge, refresh IS NOT NULL, (SELECT max(used_at) FROM token WHERE token.app = app.uuid)";
/// Number of these columns.
const OF_APP: usize = 12;

fn app(row: &Row) -> Result<AppRow, StoreError> {
    Ok(AppRow {
        uuid: get(row, 0)?,
        client: get(row, 1)?,
        name: get(row, 2)?,
        scopes: get(row, 3)?,
        game: opt(row, 4)?,
        created_at: get(row, 5)?,
        expires_at: get(row, 6)?,
        code_until: get(row, 7)?,
        redirect: get(row, 8)?,
        challenge: get(row, 9)?,
        has_begun: get(row, 10)?,
        used_at: opt(row, 11)?,
    })
}

pub async fn apply(transaction: &Transaction<'_>, change: &AppChange) -> Result<(), Fail> {
    match change {
        AppChange::Add(new) => add(transaction, new).await,
        AppChange::Begin { app, refresh } => {
            transaction.unless_gone(sql::BEGIN_APP.postgres, &[app, &&refresh[..]]).await
        }
        AppChange::Rotate { app, used, next } => {
            transaction.unless_gone(sql::ROTATE_APP.postgres, &[app, &&used[..], &&next[..]]).await
        }
        AppChange::End { player, app } => {
            transaction.run(sql::DELETE_TOKENS_OF_APP.postgres, &[app]).await?;
            transaction.unless_gone(sql::DELETE_APP.postgres, &[player, app]).await
        }
    }
}

async fn add(transaction: &Transaction<'_>, new: &NewApp) -> Result<(), Fail> {
    let NewApp { player, app, code } = new;
    transaction.run(sql::DELETE_OLD_APPS.postgres, &[player, &whole(app.created_at)]).await?;
    let values: [Value<'_>; 12] = [
        &app.uuid,
        player,
        &app.client,
        &app.name,
        &app.scopes,
        &app.game,
        &whole(app.created_at),
        &whole(app.expires_at),
        &&code[..],
        &whole(app.code_until),
        &app.redirect,
        &&app.challenge[..],
    ];
    transaction.run(sql::ADD_APP.postgres, &values).await.map(|_| ())
}

impl Postgres {
    pub async fn app_of_code(&self, code: &[u8; 32]) -> Result<Option<(AppRow, PlayerRow)>, StoreError> {
        let query =
            format!("SELECT {APP}, {PLAYER} FROM app JOIN player ON player.id = app.player WHERE code = $1");
        self.one(&query, &[&&code[..]], |row| Ok((app(row)?, player(row, OF_APP)?))).await
    }

    pub async fn app_of_refresh(&self, refresh: &[u8; 32]) -> Result<Option<RefreshedApp>, StoreError> {
        let query = format!(
            "SELECT {APP}, {PLAYER}, coalesce(spent = $1 OR lost = $1, false) FROM app JOIN player ON player.id = app.player
             WHERE refresh = $1 OR next = $1 OR spent = $1 OR lost = $1"
        );
        let found = |row: &Row| Ok((app(row)?, player(row, OF_APP)?, get(row, OF_APP + OF_PLAYER)?));
        self.one(&query, &[&&refresh[..]], found).await
    }

    pub async fn apps_of(&self, player: PlayerKey) -> Result<Vec<AppRow>, StoreError> {
        let query = format!("SELECT {APP} FROM app WHERE player = $1 AND refresh IS NOT NULL ORDER BY uuid");
        self.all(&query, &[&player], app).await
    }
}
