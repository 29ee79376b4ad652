//! Hooks and deliveries, written.

use super::{
    columns::{Int, whole},
    link::{Fail, Value},
    transaction::Transaction,
};
use crate::{
    store::{DeliveryKey, Fate, Health, HookChange, HookRow, NewDelivery, PlayerKey, QuietRow},
    words::HookState,
};

pub async fn apply(transaction: &Transaction<'_>, change: &HookChange) -> Result<(), Fail> {
    let run =
        async |statement: &str, values: &[Value<'_>]| transaction.run(statement, values).await.map(|_| ());
    match change {
        HookChange::Add(row) => add(transaction, row).await?,
        HookChange::SetSettings { hook, settings } => {
            run("UPDATE hook SET settings = $2 WHERE id = $1", &[hook, settings]).await?;
        }
        HookChange::SetState { hook, state, health } => {
            let Health { failing_since, failures, rests_until } = *health;
            let set = "UPDATE hook SET state = $2, failing_since = $3, failures = $4, rests_until = $5 WHERE id = $1";
            let values: [Value<'_>; 5] =
                [hook, state, &failing_since.map(whole), &Int(failures.into()), &whole(rests_until)];
            run(set, &values).await?;
            if *state == HookState::Off {
                let given_up =
                    "UPDATE delivery SET due = NULL, outcome = 'failed' WHERE hook = $1 AND due IS NOT NULL";
                run(given_up, &[hook]).await?;
            }
        }
        HookChange::SetHealth { hook, health: Health { failing_since, failures, rests_until } } => {
            let set = "UPDATE hook SET failing_since = $2, failures = $3, rests_until = $4 WHERE id = $1";
            let values: [Value<'_>; 4] =
                [hook, &failing_since.map(whole), &Int((*failures).into()), &whole(*rests_until)];
            return run(set, &values).await;
        }
        HookChange::Remove { hook } => {
            run("DELETE FROM delivery WHERE hook = $1", &[hook]).await?;
            run("DELETE FROM hook WHERE id = $1", &[hook]).await?;
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
            run("DELETE FROM delivery WHERE due IS NULL AND at < $1", &[&whole(*before)]).await?;
            let unproved = "FROM hook WHERE state = 'unproved' AND created_at < $1";
            let values: [Value<'_>; 1] = [&whole(*unproved_before)];
            run(&format!("DELETE FROM delivery WHERE hook IN (SELECT id {unproved})"), &values).await?;
            run(&format!("DELETE {unproved}"), &values).await?;
        }
    }
    changed(transaction).await
}

/// Every node is to know of it before it tells anything.
async fn changed(transaction: &Transaction<'_>) -> Result<(), Fail> {
    transaction.run("UPDATE ledger SET hooks = hooks + 1", &[]).await.map(|_| ())
}

/// Takes away all that a player is told by.
pub async fn remove_of(transaction: &Transaction<'_>, player: PlayerKey) -> Result<(), Fail> {
    transaction
        .run("DELETE FROM delivery WHERE hook IN (SELECT id FROM hook WHERE player = $1)", &[&player])
        .await?;
    let gone = transaction.run("DELETE FROM hook WHERE player = $1", &[&player]).await?;
    transaction.run("DELETE FROM quiet WHERE player = $1", &[&player]).await?;
    if gone > 0 { changed(transaction).await } else { Ok(()) }
}

async fn add(transaction: &Transaction<'_>, row: &HookRow) -> Result<(), Fail> {
    let HookRow { key, id, player, game, way, target, secret, settings, state, health: _, created_at } = row;
    let add = "INSERT INTO hook (id, uuid, player, game, way, target, secret, settings, state, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let values: [Value<'_>; 10] =
        [key, id, player, game, way, target, &&secret[..], settings, state, &whole(*created_at)];
    transaction.run(add, &values).await.map(|_| ())
}

/// A hook that was taken away meanwhile is told nothing. Who writes a message sends it.
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
