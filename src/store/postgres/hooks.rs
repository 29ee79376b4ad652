//! Hooks and deliveries. Due deliveries are given to one server for a while.

use tokio_postgres::Row;
use uuid::Uuid;

use super::{
    Postgres,
    columns::{Int, get, opt, whole},
    link::Fail,
    link::Value,
    transaction::Transaction,
};
use crate::store::{
    Change, DeliveryKey, DeliveryRow, Fate, GameKey, HookChange, HookHealth, HookKey, HookRow, NewDelivery,
    PlayerKey, QuietRow, StoreError, Write, sql,
    traits::{Database as _, HookStore},
};
use crate::words::HookState;

pub async fn apply(transaction: &Transaction<'_>, change: &HookChange) -> Result<(), Fail> {
    let run =
        async |statement: &str, values: &[Value<'_>]| transaction.run(statement, values).await.map(|_| ());
    match change {
        HookChange::Add(row) => add(transaction, row).await?,
        HookChange::SetSettings { hook, settings } => {
            run(sql::SET_HOOK_SETTINGS.postgres, &[hook, settings]).await?;
        }
        HookChange::SetState { hook, state, health } => {
            let HookHealth { failing_since, failures, rests_until } = *health;
            let set = sql::SET_HOOK_STATE.postgres;
            let values: [Value<'_>; 5] =
                [hook, state, &failing_since.map(whole), &Int(failures.into()), &whole(rests_until)];
            run(set, &values).await?;
            if *state == HookState::Off {
                let given_up = sql::GIVE_UP_DELIVERIES.postgres;
                run(given_up, &[hook]).await?;
            }
        }
        HookChange::SetHealth { hook, health: HookHealth { failing_since, failures, rests_until } } => {
            let set = sql::SET_HOOK_HEALTH.postgres;
            let values: [Value<'_>; 4] =
                [hook, &failing_since.map(whole), &Int((*failures).into()), &whole(*rests_until)];
            return run(set, &values).await;
        }
        HookChange::Remove { hook } => {
            run(sql::DELETE_DELIVERIES_OF_HOOK.postgres, &[hook]).await?;
            run(sql::DELETE_HOOK.postgres, &[hook]).await?;
        }
        HookChange::SetQuiet { player, quiet: QuietRow { utc_offset, hours } } => {
            let (from, to) = hours.unzip();
            let int = |minute: Option<u16>| minute.map(|minute| Int(minute.into()));
            let set = "INSERT INTO quiet (player, utc_offset, from_minute, to_minute) VALUES ($1, $2, $3, $4)
                ON CONFLICT (player) DO UPDATE SET utc_offset = excluded.utc_offset,
                    from_minute = excluded.from_minute, to_minute = excluded.to_minute";
            return run(set, &[player, utc_offset, &int(from), &int(to)]).await;
        }
        HookChange::Deliver(deliveries) => return deliver(transaction, deliveries).await,
        HookChange::Settle { deliveries, due, fate } => {
            return settle(transaction, deliveries, *due, fate).await;
        }
        HookChange::Forget { before, unproved_before } => {
            run(sql::DELETE_OLD_DELIVERIES.postgres, &[&whole(*before)]).await?;
            let unproved = "FROM hook WHERE state = 'unproved' AND created_at < $1";
            let values: [Value<'_>; 1] = [&whole(*unproved_before)];
            run(&format!("DELETE FROM delivery WHERE hook IN (SELECT id {unproved})"), &values).await?;
            run(&format!("DELETE {unproved}"), &values).await?;
        }
    }
    changed(transaction).await
}

/// Increases the hook revision, so that every server loads the change before sending more.
async fn changed(transaction: &Transaction<'_>) -> Result<(), Fail> {
    transaction.run("UPDATE ledger SET hooks = hooks + 1", &[]).await.map(|_| ())
}

/// Deletes all hooks and quiet hours of a player.
pub async fn remove_of(transaction: &Transaction<'_>, player: PlayerKey) -> Result<(), Fail> {
    transaction.run(sql::DELETE_DELIVERIES_OF_PLAYER.postgres, &[&player]).await?;
    let gone = transaction.run(sql::DELETE_HOOKS_OF_PLAYER.postgres, &[&player]).await?;
    transaction.run(sql::DELETE_QUIET.postgres, &[&player]).await?;
    if gone > 0 { changed(transaction).await } else { Ok(()) }
}

async fn add(transaction: &Transaction<'_>, row: &HookRow) -> Result<(), Fail> {
    let HookRow { key, id, player, game, way, target, secret, settings, state, health: _, created_at } = row;
    let add = sql::ADD_HOOK.postgres;
    let values: [Value<'_>; 10] =
        [key, id, player, game, way, target, &&secret[..], settings, state, &whole(*created_at)];
    transaction.run(add, &values).await.map(|_| ())
}

/// Adds deliveries, except for hooks that were deleted meanwhile. The server that writes a message sends it.
async fn deliver(transaction: &Transaction<'_>, deliveries: &[NewDelivery]) -> Result<(), Fail> {
    let ids: Vec<i64> = deliveries.iter().map(|_| transaction.numbers.next()).collect();
    let hooks: Vec<i64> = deliveries.iter().map(|one| one.hook.0).collect();
    let messages: Vec<&str> = deliveries.iter().map(|one| &*one.message).collect();
    let bodies: Vec<&str> = deliveries.iter().map(|one| &*one.body).collect();
    let times = |time: fn(&NewDelivery) -> u64| -> Vec<i64> {
        deliveries.iter().map(|one| time(one).cast_signed()).collect()
    };
    let deliver = "INSERT INTO delivery (id, hook, message, body, at, due)
        SELECT new.id, hook.id, message, body, at, due
        FROM unnest($1::int8[], $2::int8[], $3::text[], $4::text[], $5::int8[], $6::int8[])
            AS new (id, hook, message, body, at, due)
        JOIN hook ON hook.id = new.hook ORDER BY hook.id, message
        ON CONFLICT DO NOTHING";
    let values: [Value<'_>; 6] =
        [&ids, &hooks, &messages, &bodies, &times(|one| one.at), &times(|one| one.due)];
    transaction.run(deliver, &values).await.map(|_| ())
}

async fn settle(
    transaction: &Transaction<'_>,
    deliveries: &[DeliveryKey],
    due: Option<u64>,
    fate: &Fate,
) -> Result<(), Fail> {
    let Fate { tries, outcome, failure, status, tried_at } = *fate;
    let keys: Vec<i64> = deliveries.iter().map(|key| key.0).collect();
    let settle =
        "UPDATE delivery SET due = $2, tries = $3, outcome = $4, failure = $5, status = $6, tried_at = $7,
        held_by = NULL WHERE id = ANY($1)";
    let values: [Value<'_>; 7] = [
        &keys,
        &due.map(whole),
        &Int(tries.into()),
        &outcome,
        &failure,
        &status.map(|status| Int(status.into())),
        &tried_at.map(whole),
    ];
    transaction.run(settle, &values).await.map(|_| ())
}

const HOOK: &str = sql::HOOKS.postgres;
const DELIVERY: &str = "id, message, body, at, due, tries, outcome, failure, status, tried_at";
/// Deliveries for server $1: its own, and those of silent servers.
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
        health: HookHealth {
            failing_since: opt(row, 9)?,
            failures: get(row, 10)?,
            rests_until: get(row, 11)?,
        },
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

    pub async fn has_deliveries_before(&self, before: u64, unproved_before: u64) -> Result<bool, StoreError> {
        let query = sql::HAS_OLD_DELIVERIES.postgres;
        self.is(query, &[&whole(before), &whole(unproved_before)]).await
    }
}

impl HookStore for Postgres {
    async fn forget_deliveries(&self, before: u64, unproved_before: u64) -> Result<(), StoreError> {
        if self.has_deliveries_before(before, unproved_before).await? {
            self.write(Write::of(Change::Hook(HookChange::Forget { before, unproved_before }))).await?;
        }
        Ok(())
    }

    fn new_hook_key(&self) -> HookKey {
        HookKey(self.numbers.next())
    }

    async fn hooks(&self) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("ORDER BY id", &[]).await
    }

    async fn hooks_of_player(&self, player: PlayerKey) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("WHERE player = $1 ORDER BY id", &[&player]).await
    }

    async fn hooks_of_game(&self, game: GameKey) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("WHERE game = $1 ORDER BY id", &[&game]).await
    }

    async fn hook(&self, key: HookKey) -> Result<Option<HookRow>, StoreError> {
        Ok(self.hooks_where("WHERE id = $1", &[&key]).await?.pop())
    }

    async fn hook_by_id(&self, id: Uuid) -> Result<Option<HookRow>, StoreError> {
        Ok(self.hooks_where("WHERE uuid = $1", &[&id]).await?.pop())
    }

    async fn deliveries_due(
        &self,
        of: HookKey,
        now: u64,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
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

    async fn deliveries(
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

    async fn delivery(&self, of: HookKey, message: &str) -> Result<Option<DeliveryRow>, StoreError> {
        let query = format!("SELECT {DELIVERY} FROM delivery WHERE hook = $1 AND message = $2");
        self.one(&query, &[&of, &message], delivery).await
    }

    async fn hooks_due(&self) -> Result<Vec<(HookKey, u64)>, StoreError> {
        let query = format!(
            "SELECT hook, min(due) FROM delivery WHERE due IS NOT NULL AND {FREE} GROUP BY hook ORDER BY 2"
        );
        self.all(&query, &[&self.node, &self.at()], |row| Ok((get(row, 0)?, get(row, 1)?))).await
    }

    async fn next_due(&self, of: HookKey) -> Result<Option<u64>, StoreError> {
        let query = format!("SELECT min(due) FROM delivery WHERE hook = $3 AND due IS NOT NULL AND {FREE}");
        Ok(self.one(&query, &[&self.node, &self.at(), &of], |row| opt(row, 0)).await?.flatten())
    }

    async fn quiet(&self, player: PlayerKey) -> Result<QuietRow, StoreError> {
        let query = sql::QUIET_OF_PLAYER.postgres;
        let quiet = |row: &Row| {
            let hours = opt(row, 1)?.zip(opt(row, 2)?);
            Ok(QuietRow { utc_offset: get(row, 0)?, hours })
        };
        Ok(self.one(query, &[&player], quiet).await?.unwrap_or_default())
    }
}
