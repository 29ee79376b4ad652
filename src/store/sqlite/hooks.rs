//! Hooks and deliveries.

use std::sync::atomic::Ordering;

use crate::store::{Change, Write, sql};
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use uuid::Uuid;

use super::{Reads, Sqlite, columns::Whole};
use crate::{
    store::{
        DeliveryKey, DeliveryRow, Fate, GameKey, HookChange, HookHealth, HookKey, HookRow, NewDelivery,
        PlayerKey, QuietRow, StoreError,
        traits::{Database as _, HookStore},
    },
    words::HookState,
};

const HOOK: &str = sql::HOOKS.sqlite;
const DELIVERY: &str =
    "SELECT id, message, body, at, due, tries, outcome, failure, status, tried_at FROM delivery";

pub fn apply(connection: &Connection, change: &HookChange) -> Result<(), StoreError> {
    let run = |statement: &str, values: &[&dyn rusqlite::ToSql]| {
        connection.prepare_cached(statement)?.execute(values).map_err(StoreError::from)
    };
    match change {
        HookChange::Add(row) => add(connection, row),
        HookChange::SetSettings { hook, settings } => {
            run(sql::SET_HOOK_SETTINGS.sqlite, params![hook, settings]).map(|_| ())
        }
        HookChange::SetState { hook, state, health } => {
            let HookHealth { failing_since, failures, rests_until } = *health;
            let statement = sql::SET_HOOK_STATE.sqlite;
            let values = params![hook, state, failing_since.map(Whole), failures, Whole(rests_until)];
            run(statement, values)?;
            if *state == HookState::Off {
                let given_up = sql::GIVE_UP_DELIVERIES.sqlite;
                run(given_up, params![hook])?;
            }
            Ok(())
        }
        HookChange::SetHealth { hook, health } => {
            let HookHealth { failing_since, failures, rests_until } = *health;
            let statement = sql::SET_HOOK_HEALTH.sqlite;
            let values = params![hook, failing_since.map(Whole), failures, Whole(rests_until)];
            run(statement, values).map(|_| ())
        }
        HookChange::Remove { hook } => {
            run(sql::DELETE_DELIVERIES_OF_HOOK.sqlite, params![hook])?;
            run(sql::DELETE_HOOK.sqlite, params![hook]).map(|_| ())
        }
        HookChange::SetQuiet { player, quiet: QuietRow { utc_offset, hours } } => {
            let (from, to) = hours.unzip();
            let statement = "INSERT OR REPLACE INTO quiet (player, utc_offset, from_minute, to_minute) VALUES (?1, ?2, ?3, ?4)";
            run(statement, params![player, utc_offset, from, to]).map(|_| ())
        }
        HookChange::Deliver(deliveries) => deliver(connection, deliveries),
        HookChange::Settle { deliveries, due, fate: Fate { tries, outcome, failure, status, tried_at } } => {
            let statement = "UPDATE delivery SET due = ?2, tries = ?3, outcome = ?4, failure = ?5, status = ?6, tried_at = ?7
                 WHERE id = ?1";
            for delivery in deliveries {
                let (due, tried_at) = (due.map(Whole), tried_at.map(Whole));
                run(statement, params![delivery, due, tries, outcome, failure, status, tried_at])?;
            }
            Ok(())
        }
        HookChange::Forget { before, unproved_before } => {
            run(sql::DELETE_OLD_DELIVERIES.sqlite, params![Whole(*before)])?;
            let unproved = "FROM hook WHERE state = 'unproved' AND created_at < ?1";
            let values = params![Whole(*unproved_before)];
            run(&format!("DELETE FROM delivery WHERE hook IN (SELECT id {unproved})"), values)?;
            run(&format!("DELETE {unproved}"), values).map(|_| ())
        }
    }
}

/// Deletes all hooks and quiet hours of a player.
pub fn remove_of(connection: &Connection, player: PlayerKey) -> Result<(), StoreError> {
    for statement in [
        sql::DELETE_DELIVERIES_OF_PLAYER.sqlite,
        sql::DELETE_HOOKS_OF_PLAYER.sqlite,
        sql::DELETE_QUIET.sqlite,
    ] {
        connection.prepare_cached(statement)?.execute([player])?;
    }
    Ok(())
}

fn add(connection: &Connection, row: &HookRow) -> Result<(), StoreError> {
    let HookRow { key, id, player, game, way, target, secret, settings, state, health: _, created_at } = row;
    connection.prepare_cached(sql::ADD_HOOK.sqlite)?.execute(params![
        key,
        id.as_bytes(),
        player,
        game,
        way,
        target,
        secret,
        settings,
        state,
        Whole(*created_at)
    ])?;
    Ok(())
}

/// A hook that was deleted meanwhile gets no message.
fn deliver(connection: &Connection, deliveries: &[NewDelivery]) -> Result<(), StoreError> {
    let mut insert = connection.prepare_cached(
        "INSERT OR IGNORE INTO delivery (hook, message, body, at, due)
         SELECT id, ?2, ?3, ?4, ?5 FROM hook WHERE id = ?1",
    )?;
    for NewDelivery { hook, message, body, at, due } in deliveries {
        insert.execute(params![hook, message, body, Whole(*at), Whole(*due)])?;
    }
    Ok(())
}

fn hook(row: &Row) -> rusqlite::Result<HookRow> {
    let (Whole(rests_until), Whole(created_at)) = (row.get(11)?, row.get(12)?);
    let failing_since: Option<Whole> = row.get(9)?;
    Ok(HookRow {
        key: row.get(0)?,
        id: Uuid::from_bytes(row.get(1)?),
        player: row.get(2)?,
        game: row.get(3)?,
        way: row.get(4)?,
        target: row.get(5)?,
        secret: row.get(6)?,
        settings: row.get(7)?,
        state: row.get(8)?,
        health: HookHealth {
            failing_since: failing_since.map(|Whole(at)| at),
            failures: row.get(10)?,
            rests_until,
        },
        created_at,
    })
}

fn delivery(row: &Row) -> rusqlite::Result<DeliveryRow> {
    let (Whole(at), due, tried_at): (Whole, Option<Whole>, Option<Whole>) =
        (row.get(3)?, row.get(4)?, row.get(9)?);
    Ok(DeliveryRow {
        key: row.get(0)?,
        message: row.get(1)?,
        body: row.get(2)?,
        at,
        due: due.map(|Whole(due)| due),
        fate: Fate {
            tries: row.get(5)?,
            outcome: row.get(6)?,
            failure: row.get(7)?,
            status: row.get(8)?,
            tried_at: tried_at.map(|Whole(at)| at),
        },
    })
}

impl Reads {
    fn hooks_where(
        &self,
        condition: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<HookRow>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(&format!("{HOOK} {condition}"))?;
            let rows = query.query_map(values, hook)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn hooks(&self) -> Result<Vec<HookRow>, StoreError> {
        self.hooks_where("ORDER BY id", &[])
    }

    fn deliveries_where(
        &self,
        condition: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare_cached(&format!("{DELIVERY} {condition}"))?;
            let rows = query.query_map(values, delivery)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the hooks with deliveries, and when the first of each is due.
    pub fn hooks_due(&self) -> Result<Vec<(HookKey, u64)>, StoreError> {
        self.readers.read(|connection| {
            let mut query = connection.prepare(
                "SELECT hook, min(due) FROM delivery WHERE due IS NOT NULL GROUP BY hook ORDER BY 2",
            )?;
            let rows = query.query_map([], |row| {
                let Whole(due) = row.get(1)?;
                Ok((row.get(0)?, due))
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn has_deliveries_before(&self, before: u64, unproved_before: u64) -> Result<bool, StoreError> {
        self.readers.read(|connection| {
            let query = sql::HAS_OLD_DELIVERIES.sqlite;
            let values = params![Whole(before), Whole(unproved_before)];
            Ok(connection.prepare_cached(query)?.query_row(values, |row| row.get(0))?)
        })
    }
}

impl HookStore for Sqlite {
    async fn forget_deliveries(&self, before: u64, unproved_before: u64) -> Result<(), StoreError> {
        let is_any = move |reads: &Reads| reads.has_deliveries_before(before, unproved_before);
        if !self.read_aside(is_any).await? {
            return Ok(());
        }
        self.write(Write::of(Change::Hook(HookChange::Forget { before, unproved_before }))).await
    }

    fn new_hook_key(&self) -> HookKey {
        HookKey(self.next_hook.fetch_add(1, Ordering::Relaxed))
    }

    async fn hooks(&self) -> Result<Vec<HookRow>, StoreError> {
        self.read_aside(Reads::hooks).await
    }

    async fn hooks_of_player(&self, player: PlayerKey) -> Result<Vec<HookRow>, StoreError> {
        self.reads.hooks_where("WHERE player = ?1 ORDER BY id", params![player])
    }

    async fn hooks_of_game(&self, game: GameKey) -> Result<Vec<HookRow>, StoreError> {
        self.reads.hooks_where("WHERE game = ?1 ORDER BY id", params![game])
    }

    async fn hook(&self, key: HookKey) -> Result<Option<HookRow>, StoreError> {
        Ok(self.reads.hooks_where("WHERE id = ?1", params![key])?.pop())
    }

    async fn hook_by_id(&self, id: Uuid) -> Result<Option<HookRow>, StoreError> {
        Ok(self.reads.hooks_where("WHERE uuid = ?1", params![id.as_bytes()])?.pop())
    }

    async fn deliveries_due(
        &self,
        hook: HookKey,
        now: u64,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let condition = "WHERE hook = ?1 AND due <= ?2 ORDER BY due, id LIMIT ?3";
        self.reads.deliveries_where(condition, params![hook, Whole(now), limit])
    }

    async fn deliveries(
        &self,
        hook: HookKey,
        before: Option<DeliveryKey>,
        limit: u32,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let condition = "WHERE hook = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3";
        self.reads.deliveries_where(condition, params![hook, before, limit])
    }

    async fn delivery(&self, hook: HookKey, message: &str) -> Result<Option<DeliveryRow>, StoreError> {
        Ok(self.reads.deliveries_where("WHERE hook = ?1 AND message = ?2", params![hook, message])?.pop())
    }

    async fn hooks_due(&self) -> Result<Vec<(HookKey, u64)>, StoreError> {
        self.read_aside(Reads::hooks_due).await
    }

    async fn next_due(&self, hook: HookKey) -> Result<Option<u64>, StoreError> {
        self.reads.readers.read(|connection| {
            let mut query = connection
                .prepare_cached("SELECT min(due) FROM delivery WHERE hook = ?1 AND due IS NOT NULL")?;
            let due: Option<Whole> = query.query_row([hook], |row| row.get(0))?;
            Ok(due.map(|Whole(due)| due))
        })
    }

    async fn quiet(&self, player: PlayerKey) -> Result<QuietRow, StoreError> {
        self.reads.readers.read(|connection| {
            let query = sql::QUIET_OF_PLAYER.sqlite;
            let quiet = |row: &Row| {
                let (from, to): (Option<u16>, Option<u16>) = (row.get(1)?, row.get(2)?);
                Ok(QuietRow { utc_offset: row.get(0)?, hours: from.zip(to) })
            };
            let found = connection.prepare_cached(query)?.query_row([player], quiet).optional()?;
            Ok(found.unwrap_or_default())
        })
    }
}
