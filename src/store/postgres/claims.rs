//! Idempotency keys: the outcomes of requests, so that a repetition gets the same answer.

use super::{
    Postgres, append,
    batcher::{Batched, place},
    columns::{get, opt, whole},
    link::{Fail, PooledLine, again},
};
use crate::store::{ClaimOutcome, Kept, NewClaim, PlayerKey, StoreError, traits::ClaimStore};

/// How long transactions are known by their names: much longer than one is retried.
const DONE_MS: i64 = 60 * 60 * 1_000;

/// A question for the outcome of a request.
pub struct AskClaim {
    pub player: PlayerKey,
    pub key: String,
    pub claim: NewClaim,
}

impl Batched for AskClaim {
    type Answer = Option<ClaimOutcome>;

    async fn ask(line: &PooledLine, questions: &[Self]) -> Result<Vec<Self::Answer>, StoreError> {
        let digests: Vec<&[u8]> = questions.iter().map(|asked| &asked.claim.digest[..]).collect();
        let players: Vec<i64> = questions.iter().map(|asked| asked.player.0).collect();
        let keys: Vec<&str> = questions.iter().map(|asked| &*asked.key).collect();
        let since: Vec<i64> = questions.iter().map(|asked| whole(asked.claim.fresh_since).0).collect();
        let query = "SELECT asked.place, coalesce(claim.fingerprint, answer.fingerprint), game.uuid, claim.seq, claim.last, answer.body
            FROM unnest($1::bytea[], $2::int8[], $3::text[], $4::int8[])
                WITH ORDINALITY AS asked (digest, player, key, since, place)
            LEFT JOIN claim ON claim.digest = asked.digest AND claim.at >= asked.since
            LEFT JOIN game ON game.id = claim.game
            LEFT JOIN answer ON answer.player = asked.player AND answer.key = asked.key AND answer.at >= asked.since
            WHERE claim.digest IS NOT NULL OR answer.body IS NOT NULL";
        let mut answers: Vec<Self::Answer> = questions.iter().map(|_| None).collect();
        for row in line.query(query, &[&digests, &players, &keys, &since]).await? {
            let place = place(&row, 0)?;
            let kept = match opt(&row, 2)? {
                Some(game) => Kept::Entry { game, seq: get(&row, 3)?, last: get(&row, 4)? },
                None => Kept::Body(get(&row, 5)?),
            };
            if let Some(answer) = answers.get_mut(place) {
                *answer = Some(ClaimOutcome { fingerprint: get(&row, 1)?, kept });
            }
        }
        Ok(answers)
    }
}

impl ClaimStore for Postgres {
    async fn claim(
        &self,
        player: PlayerKey,
        key: &str,
        claim: &NewClaim,
    ) -> Result<Option<ClaimOutcome>, StoreError> {
        self.claims.ask(AskClaim { player, key: key.to_owned(), claim: claim.clone() }).await
    }

    async fn forget_claims(&self, before: u64) -> Result<(), StoreError> {
        let (before, done) = (before.cast_signed(), self.at() - DONE_MS);
        Ok(again!(self.reader(), link => append::forget(&link, before, done).await.map_err(Fail::Wire))?)
    }
}
