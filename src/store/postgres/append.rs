//! Entries of the log, and what came under idempotency keys: written one by one, or many together.

use uuid::Uuid;

use super::{
    columns::{Int, opt, whole},
    failure::doubled,
    link::{Fail, Link, Value},
    transaction::Transaction,
};
use crate::store::{Change, Entry, GameKey, NewClaim, Refusal, StoreError, Write};

/// How many rows are forgotten at once.
const AT_ONCE: i64 = 5_000;
const LOG: &str = "INSERT INTO log (game, seq, at, x, head, body, secret)
    SELECT game, seq, $3, x, head, body, secret
    FROM unnest($1::int8[], $2::int4[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[])
        AS new (game, seq, x, head, body, secret)";
const CLAIMS: &str = "INSERT INTO claim (digest, fingerprint, at, game, seq, last)
    SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::int8[], $4::int8[], $5::int4[], $6::int4[])";
const DUE: &str = "INSERT INTO due (game, at) SELECT * FROM unnest($1::int8[], $2::int8[])
    ON CONFLICT (game) DO UPDATE SET at = excluded.at, held_until = 0";

/// What many writes append, column by column. Rows stand in the order of their keys: two batches that took theirs in other
/// orders would wait for each other.
#[derive(Default)]
pub struct Batch<'w> {
    rows: Vec<(GameKey, &'w Entry)>,
    claims: Vec<(&'w NewClaim, GameKey, u64, u64)>,
    due: Vec<(i64, i64)>,
    not_due: Vec<i64>,
}

impl<'w> Batch<'w> {
    /// The batch of these writes, each of which only appends.
    pub fn of(writes: impl IntoIterator<Item = &'w Write>) -> Self {
        let mut batch = Self::default();
        for change in writes.into_iter().flat_map(|write| &write.changes) {
            match change {
                Change::Append { game, entries, claim } => batch.append(*game, entries, claim.as_ref()),
                Change::SetDeadline { game, at: Some(at) } => batch.due.push((game.0, at.cast_signed())),
                Change::SetDeadline { game, at: None } => batch.not_due.push(game.0),
                _ => {}
            }
        }
        batch.rows.sort_unstable_by_key(|(game, entry)| (*game, entry.seq));
        batch.claims.sort_unstable_by_key(|(claim, ..)| claim.digest);
        batch.due.sort_unstable();
        batch.not_due.sort_unstable();
        batch
    }

    fn append(&mut self, game: GameKey, entries: &'w [Entry], claim: Option<&'w (u64, NewClaim)>) {
        let last = entries.last().map_or(0, |entry| entry.seq);
        self.rows.extend(entries.iter().map(|entry| (game, entry)));
        self.claims.extend(claim.map(|(seq, claim)| (claim, game, *seq, last)));
    }

    /// Whether a write only appends, so that it can be written with others.
    pub fn takes(write: &Write) -> bool {
        let only_appends =
            |change: &Change| matches!(change, Change::Append { .. } | Change::SetDeadline { .. });
        write.changes.iter().all(only_appends)
    }

    async fn write_log(&self, link: &Link, at: i64) -> Result<(), tokio_postgres::Error> {
        let games: Vec<i64> = self.rows.iter().map(|(game, _)| game.0).collect();
        let seqs: Vec<i32> = self.rows.iter().map(|(_, entry)| small(entry.seq)).collect();
        let column = |part: fn(&Entry) -> &[u8]| -> Vec<&[u8]> {
            self.rows.iter().map(|(_, entry)| part(entry)).collect()
        };
        let (xs, heads, bodies) =
            (column(|entry| &entry.x), column(|entry| &entry.head), column(|entry| &entry.body));
        let secrets: Vec<Option<&[u8]>> =
            self.rows.iter().map(|(_, entry)| entry.secret.as_deref()).collect();
        let values: [Value<'_>; 7] = [&games, &seqs, &at, &xs, &heads, &bodies, &secrets];
        link.execute(LOG, &values).await.map(|_| ())
    }

    async fn write_claims(&self, link: &Link) -> Result<(), tokio_postgres::Error> {
        if self.claims.is_empty() {
            return Ok(());
        }
        let digests: Vec<&[u8]> = self.claims.iter().map(|(claim, ..)| &claim.digest[..]).collect();
        let prints: Vec<&[u8]> = self.claims.iter().map(|(claim, ..)| &claim.fingerprint[..]).collect();
        let times: Vec<i64> = self.claims.iter().map(|(claim, ..)| claim.at.cast_signed()).collect();
        let games: Vec<i64> = self.claims.iter().map(|(_, game, ..)| game.0).collect();
        let seqs: Vec<i32> = self.claims.iter().map(|(.., seq, _)| small(*seq)).collect();
        let lasts: Vec<i32> = self.claims.iter().map(|(.., last)| small(*last)).collect();
        let values: [Value<'_>; 6] = [&digests, &prints, &times, &games, &seqs, &lasts];
        link.execute(CLAIMS, &values).await.map(|_| ())
    }

    async fn write_due(&self, link: &Link) -> Result<(), tokio_postgres::Error> {
        if !self.due.is_empty() {
            let (games, times): (Vec<i64>, Vec<i64>) = self.due.iter().copied().unzip();
            link.execute(DUE, &[&games, &times]).await?;
        }
        if !self.not_due.is_empty() {
            link.execute("DELETE FROM due WHERE game = ANY($1)", &[&self.not_due]).await?;
        }
        Ok(())
    }

    /// Writes all of it in one transaction. All that it takes is sent before the first answer is there: where one statement
    /// fails, those behind it do nothing, and the commit takes everything back.
    pub async fn carry_out(&self, link: &Link, (id, at): (Uuid, i64)) -> Result<(), tokio_postgres::Error> {
        let done = link.prepared("INSERT INTO done (id, at) VALUES ($1, $2)").await?;
        for statement in [LOG, CLAIMS, DUE, "DELETE FROM due WHERE game = ANY($1)"] {
            link.prepared(statement).await?;
        }
        let values: [Value<'_>; 2] = [&id, &at];
        let written = tokio::join!(
            link.run("BEGIN"),
            link.execute_prepared(&done, &values),
            self.write_claims(link),
            self.write_log(link, at),
            self.write_due(link),
            link.run("COMMIT"),
        );
        let all = [written.0, written.1.map(|_| ()), written.2, written.3, written.4, written.5];
        match all.into_iter().find_map(Result::err) {
            Some(error) if doubled(&error) == Some("done_pkey") => Ok(()),
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// A seq, which has room in four bytes.
fn small(seq: u64) -> i32 {
    i32::try_from(seq).unwrap_or(i32::MAX)
}

/// Appends to one game, in a transaction that is under way.
pub async fn one(
    transaction: &Transaction<'_>,
    game: GameKey,
    entries: &[Entry],
    claim: Option<&(u64, NewClaim)>,
) -> Result<(), Fail> {
    let mut batch = Batch::default();
    batch.append(game, entries, claim);
    if let Some((_, claim)) = claim {
        // One that was forgotten by its time makes room.
        let stale = "DELETE FROM claim WHERE digest = $1 AND at < $2";
        transaction.run(stale, &[&&claim.digest[..], &whole(claim.fresh_since)]).await?;
    }
    batch.write_claims(transaction.link).await?;
    Ok(batch.write_log(transaction.link, transaction.at).await?)
}

/// Keeps the answer to a request that wrote nothing.
pub async fn keep(transaction: &Transaction<'_>, refusal: &Refusal) -> Result<(), Fail> {
    let Refusal { player, key, claim, body } = refusal;
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

/// What a unique index has refused means for whoever appends.
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

/// Forgets what is older than this, some at a time; nobody waits for rows that somebody else forgets.
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
        let entry = Entry { seq, x: [0; 32], head: [0; 32], body: Vec::new(), secret: None };
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
        assert!(batch.due.is_sorted());
        assert_eq!((batch.rows.len(), batch.claims.len(), batch.due.len()), (3, 3, 3));
    }

    #[test]
    fn what_does_more_than_append_is_written_alone() {
        let more = write(1, 1, 1).and(Change::FreeSeat { game: GameKey(1), seat: 0 });
        assert!(Batch::takes(&write(1, 1, 1)) && !Batch::takes(&more));
    }
}
