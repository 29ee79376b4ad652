//! Connected apps.

use rusqlite::{Connection, Row, params};
use uuid::Uuid;

use super::{
    Reads,
    columns::Whole,
    players::{OF_PLAYER, PLAYER, player},
};
use crate::store::{AppChange, AppRow, NewApp, PlayerKey, PlayerRow, RefreshedApp, StoreError, sql};

const APP: &str = "app.uuid, client, app.name, scopes, game, app.created_at, expires_at, code_until, redirect, \
    challenge, refresh IS NOT NULL, (SELECT max(used_at) FROM token WHERE token.app = app.uuid)";
/// Number of these columns.
const OF_APP: usize = 12;

fn app(row: &Row) -> rusqlite::Result<AppRow> {
    let whole = |column| row.get::<_, Whole>(column).map(|whole| whole.0);
    Ok(AppRow {
        uuid: Uuid::from_bytes(row.get(0)?),
        client: row.get(1)?,
        name: row.get(2)?,
        scopes: row.get(3)?,
        game: row.get::<_, Option<[u8; 16]>>(4)?.map(Uuid::from_bytes),
        created_at: whole(5)?,
        expires_at: whole(6)?,
        code_until: whole(7)?,
        redirect: row.get(8)?,
        challenge: row.get(9)?,
        has_begun: row.get(10)?,
        used_at: row.get::<_, Option<Whole>>(11)?.map(|whole| whole.0),
    })
}

pub fn apply(connection: &Connection, change: &AppChange) -> Result<(), StoreError> {
    let run = |statement: &str, values: &[&dyn rusqlite::ToSql]| -> Result<usize, StoreError> {
        Ok(connection.prepare_cached(statement)?.execute(values)?)
    };
    let changed = match change {
        AppChange::Add(new) => return add(connection, new),
        AppChange::Begin { app, refresh } => run(sql::BEGIN_APP.sqlite, params![app.as_bytes(), refresh])?,
        AppChange::Rotate { app, used, next } => {
            run(sql::ROTATE_APP.sqlite, params![app.as_bytes(), used, next])?
        }
        AppChange::End { player, app } => {
            run(sql::DELETE_TOKENS_OF_APP.sqlite, params![app.as_bytes()])?;
            run(sql::DELETE_APP.sqlite, params![player, app.as_bytes()])?
        }
    };
    if changed == 0 { Err(StoreError::Gone) } else { Ok(()) }
}

fn add(connection: &Connection, NewApp { player, app, code }: &NewApp) -> Result<(), StoreError> {
    connection
        .prepare_cached(sql::DELETE_OLD_APPS.sqlite)?
        .execute(params![player, Whole(app.created_at)])?;
    connection.prepare_cached(sql::ADD_APP.sqlite)?.execute(params![
        app.uuid.as_bytes(),
        player,
        app.client,
        app.name,
        app.scopes,
        app.game.as_ref().map(Uuid::as_bytes),
        Whole(app.created_at),
        Whole(app.expires_at),
        code,
        Whole(app.code_until),
        app.redirect,
        app.challenge,
    ])?;
    Ok(())
}

impl Reads {
    pub fn app_by_code(&self, code: &[u8; 32]) -> Result<Option<(AppRow, PlayerRow)>, StoreError> {
        let from = "app JOIN player ON player.id = app.player WHERE code = ?1";
        let query = format!("SELECT {APP}, {PLAYER} FROM {from}");
        self.one(&query, code, |row| Ok((app(row)?, player(row, OF_APP)?)))
    }

    pub fn app_by_refresh(&self, refresh: &[u8; 32]) -> Result<Option<RefreshedApp>, StoreError> {
        let query = format!(
            "SELECT {APP}, {PLAYER}, coalesce(spent = ?1 OR lost = ?1, FALSE) FROM app JOIN player ON player.id = app.player
             WHERE refresh = ?1 OR next = ?1 OR spent = ?1 OR lost = ?1"
        );
        self.one(&query, refresh, |row| Ok((app(row)?, player(row, OF_APP)?, row.get(OF_APP + OF_PLAYER)?)))
    }

    pub fn apps(&self, player: PlayerKey) -> Result<Vec<AppRow>, StoreError> {
        self.readers.read(|connection| {
            let query =
                format!("SELECT {APP} FROM app WHERE player = ?1 AND refresh IS NOT NULL ORDER BY uuid");
            let mut query = connection.prepare_cached(&query)?;
            let apps = query.query_map([player], app)?;
            Ok(apps.collect::<rusqlite::Result<_>>()?)
        })
    }
}
