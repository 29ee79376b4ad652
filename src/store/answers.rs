//! Answers to writes that named an idempotency key.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::{PlayerKey, Store, StoreError};

/// What a player was answered, to be answered again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub player: PlayerKey,
    pub key: String,
    /// What the request was, so that another request under the same key is noticed.
    pub fingerprint: [u8; 32],
    pub body: Vec<u8>,
    pub at: u64,
}

impl Answer {
    pub(super) fn keep(&self, connection: &Connection, fresh_since: u64) -> Result<(), StoreError> {
        let kept = connection
            .prepare_cached(
                "INSERT INTO answer (player, key, fingerprint, body, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (player, key) DO UPDATE SET fingerprint = ?3, body = ?4, at = ?5 WHERE at < ?6",
            )?
            .execute(params![
                self.player.0,
                self.key,
                self.fingerprint,
                self.body,
                self.at.cast_signed(),
                fresh_since.cast_signed(),
            ])?;
        if kept == 0 {
            return Err(StoreError::AnswerExists);
        }
        // Two go for one that comes, so that the old ones grow fewer, and no write has to clear away many.
        connection
            .prepare_cached(
                "DELETE FROM answer WHERE (player, key) IN
                 (SELECT player, key FROM answer WHERE at < ?1 ORDER BY at LIMIT 2)",
            )?
            .execute([fresh_since.cast_signed()])?;
        Ok(())
    }
}

impl Store {
    /// The answer under this key, if it is not too old.
    pub fn answer(
        &self,
        player: PlayerKey,
        key: &str,
        fresh_since: u64,
    ) -> Result<Option<Answer>, StoreError> {
        self.readers.read(|connection| {
            let found = connection
                .prepare_cached(
                    "SELECT fingerprint, body, at FROM answer WHERE player = ?1 AND key = ?2 AND at >= ?3",
                )?
                .query_row(params![player.0, key, fresh_since.cast_signed()], |row| {
                    let at: i64 = row.get(2)?;
                    Ok(Answer {
                        player,
                        key: key.to_owned(),
                        fingerprint: row.get(0)?,
                        body: row.get(1)?,
                        at: at.cast_unsigned(),
                    })
                })
                .optional()?;
            Ok(found)
        })
    }
}
