//! Changes of players, tokens and codes.

use rusqlite::{Connection, ToSql, params};

use super::{apps, columns::Whole, hooks};
use crate::store::{AccountChange, DeviceRow, GameKey, NewPlayerRow, NewToken, StoreError, account, sql};
use crate::words::Level;

fn add_player(connection: &Connection, player: &NewPlayerRow) -> Result<(), StoreError> {
    let NewPlayerRow { key, uuid, name, recovery, level, created_at } = player;
    connection.prepare_cached(sql::ADD_PLAYER.sqlite)?.execute(params![
        key,
        uuid.as_bytes(),
        name,
        recovery,
        level.map(Level::word),
        Whole(*created_at)
    ])?;
    Ok(())
}

pub fn apply(connection: &Connection, change: &AccountChange) -> Result<(), StoreError> {
    let run = |statement: &str, values: &[&dyn ToSql]| -> Result<usize, StoreError> {
        Ok(connection.prepare_cached(statement)?.execute(values)?)
    };
    // A missing row means that another request was faster.
    let must = |statement: &str, values: &[&dyn ToSql]| match run(statement, values)? {
        0 => Err(StoreError::Gone),
        _ => Ok(()),
    };
    match change {
        AccountChange::By(token) => {
            must(sql::LOCK_TOKEN.sqlite, params![token])
        }
        AccountChange::AddPlayer(player) => add_player(connection, player),
        AccountChange::Rename { player, name } => {
            let free = "offer IS NULL OR NOT EXISTS (SELECT 1 FROM player WHERE name = ?2 AND offer IS NOT NULL AND id <> ?1)";
            must(
                &format!("UPDATE player SET name = ?2 WHERE id = ?1 AND name IS NOT NULL AND ({free})"),
                params![player, name],
            )
        }
        AccountChange::SetOffer { player, offer } => {
            let taken = "SELECT 1 FROM player AS other WHERE other.name = player.name AND other.offer IS NOT NULL AND other.id <> ?1";
            must(
                &format!("UPDATE player SET offer = ?2 WHERE id = ?1 AND name IS NOT NULL AND (?2 IS NULL OR NOT EXISTS ({taken}))"),
                params![player, offer],
            )
        }
        AccountChange::Remove { player } => {
            run(sql::DELETE_TOKENS_OF_PLAYER.sqlite, params![player])?;
            run(sql::DELETE_APPS_OF_PLAYER.sqlite, params![player])?;
            run(sql::DELETE_LINK_OF_PLAYER.sqlite, params![player])?;
            run("DELETE FROM device WHERE player = ?1", params![player])?;
            run("DELETE FROM note WHERE player = ?1", params![player])?;
            for statement in sql::LEAVE {
                run(statement.sqlite, params![player])?;
            }
            hooks::remove_of(connection, *player)?;
            must(
                sql::CLEAR_PLAYER.sqlite,
                params![player],
            )
        }
        AccountChange::AddToken(token) => add_token(connection, token),
        AccountChange::EndToken { player, token } => {
            must(sql::DELETE_TOKEN_OF_PLAYER.sqlite, params![player, token.as_bytes()])
        }
        AccountChange::EndTokens { player } => {
            run(sql::DELETE_TOKENS_OF_PLAYER.sqlite, params![player])?;
            run(sql::DELETE_APPS_OF_PLAYER.sqlite, params![player])?;
            run(sql::DELETE_LINK_OF_PLAYER.sqlite, params![player]).map(|_| ())
        }
        AccountChange::NoteUse { token, at } => {
            run(sql::USE_TOKEN.sqlite, params![token, Whole(*at)]).map(|_| ())
        }
        AccountChange::SettleToken { player, token } => {
            must("UPDATE token SET is_pending = 0 WHERE id = ?1", params![token])?;
            let replaced = "(SELECT replaces FROM token WHERE id = ?1)";
            run(
                &format!("DELETE FROM token WHERE id = {replaced} OR (replaces = {replaced} AND id <> ?1)"),
                params![token],
            )?;
            run(sql::SETTLE_APP.sqlite, params![token])?;
            run(sql::DELETE_OTHERS_OF_APP.sqlite, params![token])?;
            run(
                sql::SETTLE_RECOVERY.sqlite,
                params![player],
            )
            .map(|_| ())
        }
        AccountChange::SetRecovery { player, code } => must(
            sql::SET_RECOVERY.sqlite,
            params![player, code],
        ),
        AccountChange::Recover { player, used, next, nonce } => must(
            sql::BEGIN_RECOVERY.sqlite,
            params![player, used, next, nonce],
        ),
        AccountChange::AddLink { player, code, until, scopes, name, expires_at, key, proof } => run(
            "INSERT OR REPLACE INTO link (player, digest, until, scopes, name, expires_at, key, proof) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![player, code, Whole(*until), scopes, name, expires_at.map(Whole), key, proof],
        )
        .map(|_| ()),
        AccountChange::TakeLink { code } => must(sql::DELETE_LINK.sqlite, params![code]),
        AccountChange::App(change) => apps::apply(connection, change),
        AccountChange::PutDevice { player, device: DeviceRow { keys: [low, high], sigs: [by_low, by_high], proof, at } } => run(
            "INSERT OR REPLACE INTO device (player, low, high, by_low, by_high, proof, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![player, low, high, by_low, by_high, proof, Whole(*at)],
        )
        .map(|_| ()),
        AccountChange::DropDevice { player, key } => {
            run(sql::DELETE_DEVICE.sqlite, params![player, key]).map(|_| ())
        }
    }
}

/// Adds a token. Only the newest replacements of a token are kept, since the answers with the others were
/// lost. Deletes the player's expired tokens.
fn add_token(connection: &Connection, token: &NewToken) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "DELETE FROM token WHERE player = ?1 AND (expires_at <= ?2 OR id IN
                 (SELECT id FROM token WHERE player = ?1 AND replaces = ?3 ORDER BY id DESC LIMIT -1 OFFSET ?4))",
        )?
        .execute(params![token.player, Whole(token.created_at), token.replaces, account::MOST_HEIRS - 1])?;
    let app = token.app.as_ref().map(uuid::Uuid::as_bytes);
    if let Some(app) = app {
        connection.prepare_cached(sql::DELETE_PENDING_OF_APP.sqlite)?.execute(params![app])?;
    }
    let added = connection
        .prepare_cached(
            "INSERT INTO token (uuid, player, digest, name, scopes, game, created_at, expires_at, is_pending, replaces, app)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
             WHERE ?10 IS NULL OR EXISTS (SELECT 1 FROM token WHERE id = ?10)",
        )?
        .execute(params![
            token.uuid.as_bytes(),
            token.player,
            token.digest,
            token.name,
            token.scopes,
            token.game.as_ref().map(uuid::Uuid::as_bytes),
            Whole(token.created_at),
            token.expires_at.map(Whole),
            token.is_pending,
            token.replaces,
            app,
        ])?;
    if added == 0 { Err(StoreError::Gone) } else { Ok(()) }
}

/// Counts a finished game in the results of its players, unless it is private.
pub fn count(connection: &Connection, game: GameKey) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "INSERT INTO tally (player, ruleset, played, won)
             SELECT seat.player, game.ruleset, 1, EXISTS (
                 SELECT 1 FROM json_each(game.result) AS placed
                 WHERE placed.value ->> 'seat' = seat.seat AND placed.value ->> 'place' = 1)
             FROM seat JOIN game ON game.id = seat.game
             WHERE game.id = ?1 AND game.visibility <> 'private'
             ON CONFLICT (player, ruleset) DO UPDATE SET played = played + 1, won = won + excluded.won",
        )?
        .execute([game])?;
    Ok(())
}
