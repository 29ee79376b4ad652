//! Idempotency keys: what came of a request, so that a second one under its key is told the same.

use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::{Reads, columns::Whole};
use crate::store::{Claim, Kept, NewClaim, PlayerKey, Refusal, StoreError};

/// Swept claims are forgotten a period at a time: 6 hours, in milliseconds.
const PERIOD: u64 = 6 * 60 * 60 * 1_000;
/// How many claims are forgotten in one go.
const AT_ONCE: u32 = 5_000;

/// A claim as it stands in the row of its entry.
pub struct LoggedClaim {
    pub digest: [u8; 16],
    pub fingerprint: [u8; 16],
    pub at: u64,
    /// The last entry of the commit.
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

/// A claim whose entry goes into a segment.
pub struct SweptClaim {
    pub game: i64,
    pub seq: u64,
    pub claim: LoggedClaim,
}

impl SweptClaim {
    pub fn add(&self, connection: &Connection) -> Result<(), StoreError> {
        let Self { game, seq, claim: LoggedClaim { digest, fingerprint, at, last } } = self;
        connection
            .prepare_cached(
                "INSERT OR REPLACE INTO claim (period, digest, fingerprint, at, game, seq, last)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                Whole(at / PERIOD),
                digest,
                fingerprint,
                Whole(*at),
                game,
                Whole(*seq),
                Whole(*last)
            ])?;
        Ok(())
    }
}

/// Keeps the answer to a request that wrote nothing.
pub fn keep(connection: &Connection, refusal: &Refusal) -> Result<(), StoreError> {
    let Refusal { player, key, claim, body } = refusal;
    // The column has room for a whole SHA-256, of which a claim has the first half.
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

/// Forgets some of what came under keys before this time.
pub fn forget(connection: &Connection, before: u64) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "DELETE FROM answer WHERE (player, key) IN
             (SELECT player, key FROM answer WHERE at < ?1 ORDER BY at LIMIT ?2)",
        )?
        .execute(params![Whole(before), AT_ONCE])?;
    connection
        .prepare_cached(
            "DELETE FROM claim WHERE (period, digest) IN
             (SELECT period, digest FROM claim WHERE period < ?1 LIMIT ?2)",
        )?
        .execute(params![Whole(before / PERIOD), AT_ONCE])?;
    Ok(())
}

/// The time of the newest claim that does not stand in the log. Of swept ones the end of their period will do.
pub fn newest_beside(connection: &Connection) -> Result<u64, StoreError> {
    let answer: Option<Whole> = connection.query_row("SELECT max(at) FROM answer", [], |row| row.get(0))?;
    let swept: Option<Whole> = connection.query_row("SELECT max(period) FROM claim", [], |row| row.get(0))?;
    let (answer, swept) = (answer.map_or(0, |at| at.0), swept.map_or(0, |period| (period.0 + 1) * PERIOD));
    Ok(answer.max(swept))
}

impl Reads {
    pub fn claim(&self, player: PlayerKey, key: &str, claim: &NewClaim) -> Result<Option<Claim>, StoreError> {
        let row = self.index.with(|index| index.claim(&claim.digest, claim.fresh_since));
        if row.is_none() && !self.index.has_claims_beside(claim.fresh_since) {
            return Ok(None);
        }
        self.readers.read(|connection| {
            if let Some(found) = row.map(|row| logged(connection, row)).transpose()?.flatten() {
                return Ok(Some(found));
            }
            match swept(connection, claim)? {
                None => answered(connection, player, key, claim),
                found => Ok(found),
            }
        })
    }

    pub fn has_claims_before(&self, before: u64) -> Result<bool, StoreError> {
        self.readers.read(|connection| {
            let query = "SELECT EXISTS (SELECT 1 FROM answer WHERE at < ?1)
                OR EXISTS (SELECT 1 FROM claim WHERE period < ?2)";
            let values = params![Whole(before), Whole(before / PERIOD)];
            Ok(connection.prepare_cached(query)?.query_row(values, |row| row.get(0))?)
        })
    }
}

/// The claim in a row of the log. A sweep may have taken it along meanwhile.
fn logged(connection: &Connection, row: i64) -> Result<Option<Claim>, StoreError> {
    let query = "SELECT uuid, log.seq, claim FROM log JOIN game ON game.id = log.game WHERE log.id = ?1";
    let found = connection
        .prepare_cached(query)?
        .query_row([row], |row| {
            Ok((Uuid::from_bytes(row.get(0)?), row.get::<_, Whole>(1)?.0, row.get::<_, Vec<u8>>(2)?))
        })
        .optional()?;
    let Some((game, seq, bytes)) = found else { return Ok(None) };
    let LoggedClaim { fingerprint, last, .. } = LoggedClaim::read(&bytes)?;
    Ok(Some(Claim { fingerprint, kept: Kept::Entry { game, seq, last } }))
}

fn swept(connection: &Connection, claim: &NewClaim) -> Result<Option<Claim>, StoreError> {
    let mut query = connection.prepare_cached(
        "SELECT uuid, claim.seq, last, fingerprint FROM claim JOIN game ON game.id = claim.game
         WHERE period = ?1 AND digest = ?2 AND at >= ?3",
    )?;
    for period in (claim.fresh_since / PERIOD..=claim.at / PERIOD).rev() {
        let found = query
            .query_row(params![Whole(period), claim.digest, Whole(claim.fresh_since)], |row| {
                let (seq, last) = (row.get::<_, Whole>(1)?.0, row.get::<_, Whole>(2)?.0);
                let kept = Kept::Entry { game: Uuid::from_bytes(row.get(0)?), seq, last };
                Ok(Claim { fingerprint: row.get(3)?, kept })
            })
            .optional()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn answered(
    connection: &Connection,
    player: PlayerKey,
    key: &str,
    claim: &NewClaim,
) -> Result<Option<Claim>, StoreError> {
    let query = "SELECT fingerprint, body FROM answer WHERE player = ?1 AND key = ?2 AND at >= ?3";
    let found =
        connection.prepare_cached(query)?.query_row(params![player, key, Whole(claim.fresh_since)], |row| {
            let (whole, body): ([u8; 32], _) = (row.get(0)?, row.get(1)?);
            let mut fingerprint = [0; 16];
            fingerprint.copy_from_slice(&whole[..16]);
            Ok(Claim { fingerprint, kept: Kept::Body(body) })
        });
    Ok(found.optional()?)
}
