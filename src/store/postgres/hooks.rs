//! Hooks and deliveries, read back. What is due is given to one node, which has a while to send it.

use tokio_postgres::Row;

use super::{
    Postgres,
    columns::{Int, get, opt, whole},
    link::Value,
};
use crate::store::{
    DeliveryKey, DeliveryRow, Fate, Health, HookKey, HookRow, PlayerKey, QuietRow, StoreError,
};

const HOOK: &str = "SELECT id, uuid, player, game, way, target, secret, settings, state, failing_since, failures, rests_until,
     created_at FROM hook";
const DELIVERY: &str = "id, message, body, at, due, tries, outcome, failure, status, tried_at";
/// What nobody sends, but for the server $1: whoever does is heard of every few seconds.
const FREE: &str = "(held_by IS NULL OR held_by = $1 OR NOT EXISTS
    (SELECT 1 FROM node WHERE node.id = held_by AND seen > $2::int8 - 10000))";

fn hook(row: &Row) -> Result<HookRow, StoreError> {
    Ok(HookRow {
        key: get(row, 0)?,
        id: get(row, 1)?,
        player: get(row, 2)?,
        game: opt(row, 3)?,
        way: get(row, 4)?,
        target: get(row, 5)?,
        secret: get(row, 6)?,
        settings: get(row, 7)?,
        state: get(row, 8)?,
        health: Health { failing_since: opt(row, 9)?, failures: get(row, 10)?, rests_until: get(row, 11)? },
        created_at: get(row, 12)?,
    })
}

fn delivery(row: &Row) -> Result<DeliveryRow, StoreError> {
    Ok(DeliveryRow {
        key: get(row, 0)?,
        message: get(row, 1)?,
        body: get(row, 2)?,
        at: get(row, 3)?,
        due: opt(row, 4)?,
        fate: Fate {
            tries: get(row, 5)?,
            outcome: opt(row, 6)?,
            failure: opt(row, 7)?,
            status: opt(row, 8)?,
            tried_at: opt(row, 9)?,
        },
    })
}

impl Postgres {
    pub async fn hooks_where(
        &self,
        condition: &str,
        values: &[Value<'_>],
    ) -> Result<Vec<HookRow>, StoreError> {
        self.all(&format!("{HOOK} {condition}"), values, hook).await
    }

    pub async fn hold_due(&self, of: HookKey, now: u64, limit: u32) -> Result<Vec<DeliveryRow>, StoreError> {
        let query = format!(
            "WITH held AS (
                UPDATE delivery SET held_by = $1 WHERE id IN (
                    SELECT id FROM delivery WHERE hook = $3 AND due <= $4 AND {FREE}
                    ORDER BY due, id LIMIT $5 FOR UPDATE SKIP LOCKED)
                RETURNING *)
             SELECT {DELIVERY} FROM held ORDER BY due, id"
        );
        self.all(&query, &[&self.node, &self.at(), &of, &whole(now), &Int(limit.into())], delivery).await
    }

    pub async fn deliveries_of(
        &self,
        of: HookKey,
        before: Option<DeliveryKey>,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let before = before.unwrap_or(DeliveryKey(i64::MAX));
        let query =
            format!("SELECT {DELIVERY} FROM delivery WHERE hook = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
        self.all(&query, &[&of, &before, &Int(limit.into())], delivery).await
    }

    pub async fn delivery_called(
        &self,
        of: HookKey,
        message: &str,
    ) -> Result<Option<DeliveryRow>, StoreError> {
        let query = format!("SELECT {DELIVERY} FROM delivery WHERE hook = $1 AND message = $2");
        self.one(&query, &[&of, &message], delivery).await
    }

    /// When each hook that has something to be sent, by this node or by anybody, is to send the first of it.
    pub async fn all_due(&self) -> Result<Vec<(HookKey, u64)>, StoreError> {
        let query = format!(
            "SELECT hook, min(due) FROM delivery WHERE due IS NOT NULL AND {FREE} GROUP BY hook ORDER BY 2"
        );
        self.all(&query, &[&self.node, &self.at()], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }

    pub async fn due_next(&self, of: HookKey) -> Result<Option<u64>, StoreError> {
        let query = format!("SELECT min(due) FROM delivery WHERE hook = $3 AND due IS NOT NULL AND {FREE}");
        Ok(self.one(&query, &[&self.node, &self.at(), &of], |row| opt(row, 0)).await?.flatten())
    }

    pub async fn has_deliveries_before(&self, before: u64, unproved_before: u64) -> Result<bool, StoreError> {
        let query = "SELECT EXISTS (SELECT 1 FROM delivery WHERE due IS NULL AND at < $1)
            OR EXISTS (SELECT 1 FROM hook WHERE state = 'unproved' AND created_at < $2)";
        self.is(query, &[&whole(before), &whole(unproved_before)]).await
    }

    pub async fn quiet_of(&self, player: PlayerKey) -> Result<QuietRow, StoreError> {
        let query = "SELECT utc_offset, from_minute, to_minute FROM quiet WHERE player = $1";
        let quiet = |row: &Row| {
            let hours = opt(row, 1)?.zip(opt(row, 2)?);
            Ok(QuietRow { utc_offset: get(row, 0)?, hours })
        };
        Ok(self.one(query, &[&player], quiet).await?.unwrap_or_default())
    }
}
