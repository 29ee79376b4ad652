//! Changes of players, tokens and codes.

use super::{
    apps,
    columns::{Int, whole},
    hooks,
    link::{Fail, Value},
    transaction::Transaction,
};
use crate::store::{AccountChange, DeviceRow, NewPlayerRow, NewToken, PlayerKey, account, sql};
use crate::words::Level;

pub async fn apply(transaction: &Transaction<'_>, change: &AccountChange) -> Result<(), Fail> {
    let run =
        async |statement: &str, values: &[Value<'_>]| transaction.run(statement, values).await.map(|_| ());
    match change {
        // Locks the token against a concurrent end.
        AccountChange::By(token) => transaction.unless_gone(sql::LOCK_TOKEN.postgres, &[token]).await,
        AccountChange::AddPlayer(NewPlayerRow { key, uuid, name, recovery, level, created_at }) => {
            let add = sql::ADD_PLAYER.postgres;
            let recovery = recovery.as_ref().map(|code| &code[..]);
            run(add, &[key, uuid, name, &recovery, &level.map(Level::word), &whole(*created_at)]).await
        }
        AccountChange::Rename { player, name } => {
            let rename = "UPDATE player SET name = $2 WHERE id = $1 AND name IS NOT NULL AND (offer IS NULL OR NOT EXISTS
                (SELECT 1 FROM player WHERE name = $2 AND offer IS NOT NULL AND id <> $1))";
            transaction.unless_gone(rename, &[player, name]).await?;
            called_otherwise(transaction, *player).await
        }
        AccountChange::SetOffer { player, offer } => {
            let set = "UPDATE player SET offer = $2 WHERE id = $1 AND name IS NOT NULL AND ($2::text IS NULL OR NOT EXISTS
                (SELECT 1 FROM player AS other WHERE other.name = player.name AND other.offer IS NOT NULL AND other.id <> $1))";
            transaction.unless_gone(set, &[player, offer]).await?;
            called_otherwise(transaction, *player).await
        }
        AccountChange::Remove { player } => {
            for table in ["token", "app", "link", "note", "device"] {
                run(&format!("DELETE FROM {table} WHERE player = $1"), &[player]).await?;
            }
            for statement in sql::LEAVE {
                run(statement.postgres, &[player]).await?;
            }
            hooks::remove_of(transaction, *player).await?;
            let remove = sql::CLEAR_PLAYER.postgres;
            transaction.unless_gone(remove, &[player]).await?;
            called_otherwise(transaction, *player).await
        }
        AccountChange::AddToken(token) => add_token(transaction, token).await,
        AccountChange::EndToken { player, token } => {
            transaction.unless_gone(sql::DELETE_TOKEN_OF_PLAYER.postgres, &[player, token]).await
        }
        AccountChange::EndTokens { player } => {
            run(sql::DELETE_TOKENS_OF_PLAYER.postgres, &[player]).await?;
            run(sql::DELETE_APPS_OF_PLAYER.postgres, &[player]).await?;
            run(sql::DELETE_LINK_OF_PLAYER.postgres, &[player]).await
        }
        AccountChange::NoteUse { token, at } => run(sql::USE_TOKEN.postgres, &[token, &whole(*at)]).await,
        AccountChange::SettleToken { player, token } => {
            transaction.unless_gone("UPDATE token SET is_pending = false WHERE id = $1", &[token]).await?;
            let replaced = "(SELECT replaces FROM token WHERE id = $1)";
            let end =
                format!("DELETE FROM token WHERE id = {replaced} OR (replaces = {replaced} AND id <> $1)");
            run(&end, &[token]).await?;
            run(sql::SETTLE_APP.postgres, &[token]).await?;
            run(sql::DELETE_OTHERS_OF_APP.postgres, &[token]).await?;
            let settle = sql::SETTLE_RECOVERY.postgres;
            run(settle, &[player]).await
        }
        AccountChange::SetRecovery { player, code } => {
            let set = sql::SET_RECOVERY.postgres;
            transaction.unless_gone(set, &[player, &&code[..]]).await
        }
        AccountChange::Recover { player, used, next, nonce } => {
            let recover = sql::BEGIN_RECOVERY.postgres;
            transaction.unless_gone(recover, &[player, &&used[..], &&next[..], &&nonce[..]]).await
        }
        AccountChange::AddLink { player, code, until, scopes, name, expires_at, key, proof } => {
            let add =
                "INSERT INTO link (player, digest, until, scopes, name, expires_at, key, proof) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                ON CONFLICT (player) DO UPDATE SET digest = excluded.digest, until = excluded.until,
                    scopes = excluded.scopes, name = excluded.name, expires_at = excluded.expires_at,
                    key = excluded.key, proof = excluded.proof";
            let [key, proof] = [key, proof].map(|bytes| bytes.as_ref().map(|bytes| &bytes[..]));
            run(
                add,
                &[player, &&code[..], &whole(*until), scopes, name, &expires_at.map(whole), &key, &proof],
            )
            .await
        }
        AccountChange::TakeLink { code } => {
            transaction.unless_gone(sql::DELETE_LINK.postgres, &[&&code[..]]).await
        }
        AccountChange::App(change) => apps::apply(transaction, change).await,
        AccountChange::PutDevice { player, device } => {
            let put = "INSERT INTO device (player, low, high, by_low, by_high, proof, at) VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (player, low, high) DO UPDATE SET by_low = excluded.by_low, by_high = excluded.by_high,
                    proof = excluded.proof, at = excluded.at";
            let DeviceRow { keys: [low, high], sigs, proof, at } = device;
            let [by_low, by_high] = sigs.each_ref().map(|sig| sig.as_ref().map(|sig| &sig[..]));
            let proof = proof.as_ref().map(|proof| &proof[..]);
            run(put, &[player, &&low[..], &&high[..], &by_low, &by_high, &proof, &whole(*at)]).await
        }
        AccountChange::DropDevice { player, key } => {
            run(sql::DELETE_DEVICE.postgres, &[player, &&key[..]]).await
        }
    }
}

/// Makes other servers reload the games of a renamed player.
async fn called_otherwise(transaction: &Transaction<'_>, player: PlayerKey) -> Result<(), Fail> {
    let note = "UPDATE game SET beside = beside + 1 WHERE id IN
        (SELECT game FROM seat WHERE player = $1 ORDER BY game DESC LIMIT 2000)";
    transaction.run(note, &[&player]).await.map(|_| ())
}

/// Adds a token. Only the newest replacements of a token are kept, since the answers with the others were
/// lost. Deletes the player's expired tokens.
async fn add_token(transaction: &Transaction<'_>, token: &NewToken) -> Result<(), Fail> {
    let clear = "DELETE FROM token WHERE player = $1 AND (expires_at <= $2 OR id IN
        (SELECT id FROM token WHERE player = $1 AND replaces = $3 ORDER BY id DESC OFFSET $4))";
    let values: [Value<'_>; 4] =
        [&token.player, &whole(token.created_at), &token.replaces, &Int((account::MOST_HEIRS - 1).into())];
    transaction.run(clear, &values).await?;
    if let Some(app) = &token.app {
        transaction.run(sql::DELETE_PENDING_OF_APP.postgres, &[app]).await?;
    }
    let add = "INSERT INTO token (id, uuid, player, digest, name, scopes, game, created_at, expires_at, is_pending, replaces, app)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
        WHERE $11::int8 IS NULL OR EXISTS (SELECT 1 FROM token WHERE id = $11)";
    let values: [Value<'_>; 12] = [
        &transaction.numbers.next(),
        &token.uuid,
        &token.player,
        &&token.digest[..],
        &token.name,
        &token.scopes,
        &token.game,
        &whole(token.created_at),
        &token.expires_at.map(whole),
        &token.is_pending,
        &token.replaces,
        &token.app,
    ];
    transaction.unless_gone(add, &values).await
}
