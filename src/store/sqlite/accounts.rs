//! Players, their tokens and codes, written.

use rusqlite::{Connection, ToSql, params};

use super::{columns::Whole, hooks};
use crate::store::{AccountChange, DeviceRow, GameKey, NewPlayer, NewToken, StoreError, account};

fn add_player(connection: &Connection, player: &NewPlayer) -> Result<(), StoreError> {
    let NewPlayer { key, uuid, name, recovery, level, created_at } = player;
    connection
        .prepare_cached(
            "INSERT INTO player (id, uuid, name, recovery, level, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![key, uuid.as_bytes(), name, recovery, level, Whole(*created_at)])?;
    Ok(())
}

/// Carries out a change of an account.
pub fn apply(connection: &Connection, change: &AccountChange) -> Result<(), StoreError> {
    let run = |statement: &str, values: &[&dyn ToSql]| -> Result<usize, StoreError> {
        Ok(connection.prepare_cached(statement)?.execute(values)?)
    };
    // What is not there any more was taken away by somebody who was faster.
    let must = |statement: &str, values: &[&dyn ToSql]| match run(statement, values)? {
        0 => Err(StoreError::Gone),
        _ => Ok(()),
    };
    match change {
        AccountChange::By(token) => {
            must("UPDATE token SET is_pending = is_pending WHERE id = ?1", params![token])
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
            run("DELETE FROM token WHERE player = ?1", params![player])?;
            run("DELETE FROM link WHERE player = ?1", params![player])?;
            run("DELETE FROM device WHERE player = ?1", params![player])?;
            run("DELETE FROM note WHERE player = ?1", params![player])?;
            hooks::remove_of(connection, *player)?;
            must(
                "UPDATE player SET name = NULL, offer = NULL, recovery = NULL, next_recovery = NULL, recovery_nonce = NULL WHERE id = ?1",
                params![player],
            )
        }
        AccountChange::AddToken(token) => add_token(connection, token),
        AccountChange::EndToken { player, token } => {
            must("DELETE FROM token WHERE player = ?1 AND uuid = ?2", params![player, token.as_bytes()])
        }
        AccountChange::EndTokens { player } => {
            run("DELETE FROM token WHERE player = ?1", params![player])?;
            run("DELETE FROM link WHERE player = ?1", params![player]).map(|_| ())
        }
        AccountChange::NoteUse { token, at } => {
            run("UPDATE token SET used_at = ?2 WHERE id = ?1", params![token, Whole(*at)]).map(|_| ())
        }
        AccountChange::SettleToken { player, token } => {
            must("UPDATE token SET is_pending = 0 WHERE id = ?1", params![token])?;
            let replaced = "(SELECT replaces FROM token WHERE id = ?1)";
            run(
                &format!("DELETE FROM token WHERE id = {replaced} OR (replaces = {replaced} AND id <> ?1)"),
                params![token],
            )?;
            run(
                "UPDATE player SET recovery = next_recovery, next_recovery = NULL, recovery_nonce = NULL
                 WHERE id = ?1 AND next_recovery IS NOT NULL",
                params![player],
            )
            .map(|_| ())
        }
        AccountChange::SetRecovery { player, code } => must(
            "UPDATE player SET recovery = ?2, next_recovery = NULL, recovery_nonce = NULL WHERE id = ?1 AND name IS NOT NULL",
            params![player, code],
        ),
        AccountChange::Recover { player, used, next, nonce } => must(
            "UPDATE player SET recovery = ?2, next_recovery = ?3, recovery_nonce = ?4
             WHERE id = ?1 AND (next_recovery = ?2 OR (recovery = ?2 AND next_recovery IS NULL))",
            params![player, used, next, nonce],
        ),
        AccountChange::AddLink { player, code, until, scopes, expires_at, key, proof } => run(
            "INSERT OR REPLACE INTO link (player, digest, until, scopes, expires_at, key, proof) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![player, code, Whole(*until), scopes, expires_at.map(Whole), key, proof],
        )
        .map(|_| ()),
        AccountChange::TakeLink { code } => must("DELETE FROM link WHERE digest = ?1", params![code]),
        AccountChange::PutDevice { player, device: DeviceRow { keys: [low, high], sigs: [by_low, by_high], proof, at } } => run(
            "INSERT OR REPLACE INTO device (player, low, high, by_low, by_high, proof, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![player, low, high, by_low, by_high, proof, Whole(*at)],
        )
        .map(|_| ()),
        AccountChange::DropDevice { player, key } => {
            run("DELETE FROM device WHERE player = ?1 AND (low = ?2 OR high = ?2)", params![player, key]).map(|_| ())
        }
    }
}

/// Of those that are to replace one token only the newest are kept: the answers with the others were lost, or
/// one of them would be in use. With each the player's tokens go whose time has come.
fn add_token(connection: &Connection, token: &NewToken) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "DELETE FROM token WHERE player = ?1 AND (expires_at <= ?2 OR id IN
                 (SELECT id FROM token WHERE player = ?1 AND replaces = ?3 ORDER BY id DESC LIMIT -1 OFFSET ?4))",
        )?
        .execute(params![token.player, Whole(token.created_at), token.replaces, account::MOST_HEIRS - 1])?;
    let added = connection
        .prepare_cached(
            "INSERT INTO token (uuid, player, digest, name, scopes, game, created_at, expires_at, is_pending, replaces)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
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
        ])?;
    if added == 0 { Err(StoreError::Gone) } else { Ok(()) }
}

/// Counts a game that has just been finished for those who sit at it, unless nobody else may know of it.
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
