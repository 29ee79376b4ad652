//! Idempotency keys: the outcomes of requests, so that a repetition gets the same answer.

use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::{
    Reads, Sqlite,
    claim_index::{ClaimIndex, KNOWN},
    columns::Whole,
    queue::WriterJob,
};
use crate::store::{
    ClaimOutcome, GameKey, Kept, KeptAnswer, NewClaim, OnCommit, PlayerKey, StoreError, traits::ClaimStore,
};

/// Stored answers. The oldest are deleted first.
const MOST_ANSWERS: u32 = 100_000;
/// Claims deleted per write.
const AT_ONCE: u32 = 5_000;

/// A claim in the row of its entry.
pub struct LoggedClaim {
    pub digest: [u8; 16],
    pub fingerprint: [u8; 16],
    pub at: u64,
    /// Last entry of the commit.
    pub last: u64,
}

impl LoggedClaim {
    pub fn new(claim: &NewClaim, last: u64) -> Self {
        let NewClaim { digest, fingerprint, at, .. } = *claim;
        Self { digest, fingerprint, at, last }
    }

    pub fn to_bytes(&self) -> [u8; 48] {
        let mut bytes = [0; 48];
        bytes[..16].copy_from_slice(&self.digest);
        bytes[16..32].copy_from_slice(&self.fingerprint);
        bytes[32..40].copy_from_slice(&self.at.to_be_bytes());
        bytes[40..].copy_from_slice(&self.last.to_be_bytes());
        bytes
    }

    pub fn read(bytes: &[u8]) -> Result<Self, StoreError> {
        let parts = || {
            let (digest, rest) = bytes.split_first_chunk()?;
            let (fingerprint, rest) = rest.split_first_chunk()?;
            let (at, last) = rest.split_first_chunk()?;
            let (at, last) = (u64::from_be_bytes(*at), u64::from_be_bytes(last.try_into().ok()?));
            Some(Self { digest: *digest, fingerprint: *fingerprint, at, last })
        };
        parts().ok_or_else(|| StoreError::Corrupt("a claim in the log is cut short".into()))
    }
}

/// A claim whose entry moves into a segment, and its row in the log.
pub struct SweptClaim {
    pub row: i64,
    pub game: GameKey,
    pub seq: u64,
    pub claim: LoggedClaim,
}

impl SweptClaim {
    /// Writes the claim, unless an interrupted compaction has written it.
    pub fn add(&self, connection: &Connection) -> Result<(), StoreError> {
        let Self { row, game, seq, claim: LoggedClaim { digest, fingerprint, at, last } } = self;
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO claim (id, digest, fingerprint, at, game, seq, last)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![row, digest, fingerprint, Whole(*at), game, Whole(*seq), Whole(*last)])?;
        Ok(())
    }
}

/// Reads swept claims into the index, as far back as it reaches.
pub fn scan(connection: &Connection, index: &mut ClaimIndex) -> Result<(), StoreError> {
    let mut query = connection
        .prepare("SELECT id, digest, at FROM (SELECT * FROM claim ORDER BY id DESC LIMIT ?1) ORDER BY id")?;
    let mut rows = query.query([KNOWN])?;
    while let Some(row) = rows.next()? {
        let (digest, Whole(at)) = (row.get(1)?, row.get(2)?);
        index.push(&digest, row.get(0)?, at);
    }
    Ok(())
}

/// Stores the answer to a request that wrote no entry.
pub fn keep(connection: &Connection, answer: &KeptAnswer) -> Result<(), StoreError> {
    let KeptAnswer { player, key, claim, body } = answer;
    // The column has the size of a SHA-256. A claim has its first half.
    let mut fingerprint = [0; 32];
    fingerprint[..16].copy_from_slice(&claim.fingerprint);
    let kept = connection
        .prepare_cached(
            "INSERT INTO answer (player, key, fingerprint, body, at) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (player, key) DO UPDATE SET fingerprint = ?3, body = ?4, at = ?5 WHERE at < ?6",
        )?
        .execute(params![player, key, fingerprint, body, Whole(claim.at), Whole(claim.fresh_since)])?;
    if kept == 0 { Err(StoreError::ClaimStands) } else { Ok(()) }
}

/// Deletes some claims: older than a time, too many, or out of reach of the index.
pub fn forget(connection: &Connection, before: u64, first: i64) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "DELETE FROM answer WHERE (player, key) IN
             (SELECT player, key FROM answer WHERE at < ?1 OR at <= ?3 ORDER BY at LIMIT ?2)",
        )?
        .execute(params![Whole(before), AT_ONCE, too_many(connection)?])?;
    // Rows are nearly in the order of time.
    connection
        .prepare_cached(
            "DELETE FROM claim WHERE id IN (SELECT id FROM claim ORDER BY id LIMIT ?2) AND (at < ?1 OR id < ?3)",
        )?
        .execute(params![Whole(before), AT_ONCE, first])?;
    Ok(())
}

/// Returns the time up to which answers are too many.
fn too_many(connection: &Connection) -> Result<i64, StoreError> {
    let query = "SELECT at FROM answer ORDER BY at DESC LIMIT 1 OFFSET ?1";
    let found = connection.prepare_cached(query)?.query_row([MOST_ANSWERS], |row| row.get(0));
    Ok(found.optional()?.unwrap_or(-1))
}

/// Returns the time of the newest stored answer.
pub fn newest_answer(connection: &Connection) -> Result<u64, StoreError> {
    let newest: Option<Whole> = connection.query_row("SELECT max(at) FROM answer", [], |row| row.get(0))?;
    Ok(newest.map_or(0, |at| at.0))
}

impl Reads {
    pub fn claim(
        &self,
        player: PlayerKey,
        key: &str,
        claim: &NewClaim,
    ) -> Result<Option<ClaimOutcome>, StoreError> {
        let row = self.index.with(|index| index.claims.row(&claim.digest, claim.fresh_since));
        let has_answers = self.index.has_answers(claim.fresh_since);
        if row.is_none() && !has_answers {
            return Ok(None);
        }
        self.readers.read(|connection| {
            let found = row.map(|row| standing(connection, row, claim)).transpose()?.flatten();
            if found.is_none() && has_answers { answered(connection, player, key, claim) } else { Ok(found) }
        })
    }

    pub fn has_claims_before(&self, before: u64) -> Result<bool, StoreError> {
        let first = self.index.with(|index| index.claims.first());
        self.readers.read(|connection| {
            let query = "SELECT EXISTS (SELECT 1 FROM answer WHERE at < ?1 OR at <= ?3)
                OR coalesce((SELECT at < ?1 FROM claim ORDER BY id LIMIT 1), false)
                OR coalesce((SELECT id < ?2 FROM claim ORDER BY id LIMIT 1), false)";
            Ok(connection
                .prepare_cached(query)?
                .query_row(params![Whole(before), first, too_many(connection)?], |row| row.get(0))?)
        })
    }
}

/// Returns the claim in a row of the log, or of the table of swept claims.
fn standing(connection: &Connection, row: i64, claim: &NewClaim) -> Result<Option<ClaimOutcome>, StoreError> {
    let query = "SELECT uuid, log.seq, claim FROM log JOIN game ON game.id = log.game
        WHERE log.id = ?1 AND claim IS NOT NULL";
    let logged = connection.prepare_cached(query)?.query_row([row], |row| {
        Ok((Uuid::from_bytes(row.get(0)?), row.get::<_, Whole>(1)?.0, row.get::<_, Vec<u8>>(2)?))
    });
    let (found, game, seq) = match logged.optional()? {
        Some((game, seq, bytes)) => (LoggedClaim::read(&bytes)?, game, seq),
        None => match swept(connection, row)? {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    let kept = Kept::Entry { game, seq, last: found.last };
    Ok((found.digest == claim.digest).then_some(ClaimOutcome { fingerprint: found.fingerprint, kept }))
}

fn swept(connection: &Connection, row: i64) -> Result<Option<(LoggedClaim, Uuid, u64)>, StoreError> {
    let query = "SELECT digest, fingerprint, at, last, uuid, claim.seq
        FROM claim JOIN game ON game.id = claim.game WHERE claim.id = ?1";
    let found = connection.prepare_cached(query)?.query_row([row], |row| {
        let (Whole(at), Whole(last), Whole(seq)) = (row.get(2)?, row.get(3)?, row.get(5)?);
        let claim = LoggedClaim { digest: row.get(0)?, fingerprint: row.get(1)?, at, last };
        Ok((claim, Uuid::from_bytes(row.get(4)?), seq))
    });
    Ok(found.optional()?)
}

fn answered(
    connection: &Connection,
    player: PlayerKey,
    key: &str,
    claim: &NewClaim,
) -> Result<Option<ClaimOutcome>, StoreError> {
    let query = "SELECT fingerprint, body FROM answer WHERE player = ?1 AND key = ?2 AND at >= ?3";
    let found =
        connection.prepare_cached(query)?.query_row(params![player, key, Whole(claim.fresh_since)], |row| {
            let (whole, body): ([u8; 32], _) = (row.get(0)?, row.get(1)?);
            let mut fingerprint = [0; 16];
            fingerprint.copy_from_slice(&whole[..16]);
            Ok(ClaimOutcome { fingerprint, kept: Kept::Body(body) })
        });
    Ok(found.optional()?)
}

impl ClaimStore for Sqlite {
    async fn claim(
        &self,
        player: PlayerKey,
        key: &str,
        claim: &NewClaim,
    ) -> Result<Option<ClaimOutcome>, StoreError> {
        self.reads.claim(player, key, claim)
    }

    async fn forget_claims(&self, before: u64) -> Result<(), StoreError> {
        while self.reads.has_claims_before(before)? {
            self.queue.put(WriterJob::ForgetClaims { before }, OnCommit::nothing())?.outcome().await?;
        }
        Ok(())
    }
}
