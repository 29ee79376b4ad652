//! Appends of entries and claims, alone or in batches.

use std::{collections::BTreeMap, sync::LazyLock};

use uuid::Uuid;

use super::{
    columns::{Int, opt, whole},
    failure::doubled,
    link::{Fail, Link, Value},
    transaction::{Transaction, note_again},
};
use crate::store::{Change, Entry, GameKey, KeptAnswer, NewClaim, StoreError, Write};

/// Rows that are deleted at once.
const AT_ONCE: i64 = 5_000;
const LOG: &str = "INSERT INTO log (game, seq, at, x, head, body, secret, landmark)
    SELECT game, seq, $3::int8, x, head, body, secret, landmark
    FROM unnest($1::int8[], $2::int4[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[], $14::bool[])
        AS new (game, seq, x, head, body, secret, landmark)";
const CLAIMS: &str = "INSERT INTO claim (digest, fingerprint, at, game, seq, last)
    SELECT * FROM unnest($8::bytea[], $9::bytea[], $10::int8[], $11::int8[], $12::int4[], $13::int4[])";

/// Appends inside a transaction. Claims come before entries, here and in batches: two transactions with other
/// lock orders would wait for each other.
static APPEND: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH claimed AS ({CLAIMS} RETURNING true)
        {LOG} WHERE (SELECT count(*) FROM claimed) = cardinality($8)"
    )
});

/// A whole transaction in one statement, with one round trip. Its name comes first: a retry of a committed
/// transaction would otherwise conflict with itself.
static TRANSACTION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "WITH named AS (INSERT INTO done (id, at) VALUES ($15, $3::int8) RETURNING true),
        claimed AS ({CLAIMS} WHERE (SELECT count(*) FROM named) = 1 RETURNING true),
        due_now AS (
            INSERT INTO due (game, at) SELECT * FROM unnest($16::int8[], $17::int8[])
            ON CONFLICT (game) DO UPDATE SET at = excluded.at, held_until = 0),
        due_no_more AS (DELETE FROM due WHERE game = ANY($18::int8[]))
        {LOG} WHERE (SELECT count(*) FROM named) = 1
            AND (SELECT count(*) FROM claimed) = cardinality($8)"
    )
});

/// Appends of many writes, sorted by key to keep one lock order.
#[derive(Default)]
pub struct Batch<'w> {
    rows: Vec<(GameKey, &'w Entry)>,
    claims: Vec<(&'w NewClaim, GameKey, u64, u64)>,
    due: BTreeMap<i64, Option<i64>>,
}

impl<'w> Batch<'w> {
    /// Makes a batch of writes that only append.
    pub fn of(writes: impl IntoIterator<Item = &'w Write>) -> Self {
        let mut batch = Self::default();
        for change in writes.into_iter().flat_map(|write| &write.changes) {
            match change {
                Change::Append { game, entries, claim } => batch.append(*game, entries, claim.as_ref()),
                Change::SetDeadline { game, at } => {
                    batch.due.insert(game.0, at.map(u64::cast_signed));
                }
                _ => {}
            }
        }
        batch.rows.sort_unstable_by_key(|(game, entry)| (*game, entry.seq));
        batch.claims.sort_unstable_by_key(|(claim, ..)| claim.digest);
        batch
    }

    fn append(&mut self, game: GameKey, entries: &'w [Entry], claim: Option<&'w (u64, NewClaim)>) {
        let last = entries.last().map_or(0, |entry| entry.seq);
        self.rows.extend(entries.iter().map(|entry| (game, entry)));
        self.claims.extend(claim.map(|(seq, claim)| (claim, game, *seq, last)));
    }

    /// Returns whether a write only appends.
    pub fn takes(write: &Write) -> bool {
        let only_appends =
            |change: &Change| matches!(change, Change::Append { .. } | Change::SetDeadline { .. });
        write.changes.iter().all(only_appends)
    }

    /// Writes the batch in one transaction. A committed transaction is not repeated.
    pub async fn carry_out(&self, link: &Link, (id, at): (Uuid, i64)) -> Result<(), tokio_postgres::Error> {
        let columns = Columns::of(self);
        let (due, times): (Vec<i64>, Vec<i64>) =
            self.due.iter().filter_map(|(game, at)| Some((*game, (*at)?))).unzip();
        let not_due: Vec<i64> =
            self.due.iter().filter(|(_, at)| at.is_none()).map(|(game, _)| *game).collect();
        let mut values = columns.values(&at);
        values.extend([&id as Value<'_>, &due, &times, &not_due]);
        match link.execute(&TRANSACTION, &values).await {
            Err(error) if doubled(&error) == Some("done_pkey") => note_again(link, at).await,
            done => done.map(|_| ()),
        }
    }

    /// Writes entries and claims inside a transaction.
    async fn append_to(&self, link: &Link, at: i64) -> Result<(), tokio_postgres::Error> {
        let columns = Columns::of(self);
        let values = columns.values(&at);
        link.execute(&APPEND, &values).await.map(|_| ())
    }
}

/// Entries and claims, by column.
struct Columns<'b> {
    games: Vec<i64>,
    seqs: Vec<i32>,
    xs: Vec<&'b [u8]>,
    heads: Vec<&'b [u8]>,
    bodies: Vec<&'b [u8]>,
    secrets: Vec<Option<&'b [u8]>>,
    digests: Vec<&'b [u8]>,
    prints: Vec<&'b [u8]>,
    claimed_at: Vec<i64>,
    claimed_games: Vec<i64>,
    claimed_seqs: Vec<i32>,
    claimed_lasts: Vec<i32>,
    landmarks: Vec<bool>,
}

impl<'b> Columns<'b> {
    fn of(batch: &'b Batch<'_>) -> Self {
        let entries = || batch.rows.iter().map(|(_, entry)| entry);
        let claims = || batch.claims.iter().map(|(claim, ..)| claim);
        Self {
            games: batch.rows.iter().map(|(game, _)| game.0).collect(),
            seqs: entries().map(|entry| small(entry.seq)).collect(),
            xs: entries().map(|entry| &entry.x[..]).collect(),
            heads: entries().map(|entry| &entry.head[..]).collect(),
            bodies: entries().map(|entry| &entry.body[..]).collect(),
            secrets: entries().map(|entry| entry.secret.as_deref()).collect(),
            digests: claims().map(|claim| &claim.digest[..]).collect(),
            prints: claims().map(|claim| &claim.fingerprint[..]).collect(),
            claimed_at: claims().map(|claim| claim.at.cast_signed()).collect(),
            claimed_games: batch.claims.iter().map(|(_, game, ..)| game.0).collect(),
            claimed_seqs: batch.claims.iter().map(|(.., seq, _)| small(*seq)).collect(),
            claimed_lasts: batch.claims.iter().map(|(.., last)| small(*last)).collect(),
            landmarks: entries().map(|entry| entry.is_landmark).collect(),
        }
    }

    /// Returns the values in the order of the parameters.
    fn values<'v>(&'v self, at: &'v i64) -> Vec<Value<'v>> {
        vec![
            &self.games,
            &self.seqs,
            at,
            &self.xs,
            &self.heads,
            &self.bodies,
            &self.secrets,
            &self.digests,
            &self.prints,
            &self.claimed_at,
            &self.claimed_games,
            &self.claimed_seqs,
            &self.claimed_lasts,
            &self.landmarks,
        ]
    }
}

/// Returns a `seq` as four bytes.
fn small(seq: u64) -> i32 {
    i32::try_from(seq).unwrap_or(i32::MAX)
}

/// Appends to one game, inside a transaction.
pub async fn one(
    transaction: &Transaction<'_>,
    game: GameKey,
    entries: &[Entry],
    claim: Option<&(u64, NewClaim)>,
) -> Result<(), Fail> {
    let mut batch = Batch::default();
    batch.append(game, entries, claim);
    if let Some((_, claim)) = claim {
        // An expired claim makes room.
        let stale = "DELETE FROM claim WHERE digest = $1 AND at < $2";
        transaction.run(stale, &[&&claim.digest[..], &whole(claim.fresh_since)]).await?;
    }
    Ok(batch.append_to(transaction.link, transaction.at).await?)
}

/// Stores the answer to a request that wrote no entry.
pub async fn keep(transaction: &Transaction<'_>, answer: &KeptAnswer) -> Result<(), Fail> {
    let KeptAnswer { player, key, claim, body } = answer;
    let keep = "INSERT INTO answer (player, key, fingerprint, body, at) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (player, key) DO UPDATE SET fingerprint = excluded.fingerprint, body = excluded.body, at = excluded.at
        WHERE answer.at < $6";
    let values: [Value<'_>; 6] =
        [player, key, &&claim.fingerprint[..], body, &whole(claim.at), &whole(claim.fresh_since)];
    match transaction.run(keep, &values).await? {
        0 => Err(StoreError::ClaimStands.into()),
        _ => Ok(()),
    }
}

/// Explains the violation of a unique index by an append.
pub async fn explain(link: &Link, error: tokio_postgres::Error, write: &Write) -> StoreError {
    match doubled(&error) {
        Some("claim_pkey") => StoreError::ClaimStands,
        Some("log_pkey") => {
            let Some((game, expected)) = write.first_entry() else { return StoreError::Gone };
            let end = "SELECT max(seq) + 1 FROM log WHERE game = $1";
            let found = link.query(end, &[&game]).await.ok();
            let actual = found.and_then(|rows| opt::<u64>(rows.first()?, 0).ok()?);
            StoreError::Conflict { expected, actual: actual.unwrap_or(expected) }
        }
        _ => error.into(),
    }
}

/// Deletes some old rows, and skips those being deleted by another server.
pub async fn forget(link: &Link, before: i64, done_before: i64) -> Result<(), tokio_postgres::Error> {
    for (table, key, before) in
        [("claim", "digest", before), ("answer", "player, key", before), ("done", "id", done_before)]
    {
        let some = format!(
            "DELETE FROM {table} WHERE ({key}) IN
             (SELECT {key} FROM {table} WHERE at < $1 ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)"
        );
        while link.execute(&some, &[&before, &Int(AT_ONCE)]).await? >= AT_ONCE.cast_unsigned() {}
    }
    link.execute("DELETE FROM ticket WHERE until < $1", &[&done_before]).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(game: i64, seq: u64, digest: u8) -> Write {
        let entry =
            Entry { seq, x: [0; 32], head: [0; 32], body: Vec::new(), secret: None, is_landmark: false };
        let claim = NewClaim { digest: [digest; 16], fingerprint: [0; 16], at: 0, fresh_since: 0 };
        let append = Change::Append { game: GameKey(game), entries: vec![entry], claim: Some((seq, claim)) };
        Write::of(append).and(Change::SetDeadline { game: GameKey(game), at: Some(1) })
    }

    #[test]
    fn rows_stand_in_the_order_of_their_keys() {
        let writes = [write(7, 3, 1), write(2, 9, 8), write(5, 1, 4)];
        let batch = Batch::of(&writes);
        assert!(batch.rows.is_sorted_by_key(|(game, entry)| (*game, entry.seq)));
        assert!(batch.claims.is_sorted_by_key(|(claim, ..)| claim.digest));
        assert_eq!((batch.rows.len(), batch.claims.len(), batch.due.len()), (3, 3, 3));
    }

    #[test]
    fn what_does_more_than_append_is_written_alone() {
        let more = write(1, 1, 1).and(Change::FreeSeat { game: GameKey(1), seat: 0 });
        assert!(Batch::takes(&write(1, 1, 1)) && !Batch::takes(&more));
    }
}
